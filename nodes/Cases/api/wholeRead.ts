import type { ReadEntries } from './observed';
import { openList, type OpenList } from './openList';
import {
	mergePages,
	rowsOn,
	sumUnusable,
	type KeptPage,
	type ListSource,
	type ReadOptions,
} from './pages';
import type { ListEvidence } from './stability';
import type { Row } from './types';

/**
 * Requests the last row of the first page as a page of one. Its page count is the exact total, and its row shows
 * whether the first page has moved.
 * @returns undefined where the service doesn't make pages of one row
 */
async function probeFirstPage({ readPage, rowsPerPage }: OpenList): Promise<KeptPage | undefined> {
	const probe = await readPage(rowsPerPage, 1);
	return probe.meta.perPage === 1 && probe.entries.length <= 1 ? probe : undefined;
}

/**
 * Reads the planned pages, the last one after all others, so that it shows the total at the end, and then those that
 * were not planned.
 * @returns the total at the end; undefined where the planned page was not the last one
 */
async function readPlanned(list: OpenList, planned: number): Promise<number | undefined> {
	await list.readTo(planned - 1);
	if (!list.isAtEnd()) await list.readTo(planned);
	const last = list.pages[planned - 1];
	const expected = list.rowsRead();
	await list.readOn();
	const endedAsPlanned = last !== undefined && list.rowsRead() === expected;
	return endedAsPlanned
		? (planned - 1) * list.rowsPerPage + last.entries.length + last.unusable
		: undefined;
}

function isSameLastRow(first: KeptPage, probe: KeptPage): boolean {
	return probe.entries.length === 1 && probe.entries[0].id === first.entries.at(-1)?.id;
}

/**
 * When reading began: the earliest time that an answer states, as the clock may be set back meanwhile.
 * @returns undefined where the first answer states none
 */
function startOf([first, ...others]: KeptPage[]): number | undefined {
	return others.reduce(
		(time, { servedAt = Infinity }) => time && Math.min(time, servedAt),
		first.servedAt,
	);
}

/** One list, read once. */
export interface WholeRead extends ReadEntries {
	repeated: number;
	evidence: ListEvidence;
	/** When reading began, by the service's own clock. */
	startedAt?: number;
	isSinglePage: boolean;
	/** Whether reading stopped because the same rows kept coming. */
	isRepeating: boolean;
	/** How many rows there are at least by the page counts, where pages with nothing but known rows ended the read early. */
	leastRows: number;
}

/**
 * Reads all pages once and gathers evidence of whether the list was stable meanwhile: first page, probe, the other
 * pages, last page. Costs one request more than there are pages, none more for a single page; and one more where the
 * last page is full.
 */
export async function readWhole<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<WholeRead> {
	const list = await openList(source, options);
	const { pages } = list;
	const [first] = pages;
	const { meta } = first;
	const isMoreStated = meta.pages !== undefined && list.statesMore() && !list.isAtEnd();
	const probe = isMoreStated ? await probeFirstPage(list) : undefined;
	const totalBefore = probe?.meta.pages ?? meta.total;
	const planned =
		probe === undefined ? meta.pages : Math.ceil((probe.meta.pages ?? 0) / list.rowsPerPage);
	let totalAfter: number | undefined;
	if (isMoreStated && planned !== undefined && planned > 1) {
		totalAfter = await readPlanned(list, planned);
	} else {
		await list.readOn();
	}

	const merged = mergePages(pages);
	const startedAt = startOf(pages);
	const later = [...(probe?.entries ?? []), ...pages.slice(1).flatMap(({ entries }) => entries)];
	return {
		...merged,
		unusable: sumUnusable(pages),
		evidence: {
			rowsRead: merged.entries.size,
			totalBefore,
			totalAfter,
			isFirstPageKept: probe && isSameLastRow(first, probe),
			rowsDatedSince: startedAt && later.filter(({ changedAt }) => changedAt >= startedAt).length,
		},
		startedAt,
		isSinglePage: list.isSinglePage(),
		isRepeating: list.isRepeating(),
		leastRows: isMoreStated && rowsOn(pages[pages.length - 1]) > 0 ? list.leastRows() : 0,
	};
}
