import type { Case } from '../../api/types';

const { imul } = Math;

/** Hashes a text to 32 bits. */
function hash(text: string, seed: number): number {
	let value = seed;
	for (let index = 0; index < text.length; index++) {
		value = imul(value ^ text.charCodeAt(index), 0x01000193);
	}
	value = imul(value ^ (value >>> 15), 0x2c1b3c6d);
	return (value ^ (value >>> 13)) >>> 0;
}

/** Hashes a text to a whole number of 40 bits: among ten thousand texts, two with one number are not to be expected. */
export function numberOfText(text: string): number {
	return hash(text, 0x811c9dc5) * 256 + (hash(text, 0x3c6ef372) % 256);
}

type Fields = Record<string, unknown>;

const objectOf = (value: unknown): Fields =>
	typeof value === 'object' && value !== null ? (value as Fields) : {};

/** A value with the keys of its objects in order. */
function inOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (typeof value !== 'object' || value === null) return value;
	return Object.entries(value)
		.map(([key, member]) => [key, inOrder(member)])
		.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

/** The same for each order of a list. */
function setOf(list: unknown, pick: (entry: Fields) => unknown): unknown {
	if (!Array.isArray(list)) return null;
	return list.map((entry) => JSON.stringify(inOrder(pick(objectOf(entry))))).sort();
}

const withoutQuery = (url: unknown) => (typeof url === 'string' ? url.split('?')[0] : (url ?? ''));

/**
 * A digest of a case, from 0 to 2^30 - 1: two edits in one second have the same timestamp, but not the same content.
 * It covers what the API document names and an edit sets. It leaves out lists that grow by themselves (activities,
 * records) and what can differ between two reads without an edit: the order of lists, signed addresses, other fields.
 */
export function digestOf(row: Case): number {
	const user = (value: unknown) => objectOf(value).user_id ?? null;
	const content = [
		...[row.name, row.description, row.status, row.priority, row.metadata].map(inOrder),
		...[row.author, row.opened_by, row.resolved_by].map(user),
		...[row.opened_at, row.resolved_at, row.created_at],
		objectOf(row.team).id,
		setOf(row.assignees, user),
		setOf(row.tags, ({ id, name }) => id ?? name),
		setOf(row.actions, ({ id, url, label, action_type }) => [
			id,
			withoutQuery(url),
			label,
			action_type,
		]),
		setOf(row.linked_cases, ({ case_id, name }) => [case_id, name]),
		setOf(row.closure_conditions, ({ formula, name }) => [formula, name]),
	];
	return hash(JSON.stringify(content), 0x811c9dc5) >>> 2;
}
