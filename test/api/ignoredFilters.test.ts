import { adviceOn, refuseIgnoredFilter } from '../../nodes/Cases/api/ignoredFilters';
import type { QueryValue } from '../../nodes/Cases/api/query';
import type { Row } from '../../nodes/Cases/api/types';
import { answering } from './answering';

/** Looks a second time at a service that answers with these cases. */
async function look(filters: Record<string, QueryValue>, cases: Row[], contradicting = 20) {
	const { client, requests } = answering(() => ({ cases, meta: { pages: 1 } }));
	const isEnough = await refuseIgnoredFilter(client, { filters }, { filters }, contradicting);
	return { isEnough, paths: requests.map(({ path }) => decodeURIComponent(path)) };
}
const CLOSED = { case_id: 1, status: 'CLOSED' };
const OPEN = { case_id: 2, status: 'OPEN' };

describe('a filter is taken for ignored', () => {
	it('where all of a page of the cases that were edited longest ago contradict it', async () => {
		await expect(look({ status: 'OPEN' }, [CLOSED, CLOSED])).rejects.toMatchObject({
			message: 'The service ignores the filter status',
			details: {
				description: `It returned 20 cases, and all of them contradict the filter. ${adviceOn('status')}`,
				retryable: false,
			},
		});
	});

	it('only after 20 cases, and then nothing is requested', async () => {
		expect(await look({ status: 'OPEN' }, [CLOSED], 19)).toEqual({ isEnough: false, paths: [] });
	});

	test.each<[string, Row[]]>([
		['none comes', []],
		['the first agrees', [OPEN, CLOSED]],
		['another one agrees', [CLOSED, OPEN]],
	])('not where %s, and that is settled', async (_where, cases) => {
		expect(await look({ status: 'OPEN' }, cases)).toEqual({
			isEnough: true,
			paths: ['/api/v2/cases?filters[status]=OPEN&order=LEAST_RECENTLY_EDITED&per_page=50&page=1'],
		});
	});

	const TIMES = {
		updated_at_start_date: '2026-01-10T12:00:00Z',
		updated_at_end_date: '2026-01-20T12:00:00Z',
	};
	test.each([
		['2026-01-10T00:00:00Z', true],
		['2026-01-09T23:59:59Z', false],
		['2026-01-20T23:59:59Z', true],
		['2026-01-21T00:00:00Z', false],
	])('not where times are compared by days: %s (%s)', async (updated_at, isFine) => {
		const looked = look(TIMES, [{ case_id: 1, updated_at }]).then(
			({ isEnough }) => isEnough,
			() => false,
		);
		expect(await looked).toBe(isFine);
	});
});

test('the advice on an ignored filter names what it is called elsewhere', () => {
	expect(adviceOn('excluded_tags')).toContain('exclude_tags[]');
	expect(adviceOn('status')).toBe(
		"Remove the filter, or try another 'List Format in Requests' in the credential.",
	);
});
