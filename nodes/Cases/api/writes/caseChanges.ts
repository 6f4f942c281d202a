import { isObject } from '../json';
import { formatTimestamp, parseTimestamp } from '../timestamps';
import type { Case, Row } from '../types';
import type { CaseUpdate } from './caseWrites';

/** What an update does to a case: the fields that it names, before and after. */
export interface CaseChange {
	before: Row;
	after: Row;
	/** Whether a field differs; one that the case doesn't show counts as such. */
	changed: boolean;
}

/** The texts in a list of a case; undefined where the case has no such list. */
const textsOf = (list: unknown, field: string) =>
	Array.isArray(list) ? list.map((one) => String(isObject(one) ? one[field] : one)) : undefined;
/** E-mails are the same in any letter case; tags aren't. */
const lower = (emails?: string[]) => emails?.map((email) => email.toLowerCase());

function timeOf(value: unknown): string | undefined {
	const time = parseTimestamp(value);
	return Number.isNaN(time) ? undefined : formatTimestamp(time);
}

/** A list with entries added and removed; undefined where the update does neither, null where the list isn't known. */
function edited(list?: string[], add?: string[], remove?: string[]) {
	if (add === undefined && remove === undefined) return undefined;
	if (list === undefined) return null;
	return [...new Set([...list, ...(add ?? [])])].filter((one) => !remove?.includes(one));
}

/** A value as text; lists in any order. */
const comparable = (value: unknown) =>
	JSON.stringify(Array.isArray(value) ? [...(value as unknown[])].sort() : value);

/**
 * Compares an update with a case as it was read. The fields have the names and forms of cases. Author Email isn't
 * compared: it says who changes the case.
 */
export function changeOf(row: Case, update: CaseUpdate): CaseChange {
	const assignees = lower(textsOf(row.assignees, 'email'));
	const tags = textsOf(row.tags, 'name');
	const now: Row = {
		...row,
		description: row.description === null ? '' : row.description,
		team_id: isObject(row.team) ? Number(row.team.id) : undefined,
		assignees,
		tags,
		opened_at: timeOf(row.opened_at),
		resolved_at: timeOf(row.resolved_at),
	};
	const { add_assignee_emails: add, remove_assignee_emails: remove, ...others } = update;
	const { assignee_emails, add_tag_names, remove_tag_names, ...fields } = others;
	const given: Row = {
		...fields,
		author_email: undefined,
		priority: fields.priority?.toUpperCase(),
		status: fields.status?.toUpperCase(),
		assignees: lower(assignee_emails) ?? edited(assignees, lower(add), lower(remove)),
		tags: edited(tags, add_tag_names, remove_tag_names),
	};
	const names = Object.keys(given).filter((name) => given[name] !== undefined);
	const pick = (from: Row) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
	const isSame = (name: string) =>
		now[name] !== undefined && comparable(now[name]) === comparable(given[name]);
	return { before: pick(now), after: pick(given), changed: !names.every(isSame) };
}
