// Law of this folder: a field, or a family of fields, has one file, with its form, reading, default and range.

import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../api/failures/failure';
import { asRecord } from './values';

/** The operations in whose forms a field shows. */
export type Show = { resource: string[]; operation: string[] };

/** A field without its names, so that several fields can share it. */
export type FieldForm = Omit<INodeProperties, 'displayName' | 'name'>;

/** The form of rows of fields, such as a key and a value. @param row what a row is called */
export function rowsForm(row: string, button: string, values: INodeProperties[]): FieldForm {
	return {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: button, sortable: true },
		placeholder: button,
		default: {},
		options: [{ displayName: row, name: row.toLowerCase(), values }],
	};
}

/** A hint for AI that builds workflows, which otherwise takes the default of an entry for its value. */
const ONLY_WHAT_IS_ADDED = {
	propertyHint:
		'Add only the entries that are needed. An entry that is not added has no effect, whatever its default is.',
};

/**
 * A hidden entry of each collection. An imported workflow may have one expression in place of a whole collection. n8n then
 * keeps only the entries whose names it finds as properties of the expression's text, so the collection would seem empty.
 * Every text has the property `length`, which shows {@link readCollection} that there was an expression.
 */
const WHOLE_COLLECTION: INodeProperties = {
	displayName: 'Set by One Expression',
	name: 'length',
	type: 'hidden',
	default: '',
};

/**
 * A collection of the form, with its fields in alphabetical order of their labels.
 * @param show undefined for the trigger, which has no operations
 */
export function collectionField(
	show: Show | undefined,
	texts: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
	fields: INodeProperties[],
): INodeProperties {
	// localeCompare isn't used: loading its language data would take a quarter of the time in which n8n loads this package.
	const inOrder = [...fields].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
	return {
		...texts,
		type: 'collection',
		default: {},
		builderHint: ONLY_WHAT_IS_ADDED,
		...(show === undefined ? {} : { displayOptions: { show } }),
		options: [...inOrder, WHOLE_COLLECTION],
	};
}

/**
 * Reads the entries of a collection of the form.
 * @throws InvalidInput when the collection is one expression, because n8n has dropped its entries
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

/** The parameters of a node, as the fields read them for one input item. */
export interface Parameters {
	/** A parameter's value for an input item, or the fallback where the form doesn't show the parameter. */
	parameter: (name: string, item: number, fallback?: unknown) => unknown;
	/** A parameter as the workflow stores it, where an expression is text that begins with `=`. */
	stored: (name: string) => unknown;
	/** Time zone of the workflow, as an IANA name. */
	timezone: string;
	/** When the run began, by n8n's clock, in ms since the epoch. */
	startedAt: number;
}
