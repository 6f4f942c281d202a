import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../api/failure';
import { asRecord } from './values';

/** For which operations a field shows. */
export type Show = { resource: string[]; operation: string[] };

/** A field without its names: what several fields of one kind share. */
export type FieldForm = Omit<INodeProperties, 'displayName' | 'name'>;

/**
 * The fields of a collection in alphabetical order of their labels. `localeCompare` would load Node's language data,
 * which takes a quarter of the time that n8n needs to load this package.
 */
export function alphabetically(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/** For AI builders of workflows, which take the default of an entry for its value. */
export const ONLY_WHAT_IS_ADDED = {
	propertyHint:
		'Add only the entries that are needed. An entry that is not added has no effect, whatever its default is.',
};

/**
 * An entry of a collection that no user sees. If the collection is one expression instead of entries, which only
 * imported workflows can have, n8n looks up the names of the entries on its text, and drops what it doesn't find there.
 * Every text has a length, so such a collection isn't taken for an empty one.
 */
export const WHOLE_COLLECTION: INodeProperties = {
	displayName: 'Set by One Expression',
	name: 'length',
	type: 'hidden',
	default: '',
};

/**
 * The entries of a collection of the form.
 * @throws InvalidInput when it is one expression, text or a list: n8n has already dropped what it means
 */
export function readCollection(value: unknown, label: string): Record<string, unknown> {
	const given = typeof value === 'string' ? { length: value.length } : asRecord(value);
	const { length = 0, ...entries } = given as Record<string, unknown>;
	if (length === 0) return entries;
	throw new InvalidInput(
		`'${label}' can't be set by one expression`,
		`Add each entry of '${label}', and use an expression in its field. If the form shows nothing to change, add the node again.`,
	);
}
