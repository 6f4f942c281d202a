import type { CaseFilters } from './caseQuery';
import type { QueryValue } from './query';
import { FAR_FUTURE, parseTimestamp } from './timestamps';
import { PRIORITIES, STATUSES, type Case } from './types';

/**
 * Whether a case contradicts one filter. What the case doesn't carry, or carries in an odd form, contradicts nothing, and
 * where the API document leaves open how a value is compared, the case gets the benefit of the doubt.
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

const isOpen = hasOneOf('status', 'OPEN');

/** No period has the resolution of an open case that says it has none. Of a closed one it may only be unknown. */
function ofResolution(check: (value: QueryValue) => Check): (value: QueryValue) => Check {
	return (value) => {
		const isOutside = check(value);
		return (row) => isOutside(row) || (row.resolved_at === null && isOpen(row));
	};
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
	return ({ tags }) => {
		const names = fieldsOf(tags, 'name');
		return names !== undefined && !names.some(isWanted);
	};
}

/** A service may take "vip" for another tag than "VIP", so only the same text contradicts. */
function noTag(value: QueryValue): Check {
	const unwanted = valuesOf(value);
	return ({ tags }) =>
		Array.isArray(tags) && tags.some((tag) => unwanted.includes(fieldOf(tag, 'name') ?? ''));
}

function unassigned(): Check {
	return ({ assignees }) => (fieldsOf(assignees, 'user_id') ?? []).length > 0;
}

/** Newer services take e-mail addresses and "unassigned" besides user IDs. */
function assignees(value: QueryValue): Check {
	const isWanted = oneOf(value);
	const isUnassignedWanted = isWanted('unassigned');
	return (row) => {
		const ids = fieldsOf(row.assignees, 'user_id');
		if (ids === undefined) return false;
		if (ids.length === 0) return !isUnassignedWanted;
		return ![...ids, ...(fieldsOf(row.assignees, 'email') ?? [])].some(isWanted);
	};
}

function assigneeEmails(value: QueryValue): Check {
	const isWanted = oneOf(value);
	return (row) => {
		const emails = fieldsOf(row.assignees, 'email');
		return emails !== undefined && !emails.some(isWanted);
	};
}

function authorEmails(value: QueryValue): Check {
	const isWanted = oneOf(value);
	return ({ author }) => {
		const email = fieldOf(author, 'email');
		return email !== undefined && !isWanted(email);
	};
}

function metadata(value: QueryValue): Check {
	if (!Array.isArray(value)) return () => false;
	const wanted = (value as Array<[key: string, value: string]>).map((pair) => pair.map(fold));
	return (row) => {
		if (typeof row.metadata !== 'object' || row.metadata === null) return false;
		const entries = Object.entries(row.metadata).map(([key, entry]) => [fold(key), entry] as const);
		return wanted.some(([key, text]) => {
			const values = entries.filter(([name]) => name === key).map(([, entry]) => entry);
			const isOther = (entry: unknown) => typeof entry !== 'object' && fold(String(entry)) !== text;
			// A service may find a key that isn't there inside other entries, and a pair without a value may stand for none.
			return text !== '' && values.length > 0 && values.every(isOther);
		});
	};
}

/** Filters have whole seconds. */
const secondOf = (value: unknown) => Math.floor(parseTimestamp(value) / 1000);

/** The last second that a timestamp stands for: a date alone is a whole day. */
function lastSecondOf(value: unknown): number {
	const isDay = typeof value === 'string' && value.trim().length === '2026-01-31'.length;
	return secondOf(value) + (isDay ? 86_399 : 0);
}

function from(field: 'updated_at' | 'resolved_at') {
	return (value: QueryValue): Check => {
		const start = secondOf(value);
		return (row) => lastSecondOf(row[field]) < start;
	};
}

function until(field: 'updated_at' | 'resolved_at') {
	return (value: QueryValue): Check => {
		if (value === FAR_FUTURE) return () => false;
		const end = secondOf(value);
		return (row) => secondOf(row[field]) > end;
	};
}

/** Filters that a case can be held against, by the API's names. */
const CHECKS: Record<string, (value: QueryValue) => Check> = {
	and_tags: allTags,
	tags: allTags,
	or_tags: anyTag,
	excluded_tags: noTag,
	unassigned,
	assignees,
	assignee_emails: assigneeEmails,
	author_emails: authorEmails,
	metadata,
	priority: named('priority', PRIORITIES),
	status: named('status', STATUSES),
	updated_at_start_date: from('updated_at'),
	updated_at_end_date: until('updated_at'),
	resolved_at_start_date: ofResolution(from('resolved_at')),
	resolved_at_end_date: ofResolution(until('resolved_at')),
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
 * Prepares a function that holds a case against the filters of a query. A service can ignore a filter that it doesn't
 * know, or find cases by an index that lags behind.
 * @returns a function that returns the API's name of a filter that a case contradicts; undefined for none
 */
export function createFilterCheck(query: CaseFilters): (row: Case) => string | undefined {
	const { filters, priorities, teamId, caseIds } = query;
	const held = { ...filters, ...(priorities === undefined ? {} : { priority: priorities }) };
	const checks: Array<[name: string, check: Check]> = Object.entries(held)
		.filter(([name]) => Object.hasOwn(CHECKS, name))
		.map(([name, value]) => [name, CHECKS[name](value)]);
	if (teamId !== undefined) checks.push(['team_id', isOfOtherTeam(teamId)]);
	if (caseIds !== undefined) checks.push(['case_ids', hasOtherId(caseIds)]);
	return (row) => checks.find(([, contradicts]) => contradicts(row))?.[0];
}
