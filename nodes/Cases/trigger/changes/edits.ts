import { formatTimestamp, FAR_FUTURE } from '../../api/timestamps';
import { caseIdentity } from '../../api/identity';
import { fetchAskedCases } from '../../api/cases';
import type { Client } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import type { CaseFilters } from '../../api/cases';
import { encodeQuery, MAX_URL_LENGTH, type Query } from '../../api/query';
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

/** The cases that the user gave by ID. */
export function givenIds({ query }: TriggerQuery): string[] | undefined {
	return query.filters.case_ids as string[] | undefined;
}

/** Characters of a URL that are left for what the trigger itself asks for. */
const OWN_PARAMETERS = 300;

/** The user's filters, without the case IDs where these are too many for a URL: then {@link createPicker} picks. */
function filtersToSend({ client, query }: TriggerQuery): Query['filters'] {
	const { filters, team_id } = query;
	const { length } = encodeQuery({ filters, team_id }, client.tenant.arrayFormat);
	if (length + OWN_PARAMETERS <= MAX_URL_LENGTH) return filters;
	return Object.fromEntries(Object.entries(filters).filter(([name]) => name !== 'case_ids'));
}

/** Tells whether a case is looked at: where cases are given by ID, these alone. */
export function createPicker(query: TriggerQuery): (row: Case) => boolean {
	const ids = givenIds(query);
	if (ids === undefined) return () => true;
	const given = new Set(ids);
	return (row) => given.has(caseIdentity(row));
}

async function fetchMatching(
	query: TriggerQuery,
	{ filters, ...rest }: Query,
): Promise<Page<Case>> {
	return await fetchAskedCases(query.client, {
		...rest,
		filters: { ...filtersToSend(query), ...filters },
		team_id: query.query.team_id,
	});
}

/** Fetches cases edited at a time or later, and checks that the service heeded it: else every case would be an event. */
export async function fetchEdits(
	query: TriggerQuery,
	from: Seconds,
	page: number,
): Promise<Page<Case>> {
	const edits = await fetchMatching(query, {
		filters: {
			updated_at_start_date: formatTimestamp(from * 1000),
			updated_at_end_date: FAR_FUTURE,
		},
		order: 'LEAST_RECENTLY_EDITED',
		per_page: query.pageSize,
		page,
	});
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
	return await fetchMatching(query, { order: 'RECENTLY_EDITED', per_page: 1, page: 1 });
}
