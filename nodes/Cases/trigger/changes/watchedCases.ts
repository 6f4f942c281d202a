import { readDetails, readListOfCase } from '../../api/cases/listsOfCase';
import type { CaseFilters, CaseOrder } from '../../api/cases/caseQuery';
import {
	countCases,
	fetchCases,
	MOST_ADDED,
	readCases,
	readCasesById,
	roomInUrl,
} from '../../api/cases/cases';
import type { Client } from '../../api/http/client';
import { createFilterCheck } from '../../api/cases/contradictions';
import { ApiFailure } from '../../api/failures/failure';
import { caseIdentity } from '../../api/identity';
import { isRefusal } from '../../api/lists/source';
import { FAR_FUTURE, formatTimestamp } from '../../api/timestamps';
import type { Activity, Case, Page } from '../../api/types';
import { secondOf } from './state';
import type { EditTimes, Place, Seconds } from './window';

/** A case in the list of edits, which has the cases in the order of their last edit. */
export interface Edit {
	row: Case;
	/** The ID of the case or, where it has none, its content. */
	id: string;
	edited: Seconds;
}

/** The events of new comments and activities. */
export type EntryEvent = 'commentAdded' | 'activityAdded';

export const isEntryEvent = (event: string): event is EntryEvent =>
	event === 'commentAdded' || event === 'activityAdded';

/** A page of the list of edits. */
type EditsPage = EditTimes & {
	edits: Edit[];
	/** When the service answered, by its Date header. */
	said?: Seconds;
};

/** The cases that a trigger watches, as it reads them from the service. Each reader throws an ApiFailure. */
export type WatchedCases = ReturnType<typeof watchCases>;

/**
 * The cases that match filters. The filters must not limit the time of edits, which the trigger does itself.
 * @param listsAll whether the list of edits also has cases that don't match, to find out which cases start or stop matching
 */
export function watchCases(
	client: Client,
	filters: CaseFilters,
	pageSize: number,
	listsAll: boolean,
) {
	// Filters that aren't sent, but checked by `includes`: several priorities, which would take a request each, and IDs that
	// leave too little room in the URL.
	const sent = { ...filters, priorities: undefined };
	if (roomInUrl(client, filters) < MOST_ADDED) sent.caseIds = undefined;
	const listed = listsAll ? { filters: {}, caseIds: sent.caseIds } : sent;
	const includes = createInclusion(client, filters, sent);
	return {
		map: client.map,
		listsAll,
		/** The IDs in the filter Case IDs; undefined without this filter. */
		ids: filters.caseIds,
		/** Whether a listed case can be watched. A service may ignore a filter, and not all filters are sent. */
		includes: (row: Case): boolean => listsAll || includes(row),
		fetchEdits: async (place: Place): Promise<EditsPage> =>
			await fetchEdits(client, listed, place, pageSize),
		/** Reads the first twenty matching cases in an order. @param status replaces the status in the filters, if given */
		readFirst: async (order: CaseOrder, status?: 'CLOSED'): Promise<Case[]> => {
			const limits = { ...filters.filters, ...(status && { status }) };
			const query = { ...filters, filters: limits, order };
			return (await readCases(client, query, { limit: 20, pageSize, shape: (row) => row })).rows;
		},
		/** Fetches the ten cases edited last: more than one, because some may be dated ahead. With `listsAll`, they need not match. */
		fetchLastEdited: async (): Promise<Page> =>
			await fetchCases(client, { ...listed, order: 'RECENTLY_EDITED' }, 1, 10),
		countMatching: async () => (await countCases(client, filters, { pageSize })).count,
		/** @throws ApiFailure also once `isTimeUp` */
		readMatching: async (isTimeUp = () => false): Promise<string[]> => {
			const query = { ...filters, order: 'CREATED_ASC' } as const;
			const shape = ({ case_id }: Case) => ({ case_id });
			const send: Client['send'] = async (request) => {
				if (!isTimeUp()) return await client.send(request);
				throw new ApiFailure('The time of the poll is up', { description: '', retryable: true });
			};
			const { rows } = await readCases({ ...client, send }, query, { pageSize, shape });
			return rows.map(caseIdentity);
		},
		/** Returns those of the given cases that match, by ID. Requests send the IDs together with the filters. */
		among: async (ids: string[]): Promise<Map<string, Case>> => {
			const query = { ...sent, caseIds: ids, order: 'CREATED_ASC' } as const;
			const { rows } = await readCases(client, query, { pageSize, shape: (row) => row });
			return new Map(rows.filter(includes).map((row: Case) => [caseIdentity(row), row]));
		},
		readById: async (ids: string[]): Promise<Map<string, Case>> =>
			await readCasesById(client, ids, pageSize),
		/** Reads the comments or activities of a case. For activities it sends requests only if the row may lack some. */
		readEntries: async (event: EntryEvent, row: Case): Promise<Activity[]> => {
			const { rows } =
				event === 'commentAdded'
					? await readListOfCase(client, caseIdentity(row), 'comments', { pageSize })
					: await readDetails(client, row, 'activities');
			return rows as Activity[];
		},
	};
}

/** Creates the check whether a case matches all filters. It warns once of each sent filter that the service ignores. */
function createInclusion({ nameFilter, log }: Client, filters: CaseFilters, sent: CaseFilters) {
	const [contradictsAny, contradictsSent] = [filters, sent].map(createFilterCheck);
	const warned = new Set<string>();
	return (row: Case): boolean => {
		const ignored = contradictsSent(row);
		if (ignored !== undefined && !warned.has(ignored)) {
			log?.warn(`Left out cases that contradict the filter ${nameFilter(ignored)}`);
			warned.add(ignored);
		}
		return contradictsAny(row) === undefined;
	};
}

/** A service may compare days instead of times. It then also returns edits up to a day before the requested time. */
const DAY: Seconds = 86_400;

/**
 * Fetches one page of the cases that were edited at a time or later, in the order of their last edit. Rows without a usable
 * time of edit are left out.
 * @throws ApiFailure also where the service ignored the time or the order, because otherwise every case would be an event
 */
async function fetchEdits(
	client: Client,
	listed: CaseFilters,
	{ from, page, backwards }: Place,
	pageSize: number,
): Promise<EditsPage> {
	const isOneSecond = backwards === 'count' || backwards === 'second';
	const filters = {
		...listed.filters,
		updated_at_start_date: formatTimestamp(from * 1000),
		updated_at_end_date: isOneSecond ? formatTimestamp((from + 1) * 1000) : FAR_FUTURE,
	};
	const query = { ...listed, filters, order: 'LEAST_RECENTLY_EDITED' } as const;
	const fetching = fetchCases(client, query, page, pageSize);
	const { rows, meta, servedAt } = await fetching.catch((failure: unknown): Page => {
		// The page is behind the last one, because cases have left the list since it was counted.
		if (page > 1 && isRefusal(failure)) return { rows: [], meta: { hasNextPage: false } };
		throw failure;
	});
	const edits = rows.flatMap((row) => {
		const edited = secondOf(row.updated_at);
		return edited === undefined ? [] : [{ row, id: caseIdentity(row), edited }];
	});
	const times = edits.map(({ edited }) => edited);
	const isDescending = times[0] > times[times.length - 1];
	if (isDescending || times.some((time) => time < from - DAY)) {
		throw new ApiFailure('The service ignored the requested time or order of changes', {
			description:
				"The trigger needs the filter updated_at_start_date and the order LEAST_RECENTLY_EDITED. Ask the service's administrator why they have no effect.",
			retryable: false,
		});
	}
	const said = servedAt === undefined ? undefined : servedAt / 1000;
	return { edits, times, pages: meta.pages, said };
}
