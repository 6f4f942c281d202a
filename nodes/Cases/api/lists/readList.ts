// Law of this folder: if a row that an answer of the run promised doesn't come, the run fails.

import { ApiFailure } from '../failures/failure';
import { ACCEPT_INCOMPLETE } from '../failures/failureTable';
import type { Row } from '../types';
import { OneRead } from './oneRead';
import type { Entry, ListSource, Reading, ReadLimits, ReadOptions } from './source';

const MAX_READS = 4;

/** What was unusual while lists were read. Hints show it to the user. */
export interface Observed {
	/** Number of times the lists were read. */
	reads: number;
	/** Whether more rows match than the limit allows. */
	isTruncated: boolean;
	/** How many rows match, where the limit left some out. Not exact if computed from a number of pages. */
	matches?: { count: number; isExact: boolean };
	/** Whether the lists changed in each read, so that all reads were merged. */
	keptChanging?: true;
	/** The message about rows that did not come, where the user accepts incomplete lists. */
	incomplete?: string;
	/** How many rows were left out because they contradict a filter, by the filter's name in the API. */
	contradicting?: Record<string, number>;
}

export interface ListResult {
	rows: Row[];
	observed: Observed;
}

/** Reads all lists once. `isSettled`: the read surely has every row that stayed in the lists all the while. */
async function readEach(sources: ListSource[], options: Reading) {
	const { limit, pool } = options;
	const lists = await pool.map(sources.length, async (index) =>
		limit === undefined
			? await OneRead.readAll(sources[index], options)
			: await OneRead.readFirst(sources[index], options),
	);
	const entries =
		lists.length === 1 ? lists[0].entries() : new Map(lists.flatMap((list) => [...list.entries()]));
	const areShort = await pool.map(lists.length, async (index) => await lists[index].isShort());
	const isShort = areShort.includes(true);
	const isSettled =
		!isShort &&
		(limit !== undefined || (await areStable(sources, lists, entries, options.canRowsMove)));
	return { lists, entries, isShort, isSettled };
}

type Attempt = Awaited<ReturnType<typeof readEach>>;

/** Whether the read surely missed no row, although rows may have moved meanwhile. */
async function areStable(
	sources: ListSource[],
	lists: OneRead[],
	entries: Map<string, Entry>,
	canRowsMove = false,
): Promise<boolean> {
	const longer = lists.filter(({ proof }) => proof !== 'single');
	if (longer.some(({ proof }) => proof === undefined)) return false;
	const isByCreation = sources.every((source) => source.isByCreation);
	if (!canRowsMove && (isByCreation || longer.length === 0)) return true;

	const times = lists.flatMap(({ first }) => first.servedAt ?? []);
	const startedAt = Math.min(...times);
	const isUnchanged = ({ changedAt }: Entry) => changedAt === undefined || changedAt < startedAt;
	if (times.length < lists.length || longer.some(({ proof }) => proof === 'in place')) return false;
	if (![...entries.values()].every(isUnchanged)) return false;
	for (const { countEditedSince } of sources) {
		if ((await countEditedSince?.(startedAt)) !== 0) return false;
	}
	return true;
}

const idsIn = ({ entries }: Attempt) => [...entries.keys()].join('\n');

/**
 * Reads several lists as one. A row that is in them from the first request to the last is in the result exactly once.
 *
 * A read is final if it shows that nothing moved, or if it has the same rows as the read before. Otherwise the lists are
 * read again, at most three times. If no read is final, all of them are merged.
 * @throws ApiFailure when a page can't be read, when the service ignores a filter, or when rows that an answer promised
 * did not come
 */
export async function readList(sources: ListSource[], options: ReadOptions): Promise<ListResult> {
	const reading = { ...options, inLine: options.pool.lineOfReads() };
	let merged = new Map<string, Entry>();
	let before: Attempt | undefined;
	for (let reads = 1; ; reads++) {
		const read = await readEach(sources, reading);
		const isSame = before !== undefined && idsIn(before) === idsIn(read);
		const isFinal = read.isSettled || (isSame && !read.isShort);
		const vanished = [...merged].filter(([id]) => !read.entries.has(id));
		merged = isFinal ? read.entries : new Map([...read.entries, ...vanished]);
		before = read;
		if (!isFinal && !isSame && reads < MAX_READS) continue;

		const failure = read.isShort
			? incompleteList(sources[0].noun, read, merged.size, isSame, options)
			: undefined;
		if (failure !== undefined && options.acceptIncomplete !== true) throw failure;
		const entries = [...merged.values()];
		if (options.isReordered) entries.reverse();
		// The rows of a single settled list keep the service's order. Rows with the same key keep theirs.
		if (!isFinal || sources.length > 1) entries.sort((a, b) => a.key - b.key);
		const rows = entries.flatMap(({ row }) => (row === undefined ? [] : [row]));
		return {
			rows: rows.slice(0, options.limit),
			observed: {
				reads,
				...observeTruncation(read, rows.length, options.limit),
				...(isFinal || failure ? {} : { keptChanging: true }),
				...(failure ? { incomplete: failure.message } : {}),
			},
		};
	}
}

/** The failure of lists that lack promised rows; undefined where they kept changing, and enough rows came in all reads. */
function incompleteList(
	noun: string,
	{ lists }: Attempt,
	came: number,
	isSame: boolean,
	{ acceptIncomplete }: Pick<ReadLimits, 'acceptIncomplete'>,
): ApiFailure | undefined {
	const sum = (count: (list: OneRead) => number) =>
		lists.reduce((rows, list) => rows + count(list), 0);
	const trouble = lists.map((list) => list.trouble).find((text) => text !== '');
	const least = sum(({ promised }) => promised.least);
	if (trouble === undefined && !isSame && least <= came) return undefined;
	const stated = sum(({ atEnd, promised }) => atEnd.stated ?? promised.most);
	const isExact = stated === least || lists.every(({ atEnd }) => atEnd.stated !== undefined);
	const message =
		stated > came
			? `The service says that there are ${isExact ? '' : 'at least '}${stated} ${noun}, but it returned ${came}`
			: `The service did not return all ${noun}, only ${came}`;
	const description = [
		trouble ?? `It may count ${noun} that the API key can't see.`,
		'Run again.',
		acceptIncomplete === undefined
			? "If it keeps happening, contact the service's administrator."
			: ACCEPT_INCOMPLETE,
	].join(' ');
	return new ApiFailure(message, { description, retryable: false });
}

function observeTruncation(
	{ lists }: Attempt,
	found: number,
	limit = Infinity,
): Pick<Observed, 'isTruncated' | 'matches'> {
	const isTruncated =
		found > limit || lists.some((list) => list.found === limit && list.mayHaveMore());
	const matches = lists.length === 1 && isTruncated ? lists[0].matches() : undefined;
	return matches === undefined ? { isTruncated } : { isTruncated, matches };
}
