import { startSandbox, type Sandbox, type SandboxOptions } from '.';
import { CaseStore, type CaseInput, type StoreOptions } from './store';

const started: Sandbox[] = [];

// Here and not in each test: one that fails halfway would leave a server, and the run wouldn't end.
afterAll(() => Promise.all(started.map((sandbox) => sandbox.stop())));

/** Starts a sandbox that is stopped when the tests of the file are done. */
export async function startForTest(options?: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox(options);
	started.push(sandbox);
	return sandbox;
}

/** The clock of the tests: a Saturday at noon. */
export const NOW = '2026-01-31T12:00:00Z';

/** A store at NOW with these cases, numbered from 1 on. */
export function storeWith(cases: CaseInput[], options: StoreOptions = {}): CaseStore {
	const store = new CaseStore({ now: () => new Date(NOW), ...options });
	for (const input of cases) store.createCase(input);
	return store;
}

/** An answer for tests; `json` is undefined for a body that isn't JSON. */
export interface Reply {
	status: number;
	headers: Headers;
	text: string;
	json: {
		cases: Array<Record<string, unknown> & { case_id: number; name: string }>;
		comments: Array<Record<string, unknown>>;
		activities: Array<Record<string, unknown>>;
		records: Array<Record<string, unknown>>;
		actions: Array<Record<string, unknown>>;
		meta: Record<string, unknown>;
		error: string;
		message: string;
		errors: string[];
		case_id: number;
	};
}

export interface Client {
	sandbox: Sandbox;
	/** A request to a path below the base URL; brackets and blanks may be written plainly. */
	send(path: string, init?: RequestInit): Promise<Reply>;
	/** The ids that GET /api/v2/cases answers for the query. */
	ids(query: string): Promise<number[]>;
	put(path: string, body: unknown): Promise<Reply>;
}

/** A sandbox with a client that has the tenant owner's key unless `headers` say otherwise. */
export async function clientOf(options: SandboxOptions = {}): Promise<Client> {
	const sandbox = await startForTest(options);
	const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
		const response = await fetch(sandbox.url + path, {
			redirect: 'manual',
			headers: { 'content-type': 'application/json', 'x-user-token': sandbox.keys.tenantOwner },
			...init,
		});
		const text = await response.text();
		let json: unknown;
		try {
			json = JSON.parse(text);
		} catch {
			json = undefined;
		}
		return {
			status: response.status,
			headers: response.headers,
			text,
			json: json as Reply['json'],
		};
	};
	return {
		sandbox,
		send,
		put: (path, body) => send(path, { method: 'PUT', body: JSON.stringify(body) }),
		async ids(query) {
			const { status, json, text } = await send(`/api/v2/cases?${query}`);
			if (status !== 200) throw new Error(`${status} ${text}`);
			return json.cases.map(({ case_id }) => case_id);
		},
	};
}
