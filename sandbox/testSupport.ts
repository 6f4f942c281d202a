import type { KeyKind } from './auth';
import { startSandbox, type Sandbox, type SandboxOptions } from '.';
import { CaseStore, type CaseInput, type StoreOptions } from './store';

const started: Sandbox[] = [];

// Not in each test: one that fails would leave its server running, and Jest wouldn't exit.
afterAll(() => Promise.all(started.map((sandbox) => sandbox.stop())));

/** Starts a sandbox that is stopped after the tests of the file. */
export async function startForTest(options?: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	started.push(sandbox);
	return sandbox;
}

/** The clock of the tests: a Saturday at noon. */
export const NOW = '2026-01-31T12:00:00Z';

/** A store with these cases, numbered from 1, and the clock at NOW. */
export function storeWith(cases: CaseInput[], options: StoreOptions = {}): CaseStore {
	const store = new CaseStore({ now: () => new Date(NOW), ...options });
	for (const input of cases) store.createCase(input);
	return store;
}

type Rows = Array<Record<string, unknown>>;

/** An answer as the tests read it; reading `json` throws if the body isn't JSON. */
interface Reply {
	status: number;
	headers: Headers;
	text: string;
	bytes: Buffer;
	json: Record<'comments' | 'activities' | 'records' | 'actions', Rows> &
		Record<'error' | 'message', string> & {
			cases: Array<Record<string, unknown> & { case_id: number }>;
			meta: Record<string, unknown>;
			case_id: number;
		};
}

export type Client = Awaited<ReturnType<typeof clientOf>>;

const STEP = /^(?:(\w+): )?([A-Z]+) (\S+)(?: (.+))? → (!?\d+)(?: (.+))?$/;

/**
 * Sends requests one after another. A line is `[key: ]METHOD path [body] → [!]status [answer]`; the key is the tenant
 * owner's unless another is named, `!` marks a breach of the document, and an answer is what the JSON must match, or a
 * text that must be in it.
 */
export async function follow({ sandbox, as }: Client, script: string): Promise<void> {
	for (const line of script.trim().split(/\n\s*/)) {
		const [, key, method, path, body, status, answer] = STEP.exec(line) ?? [];
		const before = sandbox.rejected.length;
		const given = body && (JSON.parse(body) as unknown);
		const { text, status: answered } = await as((key ?? 'tenantOwner') as KeyKind)(
			method,
			path,
			given,
		);
		const breach = sandbox.rejected.length > before ? '!' : '';
		expect([line, `${breach}${answered}`, text]).toEqual([line, status, expect.any(String)]);
		if (answer?.startsWith('{'))
			expect(JSON.parse(text)).toMatchObject(JSON.parse(answer) as object);
		else if (answer) expect(text).toContain(answer);
	}
}

/** Starts a sandbox; its client sends the tenant owner's key unless `init` has other headers. */
export async function clientOf(options: SandboxOptions = {}) {
	const sandbox = await startForTest(options);
	/** Sends a request to a path below the base URL; brackets and blanks need no encoding. */
	const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
		const response = await fetch(sandbox.url + path, {
			redirect: 'manual',
			headers: { 'content-type': 'application/json', 'x-user-token': sandbox.keys.tenantOwner },
			...init,
		});
		const { status, headers } = response;
		const bytes = Buffer.from(await response.arrayBuffer());
		const text = bytes.toString();
		return {
			...{ status, headers, text, bytes },
			get json() {
				return JSON.parse(text) as Reply['json'];
			},
		};
	};
	return {
		sandbox,
		send,
		put: (path: string, body: unknown) => send(path, { method: 'PUT', body: JSON.stringify(body) }),
		/** Sends requests with a key; paths are below /api/v2 unless they begin with /api. */
		as: (key: KeyKind) => (method: string, path: string, body?: unknown) =>
			send(path.startsWith('/api') ? path : `/api/v2${path}`, {
				method,
				headers: { 'content-type': 'application/json', 'x-user-token': sandbox.keys[key] },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			}),
		/** The ids of the cases on the page that GET /api/v2/cases returns for the query. */
		async ids(query: string) {
			const { status, json, text } = await send(`/api/v2/cases?${query}`);
			if (status !== 200) throw new Error(`${status} ${text}`);
			return json.cases.map(({ case_id }) => case_id);
		},
	};
}
