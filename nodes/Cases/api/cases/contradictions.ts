import type { CaseFilters } from './caseQuery';
import type { QueryValue } from '../http/requests';
import { ApiFailure } from '../failures/failure';
import { adviceOn } from '../failures/failureTable';
import type { Client } from '../http/client';
import type { Case, Row } from '../types';

// Law: a case in an answer must agree with the filters for ID, team, status, priority, tags and assignees, because its
// fields show whether it does. A field that the case lacks, or has in an unknown form, contradicts no filter.

const fold = (text: string) => text.normalize().trim().toLowerCase();

/** One field of each object in a list, as text; undefined unless all objects have the field as text or number. */
function fieldsOf(list: unknown, name: string): string[] | undefined {
	if (!Array.isArray(list)) return undefined;
	const values = list.map((entry: Row | null | undefined) => entry?.[name]);
	const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
	return values.every(isText) ? values.map(String) : undefined;
}

/** Returns the values of a case that a filter compares; undefined where the case doesn't show them. */
type Reader = (row: Case) => string[] | undefined;

const tags: Reader = (row) => fieldsOf(row.tags, 'name');
const emails: Reader = (row) => fieldsOf(row.assignees, 'email');

/** The filter `assignees` takes user IDs, e-mail addresses and "unassigned". */
const assignees: Reader = (row) => {
	const ids = fieldsOf(row.assignees, 'user_id');
	return ids?.length === 0 ? ['unassigned'] : ids && [...ids, ...(emails(row) ?? [])];
};

/** For each filter that can be checked: the values of a case, and how many of the filter's values must be among them. */
const CHECKS: Record<string, [read: Reader, wanted: 'all' | 'any' | 'none']> = {
	and_tags: [tags, 'all'],
	tags: [tags, 'all'],
	or_tags: [tags, 'any'],
	excluded_tags: [tags, 'none'],
	// The newer name of the same filter, for Other Filters.
	exclude_tags: [tags, 'none'],
	assignees: [assignees, 'any'],
	assignee_emails: [emails, 'any'],
	unassigned: [assignees, 'any'],
	priority: [(row) => fieldsOf([row], 'priority'), 'any'],
	status: [(row) => fieldsOf([row], 'status'), 'any'],
	team_id: [({ team }) => fieldsOf([team], 'id'), 'any'],
	case_ids: [(row) => fieldsOf([row], 'case_id'), 'any'],
};

function checkOf(name: string, value: QueryValue): (row: Case) => boolean {
	const [read, wanted] = CHECKS[name];
	const values = (Array.isArray(value) ? value : [value]).map(String);
	const folded = new Set(values.map(fold));
	return (row) => {
		const has = read(row);
		if (has === undefined) return false;
		// "vip" and "VIP" may be different tags, so an excluded tag contradicts only in the same letter case.
		if (wanted === 'none') return has.some((text) => values.includes(text));
		const found = new Set(has.map(fold).filter((text) => folded.has(text)));
		return found.size < (wanted === 'all' ? folded.size : 1);
	};
}

function checksOf(query: CaseFilters): Array<[filter: string, check: (row: Case) => boolean]> {
	const { priorities, teamId, caseIds } = query;
	const { unassigned, ...filters } = query.filters;
	const held = Object.entries({
		...filters,
		priority: priorities ?? filters.priority,
		team_id: teamId,
		case_ids: caseIds,
		// The API document doesn't say whether `unassigned: false` means the assigned cases or all, so it is not checked.
		unassigned: unassigned === true ? 'unassigned' : undefined,
	});
	return held.flatMap(([name, value]) =>
		value === undefined || !Object.hasOwn(CHECKS, name) ? [] : [[name, checkOf(name, value)]],
	);
}

/** Returns the name in the API of a filter that a case contradicts, or undefined. */
export type FilterCheck = (row: Case) => string | undefined;

/** Prepares a check of cases against the filters of a query. */
export function createFilterCheck(query: CaseFilters): FilterCheck {
	const checks = checksOf(query);
	return (row) => checks.find(([, contradicts]) => contradicts(row))?.[0];
}

/** Whether the fields of a case can contradict any filter of a query. */
export const isHeldAgainstRows = (query: CaseFilters): boolean => checksOf(query).length > 0;

/**
 * Holds the first page of an answer against the filters of its query.
 * @param most how many cases the list can have, if that is known
 * @throws ApiFailure where the cases show that the service ignores a filter
 */
export function refuseIgnored(
	{ nameFilter }: Pick<Client, 'nameFilter'>,
	check: FilterCheck,
	rows: Case[],
	most = Infinity,
): void {
	const filters = rows.map(check);
	const filter = filters.find((name) => name !== undefined);
	const isIgnored = filters.length > most || (filters.length >= 5 && !filters.includes(undefined));
	if (filter === undefined || !isIgnored) return;
	throw new ApiFailure(`The service ignores the filter ${nameFilter(filter)}`, {
		description: `The cases that it returned contradict the filter. ${adviceOn(filter)}`,
		retryable: false,
	});
}
