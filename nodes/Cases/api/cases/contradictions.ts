import type { CaseFilters } from './caseQuery';
import type { QueryValue } from '../http/requests';
import { ApiFailure } from '../failures/failure';
import { adviceOn } from '../failures/failureTable';
import type { Case, Row } from '../types';

// Law: a case that comes agrees with the filters that its own fields can be held against: ID, team, status, priority, tags
// and assignees. What it doesn't carry, or carries in another form, contradicts nothing.

const fold = (text: string) => text.normalize().trim().toLowerCase();

/** One field of each object in a list, as text; undefined unless all of them have it. */
function fieldsOf(list: unknown, name: string): string[] | undefined {
	if (!Array.isArray(list)) return undefined;
	const values = list.map((entry: Row | null | undefined) => entry?.[name]);
	const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
	return values.every(isText) ? values.map(String) : undefined;
}

/** What a case has for a filter, where that is known. */
type Reader = (row: Case) => string[] | undefined;

const tags: Reader = (row) => fieldsOf(row.tags, 'name');
const emails: Reader = (row) => fieldsOf(row.assignees, 'email');

/** The service takes e-mail addresses and "unassigned" besides user IDs. */
const assignees: Reader = (row) => {
	const ids = fieldsOf(row.assignees, 'user_id');
	return ids?.length === 0 ? ['unassigned'] : ids && [...ids, ...(emails(row) ?? [])];
};

/** By the API's names: what a case has, and how many of the wanted values that must be. */
const CHECKS: Record<string, [read: Reader, wanted: 'all' | 'any' | 'none']> = {
	and_tags: [tags, 'all'],
	tags: [tags, 'all'],
	or_tags: [tags, 'any'],
	excluded_tags: [tags, 'none'],
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
		// A service may take "vip" for another tag than "VIP", so only the same text contradicts.
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
		// A switch that is off may ask for the assigned cases, or for all: the API document leaves it open.
		unassigned: unassigned === true ? 'unassigned' : undefined,
	});
	return held.flatMap(([name, value]) =>
		value === undefined || !Object.hasOwn(CHECKS, name) ? [] : [[name, checkOf(name, value)]],
	);
}

/**
 * Prepares a function that holds a case against the filters of a query.
 * @returns a function that returns the API's name of a filter that a case contradicts; undefined for none
 */
export function createFilterCheck(query: CaseFilters): (row: Case) => string | undefined {
	const checks = checksOf(query);
	return (row) => checks.find(([, contradicts]) => contradicts(row))?.[0];
}

/** Whether cases can be held against any of the filters. */
export const isHeldAgainstRows = (query: CaseFilters): boolean => checksOf(query).length > 0;

/** The failure where cases contradict a filter as if it weren't there. @param name what messages call the filter */
export function ignoredFilter(filter: string, name: string): ApiFailure {
	return new ApiFailure(`The service ignores the filter ${name}`, {
		description: `The cases that it returned contradict the filter. ${adviceOn(filter)}`,
		retryable: false,
	});
}
