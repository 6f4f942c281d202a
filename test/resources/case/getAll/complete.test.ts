import {
	byId,
	failureOf,
	hintsOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	range,
	rowsOf,
} from '../../../support/runs';
import { useService } from '../../../support/service';
import { runAsTool } from '../../../support/tool';

/** What an answer of the service promised comes, or the run fails. */
const service = useService({ cases: 137 });
beforeAll(() => {
	const created_at = '2026-01-20T00:00:00Z';
	const entries = range(1, 120).map((id) => ({ id, results: [], created_at }));
	const group = {
		record_type_id: 1,
		record_type_name: 'Host',
		record_type_record_results: entries,
	};
	service.sandbox.store.updateCase(MANY_RECORDS, { records: [group], updated_at: created_at });
});

/** By the sandbox's data: 61 activities and 60 comments; the other has more records than it carries. */
const [BUSY, MANY_RECORDS] = [7, 11];
const NOT_ALL = /^The service says that there are (at least )?\d+ \w+, but it returned \d+$/;
const allCases = { returnAll: true };
const comments = { resource: 'comment', operation: 'getAll', caseId: byId(BUSY), returnAll: true };
const activities = { ...comments, resource: 'activity' };
const records = { ...comments, resource: 'record', caseId: byId(MANY_RECORDS) };
const inFull = { operation: 'get', caseId: byId(BUSY), output: 'raw' };
const text = { operation: 'digest', caseId: byId(BUSY) };

/** Page 2 is refused, as long as the test lasts. */
function refusePage2(status = 404, path?: string): void {
	const fault = { kind: 'status' as const, status };
	service.sandbox.faults.add({ match: { page: 2, path }, times: 99, fault });
}

describe('A service that refuses page 2', () => {
	test.each([400, 404, 422])('with %i fails the run, and names what is missing', async (status) => {
		refusePage2(status);
		expect(failureOf(await service.run(allCases))).toMatchObject({
			message: 'The service says that there are 137 cases, but it returned 87',
			description: expect.stringContaining("turn on 'Accept Incomplete Lists' under 'Options'"),
			item: 0,
		});
	});

	test.each<[string, Record<string, unknown>]>([
		['cases up to a Limit', { limit: 60 }],
		['comments', comments],
		['comments up to a Limit', { ...comments, returnAll: false, limit: 55 }],
		['activities', activities],
		['activities up to a Limit', { ...activities, returnAll: false, limit: 55 }],
		['records', records],
		['Load in Full', { ...inFull, options: { loadInFull: ['activities'] } }],
		['Get as Text', text],
	])('fails for %s', async (_what, parameters) => {
		refusePage2();
		expect(failureOf(await service.run(parameters)).message).toMatch(NOT_ALL);
	});

	it('fails Count where the cases are read to be counted', async () => {
		const count = { operation: 'count' };
		service.sandbox.deviate({ list: { pageSize: 50 } });
		expect(rowsOf(await service.run(count))).toEqual([{ count: 137 }]);
		refusePage2();
		expect(failureOf(await service.run(count)).message).toMatch(NOT_ALL);
		const options = { acceptIncomplete: true };
		expect(rowsOf(await service.run({ ...count, options }))).toEqual([{ count: 87 }]);
	});

	it('gives null for the comments of a case with Include Comments, and says so', async () => {
		refusePage2(404, '/comments$');
		const filters = { case_ids: '7, 12' };
		const run = await service.run({ filters, options: { includeComments: true } });
		expect(rowsOf(run).map(({ case_id, comments: of }) => [case_id, of === null])).toEqual(
			expect.arrayContaining([
				[7, true],
				[12, false],
			]),
		);
		expect(hintsOf(run)).toEqual([expect.stringContaining('but it returned 50')]);
	});
});

describe('Accept Incomplete Lists', () => {
	const options = { acceptIncomplete: true };

	test.each<[string, Record<string, unknown>, number]>([
		['cases', allCases, 87],
		['comments', comments, 50],
		['activities', activities, 50],
	])('returns the %s that came, with a hint', async (noun, parameters, count) => {
		refusePage2();
		const run = await service.run({ ...parameters, options });
		expect(rowsOf(run)).toHaveLength(count);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				new RegExp(
					`^The service says that there are (at least )?\\d+ ${noun}, but it returned ${count}\\.$`,
				),
			),
		]);
	});

	it('is a last item with a note in a tool of an agent, which sees no hint', async () => {
		refusePage2();
		const whole = { ...allCases, options: { ...options, fullTexts: true } };
		const { items, hints } = await runAsTool(whole, service.credential());
		expect(items).toHaveLength(88);
		expect(items.at(-1)?.json).toEqual({
			note: 'The service says that there are 137 cases, but it returned 87.',
		});
		expect(hints).toEqual([]);
	});

	it('is told to an agent also where nothing is left', async () => {
		service.sandbox.deviate({ rows: { fields: [{ path: 'status', value: 'CLOSED' }] } });
		const open = [...service.sandbox.store.cases()].find(({ status }) => status === 'OPEN');
		const filters = { status: 'OPEN', case_ids: String(open?.case_id) };
		const { items } = await runAsTool({ filters }, service.credential());
		expect(items.map(({ json }) => json)).toEqual([
			{ result: 'No case found' },
			{ note: expect.stringContaining("the filter 'Status'") as string },
		]);
	});

	it('changes nothing where all came', async () => {
		const run = await service.run({ ...allCases, options });
		expect(rowsOf(run)).toHaveLength(137);
		expect(hintsOf(run)).toEqual([]);
	});
});

it('Get of fifty cases of which one is refused returns 49, and one error item', async () => {
	const { faults } = service.sandbox;
	// Those with case 1: of 50 cases, 25, 13, 7, 4, 2, and of it alone. The second is a look without IDs.
	for (const nth of [1, ...range(3, 8)]) {
		faults.add({ match: { nth }, fault: { kind: 'status', status: 422 } });
	}
	const run = await service.run(
		{ operation: 'get', caseId: OF_ITEM, options: { concurrency: 1 } },
		{ items: itemsWith(range(1, 50)), onError: 'continueErrorOutput' },
	);
	expect(run.items).toHaveLength(49);
	expect(idsOf(run)).toEqual(range(2, 50));
	expect(run.errorItems.map(({ json }) => json)).toMatchObject([{ details: { httpCode: 422 } }]);
});

describe('A request of a list that is not allowed', () => {
	const concurrency = 3;
	const parameters = { returnAll: true, options: { concurrency, pageSize: 1 } };

	/** How many requests were sent after the second of page 1, which is not allowed. */
	async function sentAfter(filters: object) {
		service.sandbox.faults.add(
			{ match: { page: 1, nth: 2 }, fault: { kind: 'status', status: 403 } },
			{ fault: { kind: 'latency', ms: 5 } },
		);
		const run = await service.run({ ...parameters, filters });
		expect(failureOf(run)).toMatchObject({ httpCode: '403' });
		const at = service.sandbox.requests.map(({ query }) => query.page).lastIndexOf('1');
		// Meanwhile requests that the list still sends would arrive.
		await service.run({ limit: 50, options: { pageSize: 1 } });
		return service.sandbox.requests.length - 50 - (at + 1);
	}

	it('ends the other requests of the list, as when it looks for moved rows', async () => {
		expect(await sentAfter({})).toBeLessThanOrEqual(concurrency);
	});

	it('ends those of the lists of other priorities', async () => {
		const sent = await sentAfter({ priority: ['CRITICAL', 'HIGH'] });
		expect(sent).toBeLessThanOrEqual(concurrency);
	});
});
