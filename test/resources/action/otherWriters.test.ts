import {
	byId,
	failureOf,
	hintsOf,
	itemsWith,
	OF_ITEM,
	range,
	reportOf,
	rowsOf,
} from '../../support/runs';
import { useNodeClock } from '../../support/nodeClock';
import { useService } from '../../support/service';
import { useShortWaits } from '../../robustness/support/shortWaits';

// The API can't write on a condition. What another writer adds is kept all the same, unless it comes in the last seconds
// before a write.

const service = useService({ cases: 120 });
const clock = useNodeClock();
useShortWaits();

const action = (name: string) => ({
	url: `https://example.com/${name}`,
	label: name,
	action_type: 'page' as const,
});
const [A, B, OTHER] = ['a', 'b', 'other'].map(action);

const upsert = (caseId: unknown = byId(1)) => ({
	...{ resource: 'action', operation: 'upsert', caseId, acceptTextLoss: true },
	...{ actionsFrom: 'json', actionsJson: JSON.stringify([B]) },
});
const remove = {
	...{ resource: 'action', operation: 'delete', caseId: byId(1), acceptTextLoss: true },
	matchLabel: 'b',
};
const replace = {
	...{ resource: 'action', operation: 'replace', caseId: byId(1) },
	...{ actionsFrom: 'json', actionsJson: JSON.stringify([B]) },
};

// In the past: an edit during a read would make the node read again.
const put = (caseId: number, ...actions: Array<typeof A>) =>
	service.sandbox.store.replaceActions(caseId, actions, { updated_at: '2026-01-20T00:00:00Z' });
const labels = (caseId: number) =>
	service.sandbox.store
		.getCase(caseId)
		.actions()
		.map(({ label }) => label);
const methods = () => service.sandbox.requests.map(({ method }) => method);
/** The case IDs of each read. */
const reads = () =>
	service.sandbox.requests
		.filter(({ method }) => method === 'GET')
		.map(({ query }) => (query.filters as { case_ids: string[] }).case_ids);
const writesTo = (caseId: number) =>
	service.sandbox.requests.filter(({ path }) => path.includes(`/cases/${caseId}/`)).length;

/** What happens at the first write to a case, how long that write takes, and how it fails, if it does. */
function atWrite(
	caseId: number,
	run: () => void,
	{ ms = 3000, status, applied }: { ms?: number; status?: number; applied?: boolean } = {},
) {
	const match = { method: 'PUT', path: `/cases/${caseId}/` };
	const change = () => {
		run();
		clock.advance(ms);
	};
	service.sandbox.faults.add({ match, fault: { kind: 'change', run: change } });
	if (status === undefined) return;
	service.sandbox.faults.add({ match, fault: { kind: 'status', status, applied } });
}

beforeEach(() => {
	service.sandbox.deviate();
	put(1, A);
	put(2);
});

it.each([
	['Create or Update', upsert(), ['a', 'other', 'b']],
	['Delete', remove, ['a', 'other']],
])(
	'%s keeps what another writer adds during the wait before a retry',
	async (_name, node, left) => {
		if (node === remove) put(1, A, B);
		const before = node === remove ? [A, B] : [A];
		atWrite(1, () => put(1, ...before, OTHER), { status: 500 });
		expect(rowsOf(await service.run(node))).toMatchObject([{ changed: true }]);
		expect(labels(1)).toEqual(left.length === 2 ? ['a', 'other'] : left);
		expect(methods()).toEqual(['GET', 'PUT', 'GET', 'PUT']);
	},
);

it('Create or Update sends the same body again in a retry that comes at once', async () => {
	atWrite(1, () => {}, { ms: 1000, status: 500 });
	rowsOf(await service.run(upsert()));
	expect(methods()).toEqual(['GET', 'PUT', 'PUT']);
});

it('Create or Update keeps what another writer adds during a run of slow writes', async () => {
	clock.stop();
	for (const id of range(1, 30)) {
		put(id);
		atWrite(id, () => (id === 5 ? put(30, OTHER) : undefined), { ms: 200 });
	}
	const options = { concurrency: 1 };
	const run = await service.run(
		{ ...upsert(OF_ITEM), options },
		{ items: itemsWith(range(1, 30)) },
	);
	expect(labels(30)).toEqual(['other', 'b']);
	expect(range(1, 29).every((id) => labels(id).join() === 'b')).toBe(true);
	expect(rowsOf(run)).toHaveLength(30);
	// Eleven writes take 2.2 s. Two further reads are of all cases that are left then.
	expect(reads().map(({ length }) => length)).toEqual([30, 19, 8]);
});

it('Writes that wait share one read, of as many cases that are left as a request takes', async () => {
	for (const id of range(1, 60)) put(id);
	const late = { method: 'GET', path: '/cases$' };
	for (const id of range(1, 8)) {
		const slow = () =>
			service.sandbox.faults.add({ match: late, fault: { kind: 'latency', ms: 100 } });
		atWrite(id, id === 1 ? slow : () => {}, { ms: id === 1 ? 3000 : 0, status: 500 });
	}
	const run = await service.run(upsert(OF_ITEM), { items: itemsWith(range(1, 60)) });
	expect(rowsOf(run)).toHaveLength(60);
	expect(
		reads()
			.slice(0, 3)
			.map(({ length }) => length),
	).toEqual([50, 10, 50]);
	expect(methods().join(' ')).toMatch(/^GET GET (PUT )+GET PUT/);
});

it('A healthy Create or Update takes one read for fifty cases, and one write for each', async () => {
	clock.stop();
	for (const id of range(1, 60)) put(id);
	rowsOf(await service.run(upsert(OF_ITEM), { items: itemsWith(range(1, 60)) }));
	expect(methods()).toEqual([...Array<string>(2).fill('GET'), ...Array<string>(60).fill('PUT')]);
});

describe('Ask and Wait', () => {
	const ask = {
		...{ resource: 'action', operation: 'sendAndWait', caseId: byId(1) },
		...{ message: 'Isolate?', acceptTextLoss: true },
	};

	it('keeps what another writer adds during the wait before a retry', async () => {
		atWrite(1, () => put(1, A, OTHER), { status: 500 });
		expect((await service.run(ask, { mode: 'trigger' })).status).toBe('waiting');
		expect(labels(1)).toEqual(['a', 'other', 'Isolate?']);
		expect(methods()).toEqual(['GET', 'PUT', 'GET', 'PUT', 'GET']);
	});

	it('does not put its buttons again where the first try was carried out', async () => {
		atWrite(1, () => {}, { status: 500, applied: true });
		expect((await service.run(ask, { mode: 'trigger' })).status).toBe('waiting');
		expect(labels(1)).toEqual(['a', 'Isolate?']);
		expect(writesTo(1)).toBe(1);
	});
});

describe('A case that is planned again before its write', () => {
	const late = (change: () => void, fault: { status?: number; applied?: boolean } = {}) =>
		atWrite(2, change, fault);
	const both = { items: itemsWith([2, 1]) };
	const options = { concurrency: 1 };

	it('fails where a text would get lost now, with a report of the cases that were written', async () => {
		put(1);
		late(() => put(1, OTHER));
		const node = { ...upsert(OF_ITEM), acceptTextLoss: false, options };
		const failure = failureOf(await service.run(node, both));
		expect(failure).toMatchObject({
			message: 'Case 1 has other actions, and their button texts may get lost: "other"',
			item: 1,
		});
		expect(reportOf(failure.description)).toMatchObject({ failed: [1], written: [2] });
		expect(writesTo(1)).toBe(0);
	});

	it('fails alone under Continue On Fail where it is gone', async () => {
		late(() => void service.sandbox.store.deleteCase(120));
		const items = itemsWith([2, 120, 1]);
		const run = await service.run(
			{ ...upsert(OF_ITEM), options },
			{ items, onError: 'continueRegularOutput' },
		);
		expect(run.items.map(({ json }) => json.error ?? json.changed)).toEqual([
			true,
			expect.stringContaining('Case 120 was not found'),
			true,
		]);
		expect(writesTo(120)).toBe(0);
	});

	it('is not written by Delete where its action is gone, and says so', async () => {
		put(1, A, B);
		put(2, B);
		late(() => put(1, A));
		const run = await service.run({ ...remove, caseId: OF_ITEM, options }, both);
		expect(rowsOf(run)).toMatchObject([
			{ changed: true, removed: 1 },
			{ case_id: 1, actions: [{ label: 'a' }], changed: false, removed: 0 },
		]);
		expect(hintsOf(run)).toEqual([
			expect.stringContaining('No action to delete was found in case 1'),
		]);
		expect(writesTo(1)).toBe(0);
	});

	it('is not written by Skip Unchanged where it is as wanted now, and says so', async () => {
		late(() => put(1, B));
		const node = { ...replace, caseId: OF_ITEM, options: { ...options, skipUnchanged: true } };
		expect(rowsOf(await service.run(node, both))).toMatchObject([
			{ changed: true },
			{ case_id: 1, actions: [{ label: 'b' }], changed: false },
		]);
		expect(writesTo(1)).toBe(0);
	});

	it('loses only texts that a hint names', async () => {
		late(() => put(1, OTHER));
		const run = await service.run({ ...upsert(OF_ITEM), options }, both);
		expect(hintsOf(run)).toEqual([expect.stringMatching(/if they had one: "other" \(case 1\)\.$/)]);
	});
});

describe('A retry that finds the case as wanted', () => {
	it('says that it is unknown who did it, where the first try may have been carried out', async () => {
		put(1, A, B);
		atWrite(1, () => {}, { status: 500, applied: true });
		const run = await service.run(remove);
		expect(rowsOf(run)).toMatchObject([
			{ actions: [{ label: 'a' }], changed: null, removed: null },
		]);
		expect(hintsOf(run)).toEqual([expect.stringContaining('lose their button text')]);
		expect(writesTo(1)).toBe(1);
	});

	it('does not delete a similar action instead', async () => {
		const similar = { ...B, label: ' b' };
		put(1, similar, B);
		atWrite(1, () => {}, { status: 500, applied: true });
		rowsOf(await service.run({ ...remove, matchLabel: ' b' }));
		expect(labels(1)).toEqual(['b']);
	});
});

it('A retry that is refused says that the first try may have been carried out', async () => {
	put(1);
	atWrite(1, () => put(1, OTHER), { status: 500 });
	const failure = failureOf(await service.run({ ...upsert(), acceptTextLoss: false }));
	expect(failure.message).toBe('The service failed to answer (500)');
	expect(failure.description).toMatch(
		/may have carried out the write\. It was not retried: Case 1 has other actions,.* Perhaps written: case 1\./,
	);
});

it.each([
	['Replace All', replace, ['b']],
	['Clear', { ...replace, operation: 'clear' }, []],
])('%s sends the same in a retry, without a read', async (_name, node, left) => {
	atWrite(1, () => put(1, A, OTHER), { status: 500 });
	rowsOf(await service.run(node));
	expect(labels(1)).toEqual(left);
	expect(methods().slice(-2)).toEqual(['PUT', 'PUT']);
});
