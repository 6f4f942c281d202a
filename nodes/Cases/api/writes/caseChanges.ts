import { isObject } from '../actions';
import { parseTimestamp, formatTimestamp } from '../timestamps';
import type { Case, Row } from '../types';
import type { CaseUpdate } from './caseWrites';

/** What an update does to a case: the fields that it names, before and after. */
export interface CaseChange {
	before: Row;
	after: Row;
	/** Whether a field differs; one that the case doesn't show counts as such. */
	changed: boolean;
}

/** The texts in a list of a case; null where the case has no such list. */
function textsOf(list: unknown, field: string): string[] | null {
	if (!Array.isArray(list)) return null;
	return list.map((entry) => String(isObject(entry) ? (entry[field] ?? '') : ''));
}

const lower = (text: string) => text.toLowerCase();
const asIs = (text: string) => text;

/** A list with some entries added and removed; null where the list isn't known. */
function edited(
	list: string[] | null,
	{ add = [], remove = [] }: { add?: string[]; remove?: string[] },
	fold: (text: string) => string,
): string[] | null {
	if (list === null) return null;
	const has = (texts: string[], text: string) => texts.some((one) => fold(one) === fold(text));
	const added = add.filter((one) => !has(list, one));
	return [...list, ...added].filter((one) => !has(remove, one));
}

const asTime = (value: unknown) => {
	const time = parseTimestamp(value);
	return Number.isNaN(time) ? null : formatTimestamp(time);
};
const asWord = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : null);
const idOf = (value: unknown) => (isObject(value) ? Number(value.id) : null);

/** How the people and tags of a case change; undefined where the update doesn't name them. */
function changedLists(row: Case, update: CaseUpdate): Row {
	const { assignee_emails, add_assignee_emails: add, remove_assignee_emails: remove } = update;
	const { add_tag_names, remove_tag_names } = update;
	const emails = textsOf(row.assignees, 'email');
	const tags = textsOf(row.tags, 'name');
	return {
		assignees:
			assignee_emails ?? (add || remove ? edited(emails, { add, remove }, lower) : undefined),
		tags:
			add_tag_names || remove_tag_names
				? edited(tags, { add: add_tag_names, remove: remove_tag_names }, asIs)
				: undefined,
	};
}

/** Compares an update with a case as it was read. The fields have the names and forms of cases. */
export function changeOf(row: Case, update: CaseUpdate): CaseChange {
	const { author_email, team_id, name, description, priority, status } = update;
	const { opened_at, resolved_at } = update;
	const given: Row = {
		name,
		description,
		priority: priority && asWord(priority),
		status: status && asWord(status),
		team_id,
		...changedLists(row, update),
		opened_at,
		resolved_at,
		author_email,
	};
	const now: Row = {
		...{ name: row.name, description: row.description, team_id: idOf(row.team) },
		...{ priority: asWord(row.priority), status: asWord(row.status) },
		...{ assignees: textsOf(row.assignees, 'email'), tags: textsOf(row.tags, 'name') },
		...{ opened_at: asTime(row.opened_at), resolved_at: asTime(row.resolved_at) },
		author_email: isObject(row.author) ? row.author.email : null,
	};
	const names = Object.keys(given).filter((field) => given[field] !== undefined);
	const pick = (fields: Row) =>
		Object.fromEntries(names.map((field) => [field, fields[field] ?? null]));
	const isSame = (field: string) =>
		now[field] !== null && comparable(field, now[field]) === comparable(field, given[field]);
	return { before: pick(now), after: pick(given), changed: !names.every(isSame) };
}

/** Lists in any order, e-mails in any letter case. */
function comparable(field: string, value: unknown): string {
	const fold = ['assignees', 'author_email'].includes(field) ? lower : asIs;
	const folded = (one: unknown) => fold(String(one));
	return JSON.stringify(
		Array.isArray(value)
			? value.map(folded).sort()
			: typeof value === 'string'
				? fold(value)
				: (value ?? null),
	);
}
