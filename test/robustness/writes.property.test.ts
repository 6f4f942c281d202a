import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import type { Deviations } from '../../sandbox/deviations';
import { runNode } from '../../tools/engine/node';
import { failureOf, OF_ITEM, pairsOf, range } from '../support/runs';
import { useNodeClock } from '../support/nodeClock';
import { CASES_NODE, useSandboxes } from '../support/service';
import { useShortWaits } from './support/shortWaits';

// Workflows and services that nobody wrote by hand: whatever is wrong with the rows, the answers and the items, no action
// gets lost that the user didn't ask to take away, and each item gets one result. Another writer adds actions meanwhile:
// what it added more than two seconds before a write stays. More of them:
// `WRITES_RUNS=10000 npx jest test/robustness/writes.property`.

const RUNS = Number(process.env.WRITES_RUNS ?? 40);
const CASES = range(1, 4);

interface Stored {
	url: string;
	label: string;
	action_type: 'webhook' | 'page';
	action_text?: string;
}

const url = fc.constantFrom('a', 'b', 'c').map((name) => `https://${name}.example/`);
const label = fc.constantFrom('A', 'B', ' B', 'Isolate?');
const action: fc.Arbitrary<Stored> = fc.record(
	{
		url,
		label,
		action_type: fc.constantFrom('webhook', 'page'),
		action_text: fc.constantFrom('Go', ' Go '),
	},
	{ requiredKeys: ['url', 'label', 'action_type'] },
);

/** What is wrong with the rows of some cases, and with the answers to writes. */
const oddRows = fc.record({
	path: fc.constantFrom('actions', 'actions', 'actions.*.label', 'actions.*.url', 'actions.*.id'),
	value: fc.constantFrom<unknown>(undefined, null, '', {}, [null], 7),
	cases: fc.subarray(CASES, { minLength: 1 }),
});
const deviations: fc.Arbitrary<Deviations> = fc.record({
	rows: fc.record({ fields: fc.array(oddRows, { maxLength: 1 }) }),
	actions: fc.record(
		{
			inRows: fc.constantFrom('ids', 'full', 'texts'),
			batchAnswer: fc.constantFrom('reversed', 'noContent', 'html', 'noList'),
			after: fc.constantFrom(
				{ drop: ['A'] },
				{ add: [{ url: 'https://o.example/', label: 'O', action_type: 'page' as const }] },
			),
		},
		{ requiredKeys: [] },
	),
});

const itemOf = fc.record({
	id: fc.oneof(
		{ weight: 19, arbitrary: fc.constantFrom(...CASES) },
		fc.constantFrom<unknown>('x', 999),
	),
	actions: fc.array(action, { minLength: 1, maxLength: 2 }),
	matchLabel: fc.oneof(label, fc.constant('')),
	matchUrl: fc.oneof(url, fc.constant('')),
	accept: fc.constantFrom(true, true, true, false),
	preview: fc.constantFrom<unknown>(...Array<unknown>(8).fill(false), true, 'false'),
	skip: fc.boolean(),
	read: fc.boolean(),
});
type Item = typeof itemOf extends fc.Arbitrary<infer T> ? T : never;

/** What happens when the service gets a request: another writer adds an action, and a write takes long or fails. */
const event = fc.record(
	{
		request: fc.integer({ min: 0, max: 8 }),
		adds: fc.constantFrom(...CASES),
		takesMs: fc.constantFrom(500, 1500, 3000),
		fails: fc.record({ status: fc.constantFrom(429, 500), applied: fc.boolean() }),
	},
	{ requiredKeys: ['request'] },
);

const workflow = fc.record({
	operation: fc.constantFrom('replace', 'upsert', 'upsert', 'delete', 'clear'),
	items: fc.array(itemOf, { minLength: 1, maxLength: 4 }),
	continues: fc.boolean(),
	before: fc.tuple(...CASES.map(() => fc.array(action, { maxLength: 3 }))),
	deviations,
	refused: fc.subarray(CASES, { maxLength: 1 }),
	hasOwnLists: fc.boolean(),
	events: fc.array(event, { maxLength: 4 }),
});
type Workflow = typeof workflow extends fc.Arbitrary<infer T> ? T : never;

function parametersOf(operation: string, isWatched: boolean): Record<string, unknown> {
	const options = {
		previewOnly: '={{ $json.preview }}',
		maxRetries: isWatched ? 2 : 0,
		// With another request in flight it isn't known when a write left.
		concurrency: isWatched ? 1 : 2,
	};
	const own: Record<string, object> = {
		replace: { options: { ...options, skipUnchanged: '={{ $json.skip }}' } },
		clear: { options },
	};
	return {
		resource: 'action',
		operation,
		caseId: OF_ITEM,
		actionsFrom: 'json',
		actionsJson: '={{ $json.actions }}',
		matchLabel: '={{ $json.matchLabel }}',
		matchUrl: '={{ $json.matchUrl }}',
		acceptTextLoss: '={{ $json.accept }}',
		...(own[operation] ?? { options: { ...options, readButtonTexts: '={{ $json.read }}' } }),
	};
}

const withoutText = ({ url, label, action_type }: Stored) => ({ url, label, action_type });
const trimmed = (given: Stored): Stored => ({
	...given,
	label: given.label.trim(),
	...(given.action_text === undefined ? {} : { action_text: given.action_text.trim() }),
});

/** Whether Delete means an action: exactly, or without blanks around where the case has no such action. */
function isMeant({ matchLabel, matchUrl }: Item, stored: Stored, before: Stored[]): boolean {
	if (matchLabel === '' && matchUrl === '') return false;
	const has = (one: Stored, label: string) =>
		(label === '' || one.label === label) && (matchUrl === '' || one.url === matchUrl);
	const isExact = before.some((one) => has(one, matchLabel));
	return has(stored, isExact ? matchLabel : matchLabel.trim());
}

/** The actions of a case that no item of it asks to take away or to update. */
function untouched(operation: string, before: Stored[], items: Item[]): Stored[] {
	return before.filter((stored) =>
		items.every((item) =>
			operation === 'upsert'
				? item.actions.every(({ url }) => url !== stored.url)
				: !isMeant(item, stored, before),
		),
	);
}

/** Whether the actions are all there, in this order, among others. */
function isWithin(actions: unknown[], all: unknown[]): boolean {
	const texts = all.map((one) => JSON.stringify(one));
	let from = 0;
	return actions.every((one) => {
		const at = texts.indexOf(JSON.stringify(one), from);
		from = at + 1;
		return at >= 0;
	});
}

/** Checks that a write took nothing away that wasn't asked for. `sent` is what the node sent for the case. */
function expectNothingWiped(operation: string, before: Stored[], items: Item[], sent: Stored[]) {
	expect(items.every(({ preview }) => preview === false || preview === 'false')).toBe(true);
	if (operation === 'clear') return expect(sent).toEqual([]);
	if (operation === 'replace')
		return expect(sent).toEqual(items.flatMap(({ actions }) => actions.map(trimmed)));
	const kept = untouched(operation, before, items);
	if (items.every(({ accept }) => accept)) {
		return expect(isWithin(kept.map(withoutText), sent.map(withoutText))).toBe(true);
	}
	return expect(isWithin(kept, sent)).toBe(true);
}

/** An action that another writer added. */
interface Added {
	caseId: number;
	/** In ms that the writes have taken so far. */
	at: number;
	action: Stored;
}

/** Longest time from the last read of a case to its write, in ms. */
const BOUND = 2000;

/**
 * Lets the events happen.
 * @returns for each write, in their order, the actions of its case that it must keep, unless the user means them
 */
function act(sandbox: Sandbox, { events, before, deviations }: Workflow): Stored[][] {
	const kept: Stored[][] = [];
	const added: Added[] = [];
	let [passed, requests] = [0, -1];
	const always = { times: 999 };
	for (const id of CASES) {
		const note = () => {
			const early = added.filter(({ caseId, at }) => caseId === id && passed - at > BOUND);
			kept.push([...before[id - 1], ...early.map(({ action }) => action)]);
		};
		const match = { method: 'PUT', path: `/cases/${id}/` };
		sandbox.faults.add({ ...always, match, fault: { kind: 'change', run: note } });
	}
	const happen = (isWrite: boolean) => {
		for (const { request, adds, takesMs = 0 } of events) {
			if (request !== requests) continue;
			if (adds !== undefined) {
				const url = `https://w.example/${added.length}`;
				const action = { url, label: `W${added.length}`, action_type: 'page' as const };
				const now = [...sandbox.store.getCase(adds).actions()] as unknown[] as Stored[];
				const at = { updated_at: '2026-01-20T00:00:00Z' };
				sandbox.store.replaceActions(adds, [...now, action], at);
				added.push({ caseId: adds, at: passed, action });
			}
			if (isWrite) {
				passed += takesMs;
				clock.advance(takesMs);
			}
		}
	};
	sandbox.faults.add({ ...always, fault: { kind: 'change', run: () => void requests++ } });
	for (const method of ['GET', 'PUT']) {
		const run = () => happen(method === 'PUT');
		sandbox.faults.add({ ...always, match: { method }, fault: { kind: 'change', run } });
	}
	for (const { request, fails } of events) {
		if (fails === undefined) continue;
		// Where the service itself changes what it wrote, a second write can't know what was there.
		const applied = fails.applied && deviations.actions?.after === undefined;
		const match = { method: 'PUT', nth: request + 1 };
		sandbox.faults.add({ match, fault: { kind: 'status', ...fails, applied } });
	}
	return kept;
}

const useSandbox = useSandboxes();
const clock = useNodeClock();
useShortWaits();
let sandboxes: Sandbox[];
beforeAll(async () => {
	sandboxes = [
		await useSandbox({ cases: CASES.length }),
		await useSandbox({ cases: CASES.length, grown: ['actions-list'] }),
	];
});

async function check(workflow: Workflow): Promise<void> {
	const { operation, items, continues, before, ...given } = workflow;
	const isWatched = given.events.length > 0;
	const sandbox = sandboxes[given.hasOwnLists ? 1 : 0];
	sandbox.faults.clear();
	sandbox.deviate();
	for (const [index, actions] of before.entries()) {
		sandbox.store.replaceActions(CASES[index], actions, { updated_at: '2026-01-20T00:00:00Z' });
	}
	sandbox.deviate(given.deviations);
	for (const id of given.refused) {
		sandbox.faults.add({
			match: { path: `/cases/${id}/` },
			fault: { kind: 'status', status: 422 },
		});
	}
	const kept = act(sandbox, workflow);
	sandbox.clearRequests();
	const run = await runNode({
		type: CASES_NODE,
		parameters: parametersOf(operation, isWatched) as never,
		credentials: { casesApi: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner } },
		items: items as IDataObject[],
		onError: continues ? 'continueRegularOutput' : undefined,
	});

	const writes = sandbox.requests.filter(({ method }) => method === 'PUT');
	for (const [index, { path, body }] of writes.entries()) {
		const id = Number(/cases\/(\d+)\//.exec(path)?.[1]);
		const own = items.filter((one) => one.id === id);
		const { actions } = body as { actions: Stored[] };
		// Replace All doesn't read first, so it also writes to a case that isn't there.
		if (CASES.includes(id)) expectNothingWiped(operation, kept[index] ?? [], own, actions);
	}
	if (!isWatched) expect(new Set(writes.map(({ path }) => path)).size).toBe(writes.length);
	const breaches = sandbox.rejected.filter(({ path }) => !path.endsWith('/actions'));
	expect(breaches.map(({ rejected }) => rejected)).toEqual([]);

	if (!continues && run.status !== 'success') {
		expect(failureOf(run).message).not.toBe('');
		return;
	}
	expect(run.status).toBe('success');
	expect(pairsOf(run).flat().sort()).toEqual(range(0, items.length - 1));
	for (const { json } of run.items) {
		const id = Number(json.case_id);
		if (json.changed !== true || 'before' in json) continue;
		expect(writes.some(({ path }) => path.includes(`/cases/${id}/`))).toBe(true);
	}
	for (const { json, pairedItem } of run.items) {
		if ('error' in json) expect(pairedItem).toHaveLength(1);
		// What is unknown is never said to be none. A case's own list of actions makes it known.
		const { fields = [] } = given.deviations.rows ?? {};
		const isReadFromOwn =
			['upsert', 'delete'].includes(operation) &&
			given.hasOwnLists &&
			items.some(({ read }) => read);
		const isUnknown =
			!isReadFromOwn &&
			fields.some(({ path, cases }) => path === 'actions' && cases?.includes(Number(json.case_id)));
		if (!isUnknown || 'error' in json) continue;
		expect(json.changed === null || (operation === 'replace' && json.changed === true)).toBe(true);
	}
}

it(`no write takes away what nobody asked to take away, and each item gets one result (${RUNS} workflows)`, async () => {
	await fc.assert(fc.asyncProperty(workflow, check), { numRuns: RUNS });
}, 3_600_000);
