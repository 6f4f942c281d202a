import { hintsOf, itemsWith, pairsOf, range, rowsOf } from '../../support/runs';
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

it('Count returns the number of cases that match the filters, with a full page to hold against them', async () => {
	const filters = { status: 'OPEN', team_id: '1' };
	const run = await service.run({ ...count, filters });
	const expected = [...service.sandbox.store.cases()].filter(
		({ status, team }) => status === 'OPEN' && team.id === 1,
	).length;
	expect(rowsOf(run)).toEqual([{ count: expected }]);
	expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
		{ filters: { status: 'OPEN' }, team_id: '1', per_page: '50', page: '1' },
		{ filters: { status: 'OPEN' }, team_id: '1', per_page: '1', page: '1' },
	]);
});

it('Count returns { count: 0 } without a hint when no case matches', async () => {
	const run = await service.run({ ...count, filters: { search: 'nothing is called so' } });
	expect(rowsOf(run)).toEqual([{ count: 0 }]);
	expect(hintsOf(run)).toEqual([]);
});

const ofPriorities = ['CRITICAL', 'LOW'];
const isOfThem = ({ priority }: { priority: string }) => ofPriorities.includes(priority);
const countOfPriorities = { ...count, filters: { priority: ofPriorities } };

it('Count adds up several priorities with two requests for each', async () => {
	const expected = [...service.sandbox.store.cases()].filter(isOfThem).length;
	expect(rowsOf(await service.run(countOfPriorities))).toEqual([{ count: expected }]);
	const filters = service.sandbox.requests.map(
		({ query }) => query.filters as Record<string, string>,
	);
	expect(filters.map(({ priority }) => priority).sort()).toEqual(
		[...ofPriorities, ...ofPriorities].sort(),
	);
});

it('Count requests equal counts of many items once, and returns one to each item, paired', async () => {
	const run = await service.run(
		{ ...count, filters: { status: 'OPEN' } },
		{ items: itemsWith(range(1, 30)) },
	);
	expect(rowsOf(run)).toEqual(range(1, 30).map(() => ({ count: open() })));
	expect(pairsOf(run)).toEqual(range(0, 29).map((item) => [item]));
	expect(service.sandbox.requests).toHaveLength(2);
	expect(hintsOf(run)).toEqual([expect.stringContaining('Execute Once')]);
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
	expect(service.sandbox.requests).toHaveLength(2);
});
