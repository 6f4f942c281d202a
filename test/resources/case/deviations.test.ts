import { failureOf, hintsOf, idsOf } from '../../support/runs';
import { useService } from '../../support/service';
import type { Deviations } from '../../../sandbox/deviations';

const service = useService({ cases: 137 });
afterEach(() => service.sandbox.deviate());

const stored = () => [...service.sandbox.store.cases()];
const all = { returnAll: true, order: 'CREATED_ASC' };

describe('A service whose page counts are wrong', () => {
	it.each<[string, Deviations]>([
		['states too few pages', { list: { pagesOff: -2 } }],
		['states one page too many, which is empty', { list: { emptyLastPage: true } }],
		['answers 404 behind the last page', { list: { notFoundBehindLast: true, noMeta: true } }],
	])('loses no case and no row of a limit: it %s', async (_what, deviations) => {
		service.sandbox.deviate(deviations);
		const run = await service.run(all);
		expect(idsOf(run)).toHaveLength(137);
		expect(hintsOf(run).join()).not.toMatch(/kept changing/);
		expect(idsOf(await service.run({ limit: 100 }))).toHaveLength(100);
		expect(service.sandbox.requests.length).toBeLessThan(70);
	});

	it('fails where a page that it stated did not come', async () => {
		service.sandbox.deviate({ list: { repeatedPages: 'all' } });
		const { message, item } = failureOf(await service.run(all));
		expect(message).toMatch(
			/^The service says that there are (at least )?\d+ cases, but it returned \d+$/,
		);
		expect(item).toBe(0);
	});
});

describe('A list that does not change', () => {
	it.each<[string, Deviations]>([
		['a case is dated in the future', { clock: { future: { seconds: 1e8, cases: [5] } } }],
		['the Date header is an hour behind', { clock: { dateOffset: -3600 } }],
		['the Date header stands still', { clock: { dateFrozenAt: '2020-01-01T00:00:00Z' } }],
		['there is no Date header', { clock: { noDate: true } }],
	])('is read without a hint where %s', async (_what, deviations) => {
		service.sandbox.deviate(deviations);
		const run = await service.run(all);
		expect(idsOf(run)).toHaveLength(137);
		expect(hintsOf(run)).toEqual([]);
	});

	it('is read once while other cases are edited', async () => {
		const other = stored().find(({ status }) => status === 'CLOSED')!;
		service.sandbox.faults.add({
			match: { page: 2 },
			fault: {
				kind: 'change',
				run: (store) => void store.updateCase(other.case_id, { name: 'Edited' }),
			},
		});
		const run = await service.run({
			...all,
			filters: { status: 'OPEN' },
			options: { pageSize: 20 },
		});
		expect(hintsOf(run)).toEqual([]);
		const firsts = service.sandbox.requests.filter(({ query }) => query.page === '1');
		// The first page, and the look for edits.
		expect(firsts).toHaveLength(2);
	});
});

describe('A service that ignores a filter', () => {
	it('gets no case with an excluded tag into the output, and a hint names the newer filter', async () => {
		service.sandbox.deviate({ filters: { ignored: ['excluded_tags'] } });
		const tag = stored().flatMap(({ tags }) => tags)[0].name;
		const out = stored().filter(({ tags }) => tags.some(({ name }) => name === tag));
		const run = await service.run({ ...all, filters: { excluded_tags: [tag] } });
		expect(idsOf(run)).toHaveLength(137 - out.length);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(
				new RegExp(`returned cases that contradict the filter 'Tags .None.'.*exclude_tags`),
			),
		);
	});
});
