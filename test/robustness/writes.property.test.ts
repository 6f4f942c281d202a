import fc from 'fast-check';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import type { Row } from '../../nodes/Cases/api/types';
import { CaseStore } from '../../sandbox';
import { directService } from '../../sandbox/direct';
import { ApiError } from '../../sandbox/errors';
import type { Action } from '../../sandbox/types';
import { answerOf } from '../support/answer';
import type * as writers from './support/writers';

// All operations on actions, several at once in one process and in two, with answers lost before and after the write, 429
// and 5xx, slow answers, writes that arrive late, and people who edit meanwhile: no write changes an action that it doesn't
// name, and nothing that is said is false. More of them: `WRITES_RUNS=10000 npx jest test/robustness/writes.property`.

const RUNS = Number(process.env.WRITES_RUNS ?? 300);
const CASES = [1, 2];

type Given = { url: string; label: string; action_type: 'webhook' | 'page'; action_text?: string };

const url = fc.constantFrom('a', 'b', 'c').map((name) => `https://${name}.example/`);
const odd = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 });
const label = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom('A', 'B', 'Isolate?') },
	odd.map((text) => `x${text}x`),
);
const action: fc.Arbitrary<Given> = fc.record(
	{
		url,
		label,
		action_type: fc.constantFrom('webhook', 'page'),
		action_text: fc.oneof(
			fc.constantFrom('Go', 'Stop'),
			odd.map((text) => `y${text}y`),
		),
	},
	{ requiredKeys: ['url', 'label', 'action_type'] },
);

/** What happens to a request; `applied` is whether it is carried out. */
const fault = fc.constantFrom(
	{ kind: 'none', applied: true },
	{ kind: 'ECONNRESET', applied: false },
	{ kind: 'ECONNRESET', applied: true },
	{ kind: 'ECONNRESET', applied: 'late' },
	{ kind: 'ECONNREFUSED', applied: false },
	{ kind: '429', applied: false },
	{ kind: '503', applied: false },
	{ kind: '500', applied: false },
	{ kind: '502', applied: true },
	{ kind: '422', applied: false },
	{ kind: 'html', applied: true },
	{ kind: 'empty', applied: true },
);
type Fault = { kind: string; applied: boolean | 'late' };

const edit = fc.record({
	request: fc.nat({ max: 25 }),
	caseId: fc.constantFrom(...CASES),
	what: fc.constantFrom('add', 'remove', 'rename', 'removeButton'),
});

const writer = fc.record({
	operation: fc.constantFrom(
		...(['replace', 'clear', 'upsert', 'upsert', 'delete', 'sendAndWait', 'getAll'] as const),
	),
	/** Whether each action comes from an input item of its own. */
	isSplit: fc.boolean(),
	message: fc.oneof(
		fc.constant('Isolate?'),
		odd.map((text) => `z${text}z`),
	),
	isOther: fc.boolean(),
	caseId: fc.constantFrom(...CASES),
	actions: fc.uniqueArray(action, {
		minLength: 1,
		maxLength: 3,
		selector: ({ url, label }) => JSON.stringify([url, label]),
	}),
	matchUrl: fc.option(url, { nil: '' }),
	matchLabel: label,
	skipUnchanged: fc.boolean(),
	pauses: fc.array(fc.nat({ max: 3 }), { maxLength: 4 }),
});
type Writer = typeof writer extends fc.Arbitrary<infer T> ? T : never;

const history = fc.record({
	before: fc.tuple(...CASES.map(() => fc.array(action, { maxLength: 4 }))),
	writers: fc.array(writer, { minLength: 1, maxLength: 4 }),
	faults: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fault), {
		maxLength: 14,
	}),
	edits: fc.array(edit, { maxLength: 4 }),
	lateness: fc.nat({ max: 6 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const keyOf = ({ url, label }: { url: string; label: string }) =>
	JSON.stringify([url, label.trim()]);
const shown = ({ id, url, label, action_type, action_text, query_params }: Action) =>
	JSON.stringify([id, url, label, action_type, action_text, query_params]);

/** A write that the service carried out. */
interface Carried {
	by: number;
	method: string;
	caseId: number;
	removed: Action[];
	added: Action[];
	/** Before and after. */
	altered: Array<[Action, Action]>;
	/** The case as the writer has read it, by the IDs of its actions: its plan rests on one of these. */
	reads: Array<Map<number, Action>>;
}

/** The service, who writes to it, and what it carried out. */
function worldOf({ before, faults, edits, lateness }: History) {
	const store = new CaseStore();
	for (const actions of before) {
		const { case_id } = store.createCase();
		store.replaceActions(case_id, actions);
	}
	const serve = directService(store);
	const carried: Carried[] = [];
	const reads = new Map<number, Array<Map<number, Action>>>();
	const late: Array<{ due: number; carryOut: () => void }> = [];
	let requests = 0;

	const actionsOf = (caseId: number) => [...store.getCase(caseId).actions()];
	const carryOut = (by: number, { method, path, body }: ApiRequest): unknown => {
		const [pathname, queryString] = path.split('?');
		const caseId = Number(/cases\/(\d+)\//.exec(pathname)?.[1] ?? 0);
		if (method === 'GET') {
			if (caseId > 0) {
				const seen = new Map(actionsOf(caseId).map((one) => [one.id, one]));
				reads.set(by, [...(reads.get(by) ?? []), seen]);
			}
			return serve({ method, path: pathname, queryString });
		}
		const old = actionsOf(caseId);
		const answer = serve({ method, path: pathname, body });
		const now = actionsOf(caseId);
		carried.push({
			...{ by, method, caseId, reads: reads.get(by) ?? [] },
			removed: old.filter(({ id }) => !now.some((one) => one.id === id)),
			added: now.filter(({ id }) => !old.some((one) => one.id === id)),
			altered: old.flatMap((one) => {
				const after = now.find(({ id }) => id === one.id);
				return after && shown(after) !== shown(one) ? [[one, after] as [Action, Action]] : [];
			}),
		});
		return answer;
	};
	const answerTo = (by: number, request: ApiRequest) => {
		try {
			const body = carryOut(by, request);
			return body === '' ? answerOf(204) : answerOf(200, JSON.stringify(body));
		} catch (error) {
			if (!(error instanceof ApiError) || error.isBreach) throw error;
			return answerOf(error.status, JSON.stringify({ error: error.message }));
		}
	};
	const editBy = ({ caseId, what }: History['edits'][number]) => {
		const isTheirs = (one: Action) => one.url.startsWith('https://people.');
		const isButton = (one: Action) => one.url.startsWith('https://n8n.');
		const own = actionsOf(caseId).filter(what === 'removeButton' ? isButton : isTheirs);
		const given = { label: `P${requests}`, action_type: 'page' as const };
		if (what === 'add') {
			store.addAction(caseId, { url: `https://people.example/${requests}`, ...given });
		} else if (own.length > 0) {
			if (what !== 'rename') store.deleteAction(caseId, own[0].id);
			else store.updateAction(caseId, own[0].id, { label: given.label });
		}
	};
	const exchange = async (by: number, pauses: number[], request: ApiRequest) => {
		const rounds = pauses.length === 0 ? 0 : pauses[requests % pauses.length];
		for (let round = 0; round <= rounds; round++) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		const index = requests++;
		for (const one of edits) if (one.request === index) editBy(one);
		for (const one of late.splice(0)) {
			if (one.due <= index) one.carryOut();
			else late.push(one);
		}
		const { kind, applied }: Fault = faults[index] ?? { kind: 'none', applied: true };
		if (applied === 'late' && request.method === 'POST') {
			late.push({ due: index + lateness, carryOut: () => void answerTo(by, request) });
			return kind;
		}
		const answer = applied === true ? answerTo(by, request) : undefined;
		if (answer !== undefined && (kind === 'none' || answer.status >= 400)) return answer;
		if (kind.startsWith('E')) return kind;
		if (kind === '503') return answerOf(503, '', { 'retry-after': '2' });
		if (kind === 'html') return answerOf(200, '<html></html>');
		if (kind === 'empty') return answerOf(request.method === 'GET' ? 500 : 204);
		return answerOf(Number(kind));
	};
	const settleLate = () => late.splice(0).forEach((one) => one.carryOut());
	return { store, carried, exchange, actionsOf, settleLate };
}

/** Whether Create or Update means an action: by URL and label, or by a URL that stands once in the case and is given once. */
function isMeant({ actions }: Writer, one: Action, read: Action[]): boolean {
	const sameUrl = actions.filter(({ url }) => url === one.url);
	const isOnlyOne = sameUrl.length === 1 && read.filter(({ url }) => url === one.url).length <= 1;
	return isOnlyOne || sameUrl.some((given) => keyOf(given) === keyOf(one));
}

/**
 * Checks that a write did only what its operation names: of what another process changes since the read it can't know.
 * @param own IDs of the buttons that it has put up
 */
function expectNamed(
	writer: Writer,
	{ removed, added, altered, reads }: Carried,
	own: Set<number>,
) {
	switch (writer.operation) {
		case 'upsert':
			expect([removed.length, added.length + altered.length <= 1]).toEqual([0, true]);
			for (const one of added) expect(writer.actions.map(keyOf)).toContain(keyOf(one));
			for (const [before, after] of altered) {
				const isMeantIn = (read: Map<number, Action>) =>
					isMeant(writer, read.get(before.id) ?? before, [...read.values()]);
				expect(reads.some(isMeantIn)).toBe(true);
				expect(writer.actions.map(keyOf)).toContain(keyOf(after));
			}
			return;
		case 'delete':
			expect([added.length, altered.length, removed.length <= 1]).toEqual([0, 0, true]);
			for (const { id } of removed) {
				// A read whose answer was lost is among them, so not only the first one counts.
				const isMeantIn = (read: Map<number, Action>) => {
					const { url, label = '' } = read.get(id) ?? {};
					const { matchUrl, matchLabel } = writer;
					return label.trim() === matchLabel.trim() && (matchUrl === '' || url === matchUrl);
				};
				expect(reads.some(isMeantIn)).toBe(true);
			}
			return;
		case 'sendAndWait':
			expect([altered.length, added.length + removed.length <= 1]).toEqual([0, true]);
			for (const { id, url } of added) {
				expect(url).toContain('n8n.example');
				own.add(id);
			}
			for (const { id } of removed) expect([...own]).toContain(id);
			return;
		case 'getAll':
			expect([removed, added, altered]).toEqual([[], [], []]);
			return;
		default:
			// The batch update: all actions of the case are meant.
			expect(added.length).toBeLessThanOrEqual(writer.operation === 'clear' ? 0 : 3);
	}
}

function parametersOf({ operation, actions, message, ...rest }: Writer): Row {
	const { matchUrl, matchLabel, skipUnchanged } = rest;
	const options = { skipUnchanged, maxRetries: 2 };
	const own = { actionsFrom: 'json', actionsJson: actions, matchUrl, matchLabel };
	const question = { message, responseType: 'approval', approvalOptions: {} };
	return { ...own, ...question, options: operation === 'replace' ? options : {} };
}

let processes: [typeof writers, typeof writers];

beforeAll(async () => {
	// Two copies of the package know nothing of each other, as in two processes.
	const load = async () => {
		let loaded: typeof writers | undefined;
		await jest.isolateModulesAsync(async () => {
			loaded = await import('./support/writers');
		});
		return loaded as typeof writers;
	};
	processes = [await load(), await load()];
});

async function check(drawn: History): Promise<void> {
	const world = worldOf(drawn);
	const { carried, actionsOf } = world;
	const buttons = drawn.writers.map(() => new Set<number>());
	const ends: Array<() => void> = [];

	const start = async (one: Writer, by: number) => {
		const { operation, caseId, isOther, pauses } = one;
		const { runOperation, press } = processes[isOther ? 1 : 0];
		const exchange = world.exchange.bind(undefined, by, pauses) as writers.Exchange;
		const atStart = actionsOf(caseId);
		const isSplit = one.isSplit && operation === 'upsert' && one.actions.length > 1;
		const items = isSplit
			? one.actions.map((action) => ({ caseId, actionsJson: [action] }))
			: [{ caseId }];
		const outcome = await runOperation(operation, parametersOf(one), items, exchange);
		const atEnd = actionsOf(caseId);
		const mine = () => carried.filter((entry) => entry.by === by);
		const failed = outcome.results.flatMap((each) => ('failure' in each ? [each.failure] : []));
		const said = (failed[0] ?? outcome.failure) as writers.Outcome['failure'];
		if (said !== undefined) {
			if (isSplit) return;
			if (said.details?.mayHaveBeenDone !== true && operation !== 'sendAndWait') {
				ends.push(() => expect(mine()).toEqual([]));
			}
			if (operation === 'sendAndWait' && !/still/.test(said.details?.description ?? '')) {
				ends.push(() =>
					expect(actionsOf(caseId).filter(({ id }) => buttons[by].has(id))).toEqual([]),
				);
			}
			return;
		}
		const rows = outcome.results.flatMap((each) => ('rows' in each ? each.rows : []));
		const actions = rows.flatMap((each) => (each.actions as Row[] | undefined) ?? []);
		const isChanged = rows.some(({ changed }) => changed === true);
		const row = { ...rows[0], changed: isChanged || rows[0]?.changed };
		if (operation === 'sendAndWait') return await expectAnswered(one, by, outcome, press, exchange);
		if (row.changed === false) ends.push(() => expect(mine()).toEqual([]));
		// Between two items others of the same process have their turn.
		const hasRivals = drawn.writers.some(
			(other) => other !== one && other.caseId === caseId && (isSplit || other.isOther !== isOther),
		);
		// Another process may have deleted an action first.
		if (row.changed === true && !hasRivals) expect(mine().length).toBeGreaterThan(0);
		if (operation === 'upsert' && !hasRivals) expectThere(one, actions, atStart, atEnd);
	};

	/** What a successful Create or Update says is so, and nothing was made twice. */
	const expectThere = (one: Writer, said: Row[], atStart: Action[], atEnd: Action[]) => {
		for (const given of one.actions) {
			const same = atEnd.filter((stored) => keyOf(stored) === keyOf(given));
			const before = atStart.filter((stored) => keyOf(stored) === keyOf(given));
			expect(same[0]).toMatchObject({ action_type: given.action_type });
			if (given.action_text !== undefined) expect(same[0].action_text).toBe(given.action_text);
			// Those of other writers that ran before it count too.
			if (drawn.writers.length === 1) expect(same.length).toBe(Math.max(1, before.length));
		}
		expect(said).toHaveLength(one.actions.length);
	};

	const expectAnswered = async (
		{ caseId }: Writer,
		by: number,
		{ kept }: writers.Outcome,
		press: typeof writers.press,
		exchange: writers.Exchange,
	) => {
		const { output, isClean } = await press(kept ?? {}, exchange);
		expect(output).toMatchObject({ case_id: caseId, data: { approved: true } });
		if (isClean !== true) return;
		ends.push(() => expect(actionsOf(caseId).filter(({ id }) => buttons[by].has(id))).toEqual([]));
	};

	await Promise.all(drawn.writers.map(start));
	world.settleLate();
	for (const entry of carried) expectNamed(drawn.writers[entry.by], entry, buttons[entry.by]);
	for (const end of ends) end();
}

it(`no write changes what it doesn't name, and nothing false is said (${RUNS} histories)`, async () => {
	await fc.assert(fc.asyncProperty(history, check), { numRuns: RUNS });
}, 3_600_000);
