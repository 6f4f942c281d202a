import { isStable, type ListEvidence } from '../../nodes/Cases/api/stability';

/** A read of seven rows on several planned pages, during which nothing changed. */
const STABLE: ListEvidence = {
	rowsRead: 7,
	totalBefore: 7,
	totalAfter: 7,
	endedAsPlanned: true,
	isFirstPageKept: true,
	edited: 0,
	rowsDatedSince: 0,
};

const PAGE_BY_PAGE = { totalAfter: undefined, endedAsPlanned: undefined };
const NO_PAGES_OF_ONE = { totalBefore: undefined, isFirstPageKept: undefined };
const NO_TIME = { edited: undefined, rowsDatedSince: undefined };

describe('whether a list was stable while it was read', () => {
	it.each<[string, ListEvidence]>([
		['nothing changed', STABLE],
		['it fits into one page', { rowsRead: 7 }],
		['it is empty', { rowsRead: 0 }],
		['nothing changed and it was read page by page', { ...STABLE, ...PAGE_BY_PAGE }],
		['nothing changed and edits can not be counted', { ...STABLE, edited: undefined }],
		['nothing changed and the service tells no time', { ...STABLE, ...NO_TIME }],
		['nothing changed and the total before is unknown', { ...STABLE, ...NO_PAGES_OF_ONE }],
		[
			'it went on after the planned pages and the total before is unknown',
			{ ...STABLE, ...NO_PAGES_OF_ONE, totalAfter: undefined, endedAsPlanned: false },
		],
		[
			'it was read page by page and neither totals nor time are known',
			{ rowsRead: 7, ...PAGE_BY_PAGE, ...NO_PAGES_OF_ONE, ...NO_TIME },
		],
	])('is stable when %s', (_case, evidence) => {
		expect(isStable(evidence)).toBe(true);
	});

	it.each<[string, ListEvidence]>([
		['the first page moved', { ...STABLE, isFirstPageKept: false }],
		['a row was edited', { ...STABLE, edited: 1 }],
		['a row was edited and nothing else is known', { rowsRead: 7, edited: 1 }],
		['a row was read that is dated since the start', { ...STABLE, rowsDatedSince: 1 }],
		['only the date of a row is known', { rowsRead: 7, rowsDatedSince: 1 }],
		['fewer rows were read than there were', { ...STABLE, rowsRead: 6 }],
		['more rows were read than there were', { ...STABLE, rowsRead: 8 }],
		['the total fell, though as many rows were read', { ...STABLE, totalAfter: 6 }],
		['the total rose, though as many rows were read', { ...STABLE, totalAfter: 8 }],
		['total and rows agree after a deletion', { ...STABLE, rowsRead: 6, totalAfter: 6 }],
		[
			'it went on after the planned pages',
			{ ...STABLE, totalAfter: undefined, endedAsPlanned: false },
		],
		['it was read page by page and a row is missing', { ...STABLE, ...PAGE_BY_PAGE, rowsRead: 6 }],
		['it was read page by page and has a row more', { ...STABLE, ...PAGE_BY_PAGE, rowsRead: 8 }],
	])('is not stable when %s', (_case, evidence) => {
		expect(isStable(evidence)).toBe(false);
	});
});
