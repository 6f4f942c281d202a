import type { CaseFilters } from './caseQuery';
import type { QueryValue } from './query';
import { ApiFailure } from './failure';
import { PRIORITIES, STATUSES, type Case } from './types';

/**
 * Law: a case that comes must agree with the filters that its own fields can be held against: ID, team, status,
 * priority, tags and assignees. What the case doesn't carry, or carries in another form, contradicts nothing.
 */
type Check = (row: Case) => boolean;

const fold = (text: string) => text.normalize().trim().toLowerCase();

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function fieldOf(value: unknown, name: string): string | undefined {
	const isObject = typeof value === 'object' && value !== null;
	return isObject ? textOf((value as Record<string, unknown>)[name]) : undefined;
}

/** One field of each object in a list; undefined unless all of them have it. */
function fieldsOf(list: unknown, name: string): string[] | undefined {
	if (!Array.isArray(list)) return undefined;
	const texts = list.map((entry) => fieldOf(entry, name));
	return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** The values of a filter, which may have one or several. */
const valuesOf = (value: QueryValue) => (Array.isArray(value) ? value : [value]).map(String);

/** Whether a text is one of the values; most are the same letter by letter, which is faster to see. */
function oneOf(value: QueryValue): (text: string) => boolean {
	const exact = valuesOf(value);
	const folded = exact.map(fold);
	return (text) => exact.includes(text) || folded.includes(fold(text));
}

type Named = 'status' | 'priority';

/** Whether a case has one of the values, whatever the case of their letters. */
export function hasOneOf(field: Named, value: QueryValue): (row: Case) => boolean {
	const isOneOf = oneOf(value);
	return ({ [field]: text }) => typeof text === 'string' && isOneOf(text);
}

/** A field that has one of the values that the document names. */
function named(field: Named, known: readonly string[]) {
	const isKnown = hasOneOf(field, [...known]);
	return (value: QueryValue): Check => {
		const isWanted = hasOneOf(field, value);
		return (row) => !isWanted(row) && isKnown(row);
	};
}

function allTags(value: QueryValue): Check {
	const wanted = valuesOf(value).map(oneOf);
	return ({ tags }) => {
		const names = fieldsOf(tags, 'name');
		return names !== undefined && !wanted.every((isWanted) => names.some(isWanted));
	};
}

function anyTag(value: QueryValue): Check {
	const isWanted = oneOf(value);
	return ({ tags }) => fieldsOf(tags, 'name')?.some(isWanted) === false;
}

/** A service may take "vip" for another tag than "VIP", so only the same text contradicts. */
function noTag(value: QueryValue): Check {
	const unwanted = valuesOf(value);
	return ({ tags }) =>
		Array.isArray(tags) && tags.some((tag) => unwanted.includes(fieldOf(tag, 'name') ?? ''));
}

/** A switch that is off asks for the assigned cases, or for all: the API document leaves it open. */
function unassigned(value: QueryValue): Check {
	return ({ assignees }) => value === true && (fieldsOf(assignees, 'user_id') ?? []).length > 0;
}

/** The service takes e-mail addresses and "unassigned" besides user IDs. */
function assignees(value: QueryValue): Check {
	const isWanted = oneOf(value);
	return (row) => {
		const ids = fieldsOf(row.assignees, 'user_id');
		if (ids === undefined) return false;
		if (ids.length === 0) return !isWanted('unassigned');
		return ![...ids, ...(fieldsOf(row.assignees, 'email') ?? [])].some(isWanted);
	};
}

function assigneeEmails(value: QueryValue): Check {
	const isWanted = oneOf(value);
	return (row) => fieldsOf(row.assignees, 'email')?.some(isWanted) === false;
}

/** By the API's names. */
const CHECKS: Record<string, (value: QueryValue) => Check> = {
	and_tags: allTags,
	tags: allTags,
	or_tags: anyTag,
	excluded_tags: noTag,
	unassigned,
	assignees,
	assignee_emails: assigneeEmails,
	priority: named('priority', PRIORITIES),
	status: named('status', STATUSES),
};

function isOfOtherTeam(teamId: string): Check {
	return ({ team }) => {
		const id = fieldOf(team, 'id');
		return id !== undefined && id.trim() !== teamId;
	};
}

function hasOtherId(caseIds: string[]): Check {
	const wanted = new Set(caseIds);
	return ({ case_id }) => {
		const id = textOf(case_id);
		return id !== undefined && !wanted.has(id.trim());
	};
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

function checksOf({ filters, priorities, teamId, caseIds }: CaseFilters): Array<[string, Check]> {
	const held = { ...filters, ...(priorities === undefined ? {} : { priority: priorities }) };
	const checks: Array<[name: string, check: Check]> = Object.entries(held)
		.filter(([name]) => Object.hasOwn(CHECKS, name))
		.map(([name, value]) => [name, CHECKS[name](value)]);
	if (teamId !== undefined) checks.push(['team_id', isOfOtherTeam(teamId)]);
	if (caseIds !== undefined) checks.push(['case_ids', hasOtherId(caseIds)]);
	return checks;
}

/** The failure where all cases contradict a filter. @param name what messages call the filter */
export function ignoredFilter(filter: string, name: string, count: number): ApiFailure {
	return new ApiFailure(`The service ignores the filter ${name}`, {
		description: `It returned ${count} cases, and all of them contradict the filter. ${adviceOn(filter)}`,
		retryable: false,
	});
}

/** What to try where a filter has no effect. */
export function adviceOn(filter: string): string {
	return filter === 'excluded_tags'
		? "Newer versions of the service call it exclude_tags: remove 'Tags (None)' and add exclude_tags[] under 'Other Filters'."
		: "Remove the filter, or try another 'List Format in Requests' in the credential.";
}
