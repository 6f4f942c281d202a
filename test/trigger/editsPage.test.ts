import { ApiFailure } from '../../nodes/Cases/api/failure';
import { readEditsPage } from '../../nodes/Cases/trigger/changes/editsPage';
import type { Case, Page } from '../../nodes/Cases/api/types';
import { START } from './world';

const NOON = START / 1000;
const DAY = 86_400;

const rowAt = (second: number, index = 0): Case => ({
	case_id: index + 1,
	updated_at: new Date((NOON + second) * 1000).toISOString(),
});
const undated = (index: number): Case => ({ case_id: index + 1, updated_at: 'soon' });

/** Reads a page of edits from noon on. */
function read(rows: Case[], { meta = {}, servedAt }: { meta?: object; servedAt?: number } = {}) {
	const lines: string[] = [];
	const page = { rows, meta: { hasNextPage: false, ...meta }, servedAt } as Page<Case>;
	const edits = readEditsPage(page, NOON, 3, (line) => void lines.push(line));
	return { ...edits, lines };
}
const readTimes = (...seconds: number[]) => read(seconds.map(rowAt));

describe('a page of edits', () => {
	it('has the version of each row, and what the service says of the list', () => {
		const page = read([rowAt(5)], {
			meta: { pages: 4, hasNextPage: true },
			servedAt: (NOON + 7) * 1000,
		});
		expect(page).toMatchObject({ pages: 4, hasNextPage: true, servedAt: NOON + 7, undated: [] });
		expect(page.edits).toEqual([
			{ row: rowAt(5), version: expect.objectContaining({ id: 1, edited: NOON + 5 }) },
		]);
		expect(page.lines).toEqual([]);
		expect(readTimes(5).servedAt).toBeUndefined();
	});

	it('leaves out rows without a time, and names them', () => {
		const page = read([undated(0), rowAt(5, 1), undated(2)]);
		expect(page.edits.map(({ row }) => row.case_id)).toEqual([2]);
		expect(page.undated).toEqual([1, 3]);
		expect(page.lines).toEqual(['Skipped case 1 and 1 other: updated_at is not a time']);
	});

	it('is refused where none of twenty rows has a time', () => {
		const rows = Array.from({ length: 20 }, (_, index) => undated(index));
		expect(() => read(rows)).toThrow('The service sent "soon" as updated_at, which is not a time');
		expect(read(rows.slice(1)).undated).toHaveLength(19);
		expect(read([...rows, rowAt(5, 20)]).undated).toHaveLength(20);
	});

	it.each([
		[2, {}, false],
		[3, {}, true],
		[2, { perPage: 2 }, true],
		[1, { perPage: 2 }, false],
		[3, { perPage: 9 }, true],
	])('with %i of 3 rows is full with %j: %s', (count, meta, isFull) => {
		const rows = Array.from({ length: count }, (_, index) => rowAt(index, index));
		expect(read(rows, { meta }).isFull).toBe(isFull);
	});

	it.each([
		[[1, 2, 2, 3], false],
		[[1, 3, 2], true],
		[[3, 1, 2], true],
		[[5], false],
		[[], false],
	])('at %j is out of order: %s', (seconds, isUnordered) => {
		expect(readTimes(...seconds).isUnordered).toBe(isUnordered);
	});

	it.each([
		['the other order', [3, 2, 2, 1]],
		['an edit of more than a day before', [-DAY - 1, 5]],
	])('is refused with %s', (_what, seconds) => {
		const failure = (() => {
			try {
				return readTimes(...seconds);
			} catch (error) {
				return error as ApiFailure;
			}
		})();
		expect(failure).toMatchObject({
			message: 'The service ignored the requested time or order of changes',
			details: {
				description: expect.stringContaining('updated_at_start_date') as string,
				retryable: false,
			},
		});
	});

	it.each([[[2, 2, 2]], [[-DAY, 5]]])('is taken at %j', (seconds) => {
		expect(readTimes(...seconds).edits).toHaveLength(seconds.length);
	});
});
