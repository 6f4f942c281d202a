import { isStable, type ListEvidence } from '../../nodes/Cases/api/stability';

/** A read of seven rows on several planned pages, during which nothing changed. */
const STABLE: ListEvidence = {
	rowsRead: 7,
	totalBefore: 7,
	totalAfter: 7,
	isFirstPageKept: true,
	rowsDatedSince: 0,
};

describe('whether a list without an edit was stable while it was read', () => {
	it.each<[string, ListEvidence]>([
		['nothing changed', STABLE],
		[
			'nothing changed and the total came without a page of one',
			{ ...STABLE, isFirstPageKept: undefined },
		],
	])('is stable when %s', (_case, evidence) => {
		expect(isStable(evidence)).toBe(true);
	});

	it.each<[string, ListEvidence]>([
		['the first page moved', { ...STABLE, isFirstPageKept: false }],
		['a row was read that is dated since the start', { ...STABLE, rowsDatedSince: 1 }],
		['fewer rows were read than there were', { ...STABLE, rowsRead: 6 }],
		['more rows were read than there were', { ...STABLE, rowsRead: 8 }],
		['the total fell, though as many rows were read', { ...STABLE, totalAfter: 6 }],
		['total and rows agree after a deletion', { ...STABLE, rowsRead: 6, totalAfter: 6 }],
		['the planned page was not the last one', { ...STABLE, totalAfter: undefined }],
		['the total before is not known', { ...STABLE, totalBefore: undefined }],
		['no total is known', { ...STABLE, totalBefore: undefined, totalAfter: undefined }],
		['the time is not known', { ...STABLE, rowsDatedSince: undefined }],
	])('is not stable when %s', (_case, evidence) => {
		expect(isStable(evidence)).toBe(false);
	});
});
