/** What one read of a whole list saw. A fact is undefined where the service doesn't state it. */
export interface ListEvidence {
	/** Rows read, each counted once. */
	rowsRead: number;
	/** Rows in the list just after its first page was read. */
	totalBefore?: number;
	/** Rows in the list when its last page was read, after all others; undefined where it was not the last one. */
	totalAfter?: number;
	/** Whether the first page still ended with the same row just after it was read. */
	isFirstPageKept?: boolean;
	/** Rows read after the first page whose own dates say that they changed since the first request. */
	rowsDatedSince?: number;
}

/** What is known about the changes during a read. */
export interface ListDrift {
	/** Rows edited since the first request, as the service counts them after the last page. */
	edited?: number;
	totalBefore?: number;
	totalAfter?: number;
}

/**
 * Decides whether a list on several pages that had no edit was stable while it was read, so that no row was missed
 * between two pages. What the service doesn't state is not taken for unchanged.
 *
 * A row that left the list changes the total, unless another one came. That one was edited or created meanwhile: it is
 * among the edits, or, where it left again after it was read, betrayed by its own date.
 */
export function isStable(evidence: ListEvidence): boolean {
	const { rowsRead, totalBefore, totalAfter, isFirstPageKept = true, rowsDatedSince } = evidence;
	const isTotalKept = rowsRead === totalBefore && totalBefore === totalAfter;
	return isTotalKept && isFirstPageKept && rowsDatedSince === 0;
}
