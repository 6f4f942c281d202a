import { fetchCases, roomInUrl, type CaseFilters, type CaseQuery } from '../../api/caseQuery';
import type { Client } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import { caseIdentity } from '../../api/identity';
import { FAR_FUTURE, formatTimestamp } from '../../api/timestamps';
import type { Case, Page } from '../../api/types';
import { editedAt, type Seconds } from './state';

/** What a trigger looks at. */
export interface TriggerQuery {
	client: Client;
	/** Without the filters on edit times, which the trigger sets itself. */
	query: CaseFilters;
	pageSize: number;
	/** Comments are looked at too. */
	withComments: boolean;
	/** New versions of cases that one poll takes at most; the rest is for the next one. */
	maxCases: number;
	/** Whether the poll's time is up. */
	isTimeUp: () => boolean;
}

/** Characters of a URL that are left for the path and for what the trigger adds. */
const RESERVED = 300;

/** The user's filters, without the case IDs where these are too many for a URL: then {@link createPicker} picks. */
function filtersToSend({ client, query }: TriggerQuery): CaseFilters {
	return roomInUrl(client, query) >= RESERVED ? query : { ...query, caseIds: undefined };
}

/** Tells whether a case is looked at: where cases are given by ID, these alone. */
export function createPicker(query: TriggerQuery): (row: Case) => boolean {
	const { caseIds } = query.query;
	if (caseIds === undefined) return () => true;
	const given = new Set(caseIds);
	return (row) => given.has(caseIdentity(row));
}

/** Fetches cases edited at a time or later, and checks that the service heeded it: else every case would be an event. */
export async function fetchEdits(
	query: TriggerQuery,
	from: Seconds,
	page: number,
): Promise<Page<Case>> {
	const watched = filtersToSend(query);
	const filters = {
		...watched.filters,
		updated_at_start_date: formatTimestamp(from * 1000),
		updated_at_end_date: FAR_FUTURE,
	};
	const edited: CaseQuery = { ...watched, filters, order: 'LEAST_RECENTLY_EDITED' };
	const edits = await fetchCases(query.client, edited, page, query.pageSize);
	const times = edits.rows.map(editedAt);
	const isHeeded = times.every((time, index) => time >= (times[index - 1] ?? from));
	if (isHeeded) return edits;
	throw new ApiFailure('The service ignored the time or the order of edits that was asked for', {
		description:
			'The trigger asks for cases by updated_at_start_date in the order LEAST_RECENTLY_EDITED. Ask those who run the service why it answers otherwise.',
		retryable: false,
	});
}

/** Fetches the case that was edited last. */
export async function fetchLastEdited(query: TriggerQuery): Promise<Page<Case>> {
	return await fetchCases(
		query.client,
		{ ...filtersToSend(query), order: 'RECENTLY_EDITED' },
		1,
		1,
	);
}
