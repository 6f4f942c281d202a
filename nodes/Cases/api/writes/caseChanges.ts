import { isObject } from '../json';
import { formatTimestamp, parseTimestamp } from '../timestamps';
import type { Case, Row } from '../types';
import type { CaseUpdate } from './caseWrites';
import { fieldValuesOf } from './updateParts';

/** The entries of a list of a case, or a field of each entry, as texts; undefined where the case has no such list. */
const textsOf = (list: unknown, field: string) =>
	Array.isArray(list) ? list.map((one) => String(isObject(one) ? one[field] : one)) : undefined;

/** Removes regardless of letter case, as the service may: a needless update harms less than a missing one. */
function edited(list?: string[], add: string[] = [], remove: string[] = []) {
	const removed = remove.map((one) => one.toLowerCase());
	const left = list?.filter((one) => !removed.includes(one.toLowerCase()));
	return add.length === 0 ? left : [...new Set([...(left ?? []), ...add])];
}

function timeOf(value: unknown): string | undefined {
	const time = parseTimestamp(value);
	return time === undefined ? undefined : formatTimestamp(time);
}

/** Some values of an object, as text; null where it lacks one. */
const valuesOf = (values: Row, names: string[]): Row =>
	Object.fromEntries(
		names.map((name) => [name, values[name] == null ? null : String(values[name])]),
	);

/** A value as JSON. Lists with the same entries in another order give the same text. */
const comparable = (value: unknown) =>
	JSON.stringify(Array.isArray(value) ? [...(value as unknown[])].sort() : value);

/**
 * Compares an update with a case as it was read. `author_email` isn't compared: it says who makes the update.
 * @returns the fields that differ, named as in a case, before and after the update. A field that the case doesn't show
 * differs if the update has a value for it.
 */
export function changeOf(row: Case, update: CaseUpdate) {
	const { assignee_emails, add_assignee_emails, remove_assignee_emails, ...others } = update;
	const { add_tag_names, remove_tag_names, priority, status, ...rest } = others;
	const { metadata, remove_metadata_keys: removed = [], field_values, ...values } = rest;
	const keys = [...Object.keys(metadata ?? {}), ...removed];
	const assignees = textsOf(row.assignees, 'email')?.map((email) => email.toLowerCase());
	const tags = textsOf(row.tags, 'name');
	const now: Row = {
		...row,
		description: row.description === null ? '' : row.description,
		team_id: isObject(row.team) ? Number(row.team.id) : undefined,
		sub_status_id: isObject(row.sub_status) ? Number(row.sub_status.id) : undefined,
		// A row may lack some of the fields. Such a field differs.
		metadata: isObject(row.metadata) ? valuesOf(row.metadata, keys) : undefined,
		field_values: valuesOf(fieldValuesOf(row), Object.keys(field_values ?? {})),
		assignees,
		tags,
		opened_at: timeOf(row.opened_at),
		resolved_at: timeOf(row.resolved_at),
	};
	const then: Row = {
		...now,
		...values,
		author_email: now.author_email,
		metadata: keys.length > 0 ? valuesOf(metadata ?? {}, keys) : now.metadata,
		field_values: field_values ?? now.field_values,
		priority: priority?.toUpperCase() ?? now.priority,
		status: status?.toUpperCase() ?? now.status,
		assignees: edited(assignee_emails ?? assignees, add_assignee_emails, remove_assignee_emails),
		tags: edited(tags, add_tag_names, remove_tag_names),
	};
	const names = Object.keys(then).filter(
		(name) => now[name] !== then[name] && comparable(now[name]) !== comparable(then[name]),
	);
	const pick = (from: Row) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
	return { before: pick(now), after: pick(then), changed: names.length > 0 };
}
