import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Fault } from '../../sandbox';
import { byId, failureOf } from '../support/runs';
import { faultsOf, useFaultedService } from './support/faultedService';

// A service that drops, delays and refuses answers can't get two cases out of one item, nor two of anything that a case
// holds, and nothing is called done that isn't. More of them: `CREATIONS_RUNS=5000 npx jest test/robustness/creations.property`.

const RUNS = Number(process.env.CREATIONS_RUNS ?? 60);
const TIMEOUT = 60;

const service = useFaultedService(RUNS, ['case-writes', 'newer-requests']);

const applied = fc.boolean();
const fault: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({ kind: fc.constant('drop' as const), applied }),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(408, 425, 500, 502, 503, 504),
		applied,
	}),
	// Who refuses a request or puts it off hasn't carried it out.
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(400, 401, 403, 404, 405, 409, 422, 429),
	}),
	fc.constantFrom<Fault>(
		{ kind: 'reset' },
		{ kind: 'truncatedJson' },
		{ kind: 'html' },
		{ kind: 'empty' },
		{ kind: 'raw', status: 200, body: '{}', applied: true },
		{ kind: 'raw', status: 201, body: '{"case_id":1,"id":1}', applied: false },
		{ kind: 'raw', status: 204, body: '', applied: true },
		{ kind: 'redirect', status: 307, to: 'https://elsewhere.example/' },
		{ kind: 'latency', ms: 3 * TIMEOUT },
	),
);

const run = fc.record({
	faults: faultsOf(fault, { freq: 4, maxLength: 6 }),
	items: fc.integer({ min: 1, max: 4 }),
	concurrency: fc.constantFrom<number>(1, 8),
	goesOn: fc.boolean(),
	maxRetries: fc.constantFrom<number>(0, 3),
});

type Drawn = typeof run extends fc.Arbitrary<infer T> ? T : never;

let names = 0;

/** Runs an operation over items with these names under the faults. @returns what each item was told */
async function tryIt(drawn: Drawn, parameters: { [name: string]: unknown; options?: object }) {
	const { faults, items, concurrency, goesOn, maxRetries } = drawn;
	const given = Array.from({ length: items }, () => `New ${names++}`);
	const options = { ...parameters.options, concurrency, maxRetries, timeout: TIMEOUT };
	const ended = await service.run({ ...parameters, options }, faults, {
		items: given.map((name) => ({ name })),
		...(goesOn ? { onError: 'continueRegularOutput' as const } : {}),
	});
	await service.settle();
	return { given, ended };
}

/** How many of the texts are this one, which must be at most one. */
function countOnce(texts: string[], text: string): number {
	const count = texts.filter((one) => one === text).length;
	expect(count).toBeLessThanOrEqual(1);
	return count;
}

const tryAll = async (check: (drawn: Drawn) => Promise<void>) =>
	await fc.assert(fc.asyncProperty(run, check), { numRuns: RUNS });

it('A service can’t get two cases out of one item', async () => {
	await tryAll(async (drawn) => {
		const parameters = { resource: 'case', operation: 'create', teamId: byId(1) };
		const { given, ended } = await tryIt(drawn, { ...parameters, name: '={{ $json.name }}' });
		const made = [...service.sandbox.store.cases()].map(({ name }) => name);
		const counts = given.map((name) => countOnce(made, name));
		if (ended.status === 'error') {
			const told = String(failureOf(ended).description);
			const done = /Written: items? ([^.]*)\./.exec(told)?.[1].match(/\(case \d+\)/g) ?? [];
			const all = counts.reduce((sum, count) => sum + count, 0);
			if (all > done.length) expect(told).toMatch(/may still arrive|Perhaps written/);
			return;
		}
		ended.items.forEach(({ json }, item) => {
			// An invented answer can name any case.
			if (json.error === undefined && json.name !== null) expect(counts[item]).toBe(1);
		});
	});
});

/** Something that is created on a case: its parameters, what the case has of it, and what the output says of it. */
interface Creation {
	parameters: (caseId: number) => { [name: string]: unknown; options?: object };
	made: (caseId: number) => string[];
	said: (row: IDataObject) => unknown;
}

const ofItem = '={{ $json.name }}';
/** The values of the records of a case; all of them are of the type Host. */
const recordsOf = (id: number) =>
	service.sandbox.store
		.getCase(id)
		.records()
		.flatMap((group) => group.record_type_record_results)
		.flatMap(({ results }) => results.map(({ value }) => value));

const CREATIONS: Record<string, Creation> = {
	comments: {
		parameters: () => ({ resource: 'comment', text: ofItem }),
		made: (id) => service.sandbox.store.comments(id).map(({ value }) => value),
		said: ({ text }) => text,
	},
	tasks: {
		parameters: () => ({ resource: 'task', description: ofItem }),
		made: (id) =>
			service.sandbox.store
				.getCase(id)
				.tasks()
				.map(({ description }) => description),
		said: ({ description }) => description,
	},
	files: {
		parameters: () => ({ resource: 'file', operation: 'upload', options: { fileName: ofItem } }),
		made: (id) =>
			service.sandbox.store
				.getCase(id)
				.activities()
				.flatMap(({ file }) => file?.filename ?? []),
		said: ({ file_name }) => file_name,
	},
	records: {
		parameters: () => ({
			...{ resource: 'record', recordTypeId: byId(12) },
			recordFields: { field: [{ field: 1200, value: ofItem }] },
		}),
		made: recordsOf,
		said: ({ hostname }) => hostname,
	},
};

it.each(Object.entries(CREATIONS))(
	'A service can’t get two %s out of one item',
	async (_name, { parameters, made, said }) => {
		await tryAll(async (drawn) => {
			const { case_id } = service.sandbox.store.createCase();
			const on = { operation: 'create', caseId: byId(case_id), ...parameters(case_id) };
			const { given, ended } = await tryIt(drawn, on);
			const there = made(case_id);
			const counts = given.map((text) => countOnce(there, text));
			if (ended.status === 'error') return;
			ended.items.forEach(({ json }, item) => {
				if (said(json) === given[item]) expect(counts[item]).toBe(1);
			});
		});
	},
);

/** The bodies of the POSTs that the service didn't put off. */
const posts = () =>
	service.sandbox.requests.filter(({ method, status }) => method === 'POST' && status !== 429);

it('A link of cases is sent once, and called made only if it is', async () => {
	await tryAll(async (drawn) => {
		const [first, second] = [
			service.sandbox.store.createCase(),
			service.sandbox.store.createCase(),
		];
		const parameters = { operation: 'link', caseId: byId(first.case_id) };
		const { ended } = await tryIt(
			{ ...drawn, items: 1 },
			{ ...parameters, linkedCaseIds: second.case_id },
		);
		expect(posts().length).toBeLessThanOrEqual(1);
		if (ended.status === 'error' || ended.items[0].json.linked_cases === undefined) return;
		expect(service.sandbox.store.getCase(first.case_id).linked_case_ids).toEqual([second.case_id]);
	});
});

it('A record that is added to a case again and again is there once', async () => {
	await tryAll(async (drawn) => {
		const [from, to] = [service.sandbox.store.createCase(), service.sandbox.store.createCase()];
		const at = { record_type_id: 12, record_type_name: 'Host' };
		const entry = { id: service.sandbox.store.nextId(), results: [], created_at: from.created_at };
		service.sandbox.store.editContent(from.case_id, {
			records: [{ ...at, record_type_record_results: [entry] }],
		});
		const parameters = { resource: 'record', operation: 'link', caseId: byId(to.case_id) };
		const { ended } = await tryIt(drawn, { ...parameters, recordId: entry.id });
		const there = service.sandbox.store
			.getCase(to.case_id)
			.records()
			.flatMap((group) => group.record_type_record_results.map(({ id }) => id));
		expect([[], [entry.id]]).toContainEqual(there);
		const isDone = ended.status !== 'error' && ended.items.some(({ json }) => json.linked);
		// The service answers 204, without a body that could show whether it added the record.
		const cannotTell = drawn.faults.some((one) => one?.kind === 'raw' && one.applied === false);
		if (isDone && !cannotTell) expect(there).toEqual([entry.id]);
	});
});
