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

/** The texts in a list of a case; null where the case has no such list. */
const textsOf = (list: unknown, field: string) =>
	Array.isArray(list) ? list.map((one) => String(isObject(one) ? (one[field] ?? '') : '')) : null;

const upper = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : null);
/** E-mails are the same in any letter case; tags aren't. */
const lower = (text: string) => text.toLowerCase();
const asIs = (text: string) => text;

const asTime = (value: unknown) => {
	const time = parseTimestamp(value);
	return Number.isNaN(time) ? null : formatTimestamp(time);
};

/** A list with entries added and removed; undefined where the update does neither, null where the list isn't known. */
function edited(
	list: string[] | null,
	add: string[] | undefined,
	remove: string[] | undefined,
	fold: typeof asIs,
): string[] | null | undefined {
	if (add === undefined && remove === undefined) return undefined;
	const isIn = (texts: string[]) => (text: string) => texts.map(fold).includes(fold(text));
	const isAdded = (text: string) => !isIn(list ?? [])(text);
	return (
		list && [...list, ...(add ?? []).filter(isAdded)].filter((one) => !isIn(remove ?? [])(one))
	);
}

/** Compares an update with a case as it was read. The fields have the names and forms of cases. */
export function changeOf(row: Case, update: CaseUpdate): CaseChange {
	const assignees = textsOf(row.assignees, 'email');
	const tags = textsOf(row.tags, 'name');
	const now: Row = {
		...{ name: row.name, description: row.description },
		...{ priority: upper(row.priority), status: upper(row.status), assignees, tags },
		team_id: isObject(row.team) ? Number(row.team.id) : null,
		...{ opened_at: asTime(row.opened_at), resolved_at: asTime(row.resolved_at) },
		author_email: isObject(row.author) ? row.author.email : null,
	};
	const { add_assignee_emails, remove_assignee_emails, assignee_emails, ...others } = update;
	const { add_tag_names, remove_tag_names, priority, status, ...rest } = others;
	const given: Row = {
		...rest,
		...{ priority: priority && upper(priority), status: status && upper(status) },
		assignees:
			assignee_emails ?? edited(assignees, add_assignee_emails, remove_assignee_emails, lower),
		tags: edited(tags, add_tag_names, remove_tag_names, asIs),
	};
	const names = Object.keys(given).filter((field) => given[field] !== undefined);
	const pick = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
	const isSame = (field: string) =>
		now[field] !== null && comparable(field, now[field]) === comparable(field, given[field]);
	return { before: pick(now), after: pick(given), changed: !names.every(isSame) };
}

/** A value of a field as text; lists in any order. */
function comparable(field: string, value: unknown): string {
	const fold = ['assignees', 'author_email'].includes(field) ? lower : asIs;
	if (Array.isArray(value)) return JSON.stringify(value.map((one) => fold(String(one))).sort());
	return JSON.stringify(typeof value === 'string' ? fold(value) : (value ?? null));
}
