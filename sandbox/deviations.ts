import { ApiError } from './errors';
import { randomOf } from './random';
import type { CaseStore } from './store';
import type { Case } from './types';

/** Which cases a deviation hits: these, or about this share (0 to 1), always the same ones. Without either: all. */
interface Hit {
	cases?: readonly number[];
	share?: number;
}

export type ListName =
	| ('cases' | 'comments' | 'activities' | 'records' | 'actions')
	| ('tasks' | 'linked_cases' | 'fields' | 'files');

/** By what a service may differ from the strict sandbox. */
export interface Deviations {
	/** What lists answer for a page, and what they say about it. */
	list?: {
		/** The size of the pages, whatever is requested. */
		pageSize?: number;
		/** Larger pages than this are truncated to it. */
		largestPage?: number;
		/** Members of `meta` with any value; those that are undefined are missing. */
		meta?: Record<string, unknown>;
		noMeta?: boolean;
		/** 404 behind the last page, in place of an empty one. */
		notFoundBehindLast?: boolean;
		/** Recently edited cases come first, whatever is requested. */
		orderIgnored?: boolean;
	};
	filters?: {
		/** Filters that are read and not heeded. */
		ignored?: readonly string[];
		/** A range begins after its start, not at it. */
		startExclusive?: boolean;
		/** Ranges compare days (UTC), not times. */
		byDay?: boolean;
	};
	/** Offsets are in seconds; a positive one is ahead. */
	clock?: {
		/** No Date header. */
		noDate?: boolean;
		dateOffset?: number;
		/** The Date header always says this moment. */
		dateFrozenAt?: string;
		/** How times in rows are written. */
		format?: 'offset' | 'milliseconds';
	};
	rows?: {
		/** Fields that are missing or have another value, in rows of `list` (cases). */
		fields?: ReadonlyArray<Hit & { list?: ListName; path: string; value?: unknown }>;
		/** How many seconds after its timestamp an edit becomes visible; until then the case is as before. */
		lateEdits?: Hit & { seconds: number };
		/** How many seconds after their timestamp comments and activities become visible. */
		lateComments?: Hit & { seconds: number };
		/** Lists of some cases that answer with an error. */
		failing?: ReadonlyArray<Hit & { list: ListName; status: number }>;
	};
}

/** All members of all groups; of those with one name the last one counts. */
export function merged(all: readonly Deviations[]): Deviations {
	const result: Record<string, object> = {};
	for (const [group, members] of all.flatMap((one) => Object.entries(one))) {
		result[group] = { ...result[group], ...members };
	}
	return result;
}

export function isHit({ cases, share }: Hit, caseId: number): boolean {
	if (cases && !cases.includes(caseId)) return false;
	return share === undefined || randomOf(caseId).chance(share);
}

/** The Date header of an answer at this moment; undefined if it has none. */
export function dateHeader({ clock = {} }: Deviations, now: Date): string | undefined {
	const { noDate, dateFrozenAt, dateOffset = 0 } = clock;
	if (noDate) return undefined;
	return new Date(dateFrozenAt ?? now.getTime() + dateOffset * 1000).toUTCString();
}

/** @throws ApiError if this list of this case is set to fail */
export function failWhereSet({ rows }: Deviations, list: ListName, caseId: number): void {
	const failing = rows?.failing?.find((one) => one.list === list && isHit(one, caseId));
	if (failing) throw new ApiError(failing.status, `The ${list} can't be read`);
}

/**
 * How the service sees a case at this moment: as it was before, where edits show late; not at all while it doesn't show yet.
 *
 * @returns undefined if the service sees the cases as they are
 */
export function viewOf(store: CaseStore, { rows }: Deviations) {
	const { lateEdits, lateComments } = rows ?? {};
	if (!lateEdits && !lateComments) return undefined;
	const now = store.now().getTime();
	const before = ({ seconds }: { seconds: number }) => now - seconds * 1000;
	return (found: Case) => {
		let seen: Case | undefined = found;
		if (lateEdits && isHit(lateEdits, found.case_id)) {
			seen = store.versionAt(found.case_id, before(lateEdits));
		}
		if (seen && lateComments && isHit(lateComments, seen.case_id)) {
			const activities = seen.activities();
			const shown = activities.filter((one) => Date.parse(one.created_at) <= before(lateComments));
			seen = { ...seen, activities: () => shown };
		}
		return seen;
	};
}

/** @param caseId of the case that the list belongs to; without it the rows are cases */
export function deviatingRows(
	{ rows, clock }: Deviations,
	name: ListName,
	items: object[],
	caseId?: number,
): object[] {
	const patches = rows?.fields?.filter(({ list = 'cases' }) => list === name) ?? [];
	const format = clock?.format;
	if (patches.length === 0 && !format) return items;
	return items.map((item) => {
		const row = JSON.parse(JSON.stringify(item), (key, value: unknown) =>
			format && key.endsWith('_at') && typeof value === 'string' ? FORMATS[format](value) : value,
		) as Record<string, unknown>;
		for (const patch of patches) {
			if (!isHit(patch, caseId ?? Number(row.case_id))) continue;
			if ('value' in patch) row[patch.path] = patch.value;
			else delete row[patch.path];
		}
		return row;
	});
}

const FORMATS = {
	offset: (iso: string) => iso.replace(/Z$/, '+00:00'),
	milliseconds: (iso: string) => new Date(iso).toISOString(),
};
