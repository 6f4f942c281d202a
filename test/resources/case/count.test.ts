import { failureOf, hintsOf, itemsWith, pairsOf, range, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 120 });
const count = { resource: 'case', operation: 'count' };

const open = () =>
	[...service.sandbox.store.cases()].filter(({ status }) => status === 'OPEN').length;

it('Count counts all cases with one request for a page of one case', async () => {
	const run = await service.run(count);
	expect(rowsOf(run)).toEqual([{ count: 120 }]);
	expect(pairsOf(run)).toEqual([[0]]);
	expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
		{ per_page: '1', page: '1' },
	]);
});

it('Count returns the number of cases that match the filters', async () => {
	const filters = { status: 'OPEN', team_id: '1' };
	const run = await service.run({ ...count, filters });
	const expected = [...service.sandbox.store.cases()].filter(
		({ status, team }) => status === 'OPEN' && team.id === 1,
	).length;
	expect(rowsOf(run)).toEqual([{ count: expected }]);
	expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
		{ filters: { status: 'OPEN' }, team_id: '1', per_page: '1', page: '1' },
	]);
});

it('Count returns { count: 0 } without a hint when no case matches', async () => {
	const run = await service.run({ ...count, filters: { search: 'nothing is called so' } });
	expect(rowsOf(run)).toEqual([{ count: 0 }]);
	expect(hintsOf(run)).toEqual([]);
});

it('Count reads the cases where no case comes and the service speaks of some', async () => {
	const meta = { pages: 1, per_page: 1, count: 120 };
	service.sandbox.faults.add({
		fault: { kind: 'raw', status: 200, body: JSON.stringify({ cases: [], meta }) },
	});
	expect(rowsOf(await service.run(count))).toEqual([{ count: 120 }]);
});

it('Count returns 0 without a request for an empty list of Case IDs', async () => {
	const filters = { case_ids: '={{ [] }}' };
	expect(rowsOf(await service.run({ ...count, filters }))).toEqual([{ count: 0 }]);
	expect(service.sandbox.requests).toEqual([]);
});

it('Count takes any number of Case IDs and leaves out those that don’t exist', async () => {
	const filters = { case_ids: [...range(1, 120), 5, 999_999].join(',') };
	expect(rowsOf(await service.run({ ...count, filters }))).toEqual([{ count: 120 }]);
});

const ofPriorities = ['CRITICAL', 'LOW'];
const isOfThem = ({ priority }: { priority: string }) => ofPriorities.includes(priority);
const countOfPriorities = { ...count, filters: { priority: ofPriorities } };

it('Count adds up several priorities with one request for each, and a look for cases that moved', async () => {
	const expected = [...service.sandbox.store.cases()].filter(isOfThem).length;
	expect(rowsOf(await service.run(countOfPriorities))).toEqual([{ count: expected }]);
	const filters = service.sandbox.requests.map(
		({ query }) => query.filters as Record<string, string>,
	);
	expect(filters.map(({ priority }) => priority).sort()).toEqual([...ofPriorities, undefined]);
});

it('Count counts a case once that moves from one priority to the other meanwhile', async () => {
	const { store, faults } = service.sandbox;
	const { case_id } = [...store.cases()].find(({ priority }) => priority === 'CRITICAL')!;
	const expected = [...store.cases()].filter(isOfThem).length;
	faults.add({
		match: { nth: 2 },
		fault: { kind: 'change', run: () => void store.updateCase(case_id, { priority: 'LOW' }) },
	});
	const run = await service.run({ ...countOfPriorities, options: { concurrency: 1 } });
	expect(store.getCase(case_id).priority).toBe('LOW');
	expect(rowsOf(run)).toEqual([{ count: expected }]);
});

test.each([7, 20, 50])(
	'Count reads the last page when the service returns %i cases a page',
	async (size) => {
		// The service uses its own page size, whatever is requested.
		const cases = [...service.sandbox.store.cases()].map(({ case_id }) => ({ case_id }));
		const pages = Math.ceil(cases.length / size);
		const answer = (page: number) => ({
			kind: 'raw' as const,
			status: 200,
			body: JSON.stringify({
				cases: cases.slice((page - 1) * size, page * size),
				meta: { per_page: size, pages },
			}),
		});
		service.sandbox.faults.add(
			{ match: { page: 1 }, fault: answer(1) },
			{ match: { page: pages }, fault: answer(pages) },
			{ match: { page: pages + 1 }, fault: answer(pages + 1) },
		);
		expect(rowsOf(await service.run(count))).toEqual([{ count: 120 }]);
		// A last page that is full is followed by one more request.
		const last = cases.length % size === 0 ? [pages, pages + 1] : [pages];
		expect(service.sandbox.requests.map(({ query }) => query.page)).toEqual(
			[1, ...last].map(String),
		);
	},
);

it('Count reads the cases of a service without page counts, and counts them', async () => {
	service.sandbox.faults.add({ fault: { kind: 'metaMissing' } });
	expect(rowsOf(await service.run(count))).toEqual([{ count: 120 }]);
});

it('Count reports a service that ignores Case IDs instead of a wrong number', async () => {
	service.sandbox.faults.add({ fault: { kind: 'ignoreFilters', filters: ['case_ids'] } });
	const run = await service.run({ ...count, filters: { case_ids: '119' } });
	expect(failureOf(run).message).toBe('The service ignored the filter for case IDs');
});

it('Count requests equal counts of many items once, and returns one to each item, paired', async () => {
	const run = await service.run(
		{ ...count, filters: { status: 'OPEN' } },
		{ items: itemsWith(range(1, 30)) },
	);
	expect(rowsOf(run)).toEqual(range(1, 30).map(() => ({ count: open() })));
	expect(pairsOf(run)).toEqual(range(0, 29).map((item) => [item]));
	expect(service.sandbox.requests).toHaveLength(1);
	expect(hintsOf(run)).toEqual([expect.stringMatching(/^All \d+ input items got the same data/)]);
});

it('Count reports an invalid filter at its own item, without a request for it', async () => {
	const filters = { status: '={{ $json.id }}' };
	const run = await service.run(
		{ ...count, filters },
		{ items: itemsWith(['OPEN', 'SHUT']), onError: 'continueRegularOutput' },
	);
	expect(rowsOf(run)).toEqual([
		{ count: open() },
		{
			error: expect.stringContaining('\'Status\': "SHUT" is not one of OPEN, CLOSED'),
			details: { httpCode: null, body: null },
		},
	]);
	expect(service.sandbox.requests).toHaveLength(1);
});
