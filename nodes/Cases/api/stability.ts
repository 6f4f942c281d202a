/**
 * What one read of a whole list saw. A fact is undefined where the service doesn't state it, or where a list of a single
 * page made it needless to ask.
 */
export interface ListEvidence {
	/** Rows read, each counted once. */
	rowsRead: number;
	/** Rows in the list just after its first page was read. */
	totalBefore?: number;
	/** Rows in the list when its last page was read, after all others. */
	totalAfter?: number;
	/** Whether the page planned as the last one was the last one; undefined where there was no plan. */
	endedAsPlanned?: boolean;
	/** Whether the first page still ended with the same row just after it was read. */
	isFirstPageKept?: boolean;
	/** Rows edited since the first request, as the service counts them after the last page. */
	edited?: number;
	/** Rows read after the first page whose own dates say that they changed since the first request. */
	rowsDatedSince?: number;
}

/** What is known about the changes during a read that was not stable. */
export type ListDrift = Pick<ListEvidence, 'edited' | 'totalBefore' | 'totalAfter'>;

function isTotalUnchanged(evidence: ListEvidence): boolean {
	const { rowsRead, totalBefore, totalAfter = totalBefore, endedAsPlanned = true } = evidence;
	if (totalBefore === undefined) return true;
	return rowsRead === totalBefore && totalAfter === totalBefore && endedAsPlanned;
}

/**
 * Decides whether a list was stable while it was read, so that no row was missed between two pages.
 *
 * A deleted row changes the total, and every other change is an edit. So with the same total and no edit, no row moved.
 * A row that came, was read in place of another one and was deleted again is betrayed by its own date.
 */
export function isStable(evidence: ListEvidence): boolean {
	const { isFirstPageKept = true, edited = 0, rowsDatedSince = 0 } = evidence;
	return isFirstPageKept && isTotalUnchanged(evidence) && edited === 0 && rowsDatedSince === 0;
}
