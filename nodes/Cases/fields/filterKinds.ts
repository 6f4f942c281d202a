import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import type { QueryValue } from '../api/query';
import { formatTimestamp } from '../api/timestamps';
import { parseDate } from './dates';
import type { FieldForm } from './form';
import { entriesOf, isBlank, parseId, parseText } from './values';

/** What filters of one kind share: their form, and how a value of it is read. */
export interface FilterKind<Value extends QueryValue = QueryValue> {
	form: FieldForm;
	/**
	 * @param timezone of the workflow, for dates without a zone
	 * @returns the value as the query carries it; undefined for a blank, which is not sent
	 * @throws InvalidInput naming the filter by its label
	 */
	read: (value: unknown, label: string, timezone: string) => Value | undefined;
}

/** Where the suggestions come from, and how other values are entered. n8n's lint demands the second half. */
export function suggestions(what: string): string {
	return `Suggestions come from the 200 newest cases. Choose from the list, or specify ${what} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`;
}

function readTexts(value: unknown, label: string): string[] | undefined {
	const texts = entriesOf(value).map((entry) => parseText(entry, label));
	return texts.length === 0 ? undefined : texts;
}

/** Several texts, with suggestions from the service. */
export function suggested(method: string, what: string, description: string): FilterKind<string[]> {
	return {
		form: {
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: method, allowArbitraryValues: true },
			default: [],
			description: `${description}. ${suggestions(what)}`,
		},
		read: readTexts,
	};
}

/** Several texts, typed in. */
export function texts(button: string, placeholder: string, description: string): FilterKind {
	return {
		form: {
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: button },
			// n8n stores a copy of it for each new row.
			default: '',
			placeholder,
			description,
		},
		read: readTexts,
	};
}

export function text(placeholder: string, description: string): FilterKind<string> {
	return {
		form: { type: 'string', default: '', placeholder, description },
		read: (value, label) => (isBlank(value) ? undefined : parseText(value, label)),
	};
}

/** A switch. Off isn't sent: the service has no filter for the opposite. */
export function toggle(description: string): FilterKind<boolean> {
	return { form: { type: 'boolean', default: true, description }, read: readToggle };
}

function readToggle(value: unknown, label: string): true | undefined {
	if (isBlank(value) || value === false || value === 'false') return undefined;
	if (value === true || value === 'true') return true;
	throw new InvalidInput(
		`'${label}': ${quote(value)} is neither true nor false`,
		'Use the switch, or an expression that returns true or false.',
	);
}

/** One of the API's own values. An expression may return it in upper or lower case. */
export function choice(
	values: readonly string[],
	options: INodePropertyOptions[],
	description: string,
): FilterKind<string> {
	return {
		form: { type: 'options', default: options[0].value, options, description },
		read: (value, label) => (isBlank(value) ? undefined : parseChoice(value, label, values)),
	};
}

/** Several of the API's own values; one text may hold several, with commas. */
export function choices(
	values: readonly string[],
	options: INodePropertyOptions[],
	description: string,
): FilterKind<string[]> {
	return {
		form: { type: 'multiOptions', default: [options[0].value], options, description },
		read: (value, label) => {
			const given = entriesOf(value).flatMap((entry) =>
				typeof entry === 'string' ? entry.split(',') : [entry],
			);
			const chosen = new Set(given.map((entry) => parseChoice(entry, label, values)));
			return chosen.size === 0 ? undefined : [...chosen];
		},
	};
}

function parseChoice(value: unknown, label: string, values: readonly string[]): string {
	const chosen = typeof value === 'string' ? value.trim().toUpperCase() : value;
	if (typeof chosen === 'string' && values.includes(chosen)) return chosen;
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not one of ${values.join(', ')}`,
		`Choose one of them, or remove the filter to get cases of every ${label.toLowerCase()}.`,
	);
}

export function date(description: string): FilterKind<string> {
	return {
		form: {
			type: 'dateTime',
			default: '',
			description: `${description}. Times without a time zone are in the workflow's time zone.`,
		},
		read: (value, label, timezone) => {
			const time = parseDate(value, timezone, label);
			return time === undefined ? undefined : formatTimestamp(time);
		},
	};
}

/** IDs of cases. Blank text is ignored, as in every filter; an empty list matches no case. */
export function caseIds(placeholder: string, description: string): FilterKind<string[]> {
	return {
		form: { type: 'string', default: '', placeholder, description },
		read: (value) => {
			const ids = parseIds(value);
			return ids.length === 0 && !Array.isArray(value) ? undefined : ids;
		},
	};
}

/** A number, text with commas or blanks between IDs, or a list of either. */
function parseIds(value: unknown): string[] {
	const entries = entriesOf(value).flatMap((entry) =>
		typeof entry === 'string' ? entry.split(/[\s,;]+/).filter((id) => id !== '') : [entry],
	);
	return [...new Set(entries.map((entry) => parseId(entry, 'case ID')))];
}

export function team(description: string): FilterKind<string> {
	return {
		form: {
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getTeams', allowArbitraryValues: true },
			default: '',
			description: `${description}. ${suggestions('a team ID')}`,
		},
		read: (value) => (isBlank(value) ? undefined : parseId(value, 'team ID')),
	};
}

/** Pairs of key and value, all of which must match. */
export function pairs(
	key: { placeholder: string; description: string },
	value: { placeholder: string; description: string },
	description: string,
): FilterKind<Array<[string, string]>> {
	return {
		form: {
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Pair' },
			placeholder: 'Add Pair',
			default: {},
			description,
			options: [
				{
					displayName: 'Pair',
					name: 'pair',
					values: [
						{ displayName: 'Key', name: 'key', type: 'string', default: '', ...key },
						{ displayName: 'Value', name: 'value', type: 'string', default: '', ...value },
					],
				},
			],
		},
		read: readPairs,
	};
}

/** Pairs as the editor stores them (`{ pair: [{ key, value }] }`), or an object from an expression. */
function readPairs(value: unknown, label: string): Array<[string, string]> | undefined {
	if (isBlank(value)) return undefined;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new InvalidInput(
			`'${label}': ${quote(value)} is not a set of keys and values`,
			'Add pairs of key and value, or use an expression that returns an object such as {"source": "mail"}.',
		);
	}
	const { pair } = value as { pair?: unknown };
	const entries: Array<[unknown, unknown]> = Array.isArray(pair)
		? pair.map((entry: { key?: unknown; value?: unknown } | null) => [entry?.key, entry?.value])
		: Object.entries(value);
	const read = entries
		.filter(([key, text]) => !(isBlank(key) && isBlank(text)))
		.map(([key, text]): [string, string] => [
			parseKey(key, label),
			typeof text === 'boolean' ? String(text) : parseText(text ?? '', label),
		]);
	const repeated = read.find(([key], index) => read.findIndex(([other]) => other === key) < index);
	if (repeated !== undefined) {
		throw new InvalidInput(
			`'${label}': the key ${quote(repeated[0])} is there twice`,
			'A case has one value for each key. Keep one of the two pairs.',
		);
	}
	return read.length === 0 ? undefined : read;
}

function parseKey(value: unknown, label: string): string {
	const key = isBlank(value) ? '' : parseText(value, label);
	if (key !== '' && !/[[\]]/.test(key) && key !== '__proto__') return key;
	throw new InvalidInput(
		key === ''
			? `'${label}': a pair has no key`
			: `'${label}': ${quote(key)} can't be used as a key`,
		'Every pair needs a key without square brackets: the request puts keys into square brackets.',
	);
}
