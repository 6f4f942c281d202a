// Law of this folder: a field, or a family of fields, has one file, with its form, reading, default and range.

import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../api/failures/failure';
import { asRecord, refuseNothing, type Parse } from './values';

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
	/** Whether a model fills in the parameters, because an agent runs the node as its tool. */
	isTool?: boolean;
}

/**
 * A field, or a family of fields, as a value: how it is entered, and what is read of it.
 * @typeParam From what it is read from, where that is more than parameters
 */
export interface Field<T, From = Parameters> {
	/** Its `displayOptions` may name other fields. The operations that it shows for are added to them. */
	form: INodeProperties[];
	/** @returns data that JSON can hold. @throws InvalidInput */
	read: (from: From, item: number) => T;
}

/** Something that is read, by its name. */
type Readers<Given extends unknown[]> = Record<string, { read: (...given: Given) => unknown }>;

/** What is read of several fields, by the same names. `& {}` makes errors show the names, not an alias. */
export type ValuesOf<F extends Readers<never[]>> = {
	[Name in keyof F]: ReturnType<F[Name]['read']>;
} & {};

/** Reads several fields, in their order. @throws InvalidInput for the first that can't be used */
export function readEach<Given extends unknown[], F extends Readers<Given>>(
	fields: F,
	...given: Given
): ValuesOf<F> {
	const values = Object.entries(fields).map(([name, { read }]) => [name, read(...given)]);
	return Object.fromEntries(values) as ValuesOf<F>;
}

/**
 * Makes a field of one parameter. Where the form doesn't show it, its default is read.
 * @param parse reads its value; `label` names the field in errors
 */
export function field<T>(
	form: INodeProperties,
	parse: (value: unknown, label: string, parameters: Parameters) => T,
): Field<T> {
	const { name, displayName, default: fallback } = form;
	return {
		form: [form],
		read: (from, item) => parse(from.parameter(name, item, fallback), displayName, from),
	};
}

/**
 * As {@link field}, but an expression that returns nothing is refused.
 * @param isNothing says of a value whether it is nothing; by default null and undefined are
 */
export const strictField = <T>(
	form: INodeProperties,
	parse: Parse<T>,
	isNothing?: (value: unknown) => boolean,
): Field<T> =>
	field(form, (value, label, { stored }) =>
		parse(refuseNothing(`'${label}'`, stored(form.name), value, isNothing), label),
	);

/** A field without its names, so that several fields can share it. */
export type FieldForm = Omit<INodeProperties, 'displayName' | 'name'>;

/** How values of one kind are entered and read. */
export interface Kind<Value = unknown> {
	form: FieldForm;
	/** A sentence at the end of the description of each field of this kind. */
	note?: string;
	/**
	 * @param value must not be blank
	 * @param startedAt when the run began, in ms since the epoch, for periods, which end at that time
	 * @throws InvalidInput that names the field by its label
	 */
	read: (value: unknown, label: string, timezone: string, startedAt?: number) => Value;
}

/** A field of some kind, in a table of fields by their names. */
export type Entry<OfKind = Kind> = [label: string, kind: OfKind, description: string];

/** The form of a field of some kind. */
export function formOf(
	name: string,
	[displayName, { form, note }, text]: Entry<Omit<Kind, 'read'>>,
): INodeProperties {
	const description = note === undefined ? text : `${text}. ${note}`;
	return { ...form, displayName, name, description };
}

/** The form of a text, without its names. */
export const textIn = (placeholder: string): FieldForm => ({
	type: 'string',
	default: '',
	placeholder,
});

/** The form of a field with a text. */
export const textForm = (
	name: string,
	label: string,
	placeholder: string,
	description: string,
): INodeProperties => formOf(name, [label, { form: textIn(placeholder) }, description]);

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

/** As {@link rowsForm}, in a collection: n8n removes a group without rows from it, as soon as another entry is added. */
export function rowsInCollection(
	row: string,
	button: string,
	values: INodeProperties[],
): FieldForm {
	const empty = Object.fromEntries(values.map((one) => [one.name, one.default]));
	return { ...rowsForm(row, button, values), default: { [row.toLowerCase()]: [empty] } };
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

/** A collection of the form, with its fields in alphabetical order of their labels. */
export function collectionForm(
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
