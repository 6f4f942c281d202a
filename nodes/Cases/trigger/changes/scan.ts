import { caseIdentity } from '../../api/identity';
import type { Case, Page } from '../../api/types';
import { packVersion, secondsOf, versionOf, type Seconds } from './state';

/** Fetches a page of the cases edited at a time or later, the least recently edited first. */
export type FetchEdits = (from: Seconds, page: number) => Promise<Page<Case>>;

function lastSecond({ rows }: Page<Case>): Seconds {
	return secondsOf(rows[rows.length - 1]?.updated_at, 'updated_at');
}

/**
 * Reads the cases edited since a time, in the order of their edits, each version once, page by page.
 *
 * A case that is edited meanwhile moves to the end, so page numbers would skip the case that takes its place. Instead
 * the start moves to the last edit read, whose second is read again. Only within one second that fills a page are page
 * numbers used, and the second is read again until it has nothing new. Where the reader stops, the next scan can start.
 */
export async function* scanEdits(
	fetchEdits: FetchEdits,
	start: Seconds,
): AsyncGenerator<Page<Case>, void, void> {
	const known = new Set<string>();
	const fresh = (page: Page<Case>): Page<Case> => {
		const rows = page.rows.filter((row) => {
			const key = `${caseIdentity(row)} ${packVersion(versionOf(row))}`;
			const isKnown = known.has(key);
			known.add(key);
			return !isKnown;
		});
		return { ...page, rows };
	};
	const isEnd = ({ rows, meta }: Page<Case>, number: number) =>
		rows.length === 0 || (number >= (meta.pages ?? Infinity) && !meta.hasNextPage);

	let from = start;
	for (;;) {
		const page = await fetchEdits(from, 1);
		yield fresh(page);
		if (isEnd(page, 1)) return;
		const last = lastSecond(page);
		if (last > from) {
			from = last;
			continue;
		}
		// One second fills the page.
		for (let found = 1; found > 0; ) {
			found = 0;
			for (let number = 1; ; number++) {
				const further = await fetchEdits(from, number);
				const newer = fresh(further);
				found += newer.rows.length;
				yield newer;
				const isPast = isEnd(further, number) || lastSecond(further) > from;
				if (isPast) break;
			}
		}
		from++;
	}
}
