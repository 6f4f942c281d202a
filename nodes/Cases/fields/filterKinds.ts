import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import type { QueryValue } from '../api/query';
import { formatTimestamp } from '../api/timestamps';
import { parseDate, type Bound } from './dates';
import type { FieldForm } from './form';
import {
	entriesOf,
	isBlank,
	listOf,
	parseId,
	parseSwitch,
	parseText,
	rowsOf,
	splitEntries,
} from './values';

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

function suggestedForm(method: string, what: string, description: string): FieldForm {
	return {
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: method, allowArbitraryValues: true },
		default: [],
		description: `${description}. ${suggestions(what)}`,
	};
}

/** Several texts, with suggestions from the service. */
export function suggested(method: string, what: string, description: string): FilterKind<string[]> {
	return { form: suggestedForm(method, what, description), read: readTexts };
}

/**
 * Several IDs or email addresses, with suggestions from the service; one text may hold several, with commas.
 * @param several what they are, for the description
 * @param one what one of them is, for the error
 * @param shape what each must match: nothing else can find a case
 */
export function suggestedWords(
	method: string,
	several: string,
	one: string,
	shape: RegExp,
	description: string,
): FilterKind<string[]> {
	return {
		form: suggestedForm(method, several, description),
		read: (value, label) => {
			const words = splitEntries(value).map((entry) => parseText(entry, label).trim());
			const wrong = words.find((word) => !shape.test(word));
			if (wrong !== undefined) {
				throw new InvalidInput(
					`'${label}': ${quote(wrong)} is not ${one}`,
					'Choose from the list, or use an expression that returns a list, or text with commas between the entries.',
				);
			}
			return words.length === 0 ? undefined : words;
		},
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
	return !isBlank(value) && parseSwitch(value, label) ? true : undefined;
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
			const chosen = new Set(splitEntries(value).map((entry) => parseChoice(entry, label, values)));
			return chosen.size === 0 ? undefined : [...chosen];
		},
	};
}

/** One of the API's own values, in any letter case. @throws InvalidInput */
export function parseChoice(
	value: unknown,
	label: string,
	values: readonly string[],
	solution = `Choose one of them, or remove the filter to get cases of every ${label.toLowerCase()}.`,
): string {
	const chosen = typeof value === 'string' ? value.trim().toUpperCase() : value;
	if (typeof chosen === 'string' && values.includes(chosen)) return chosen;
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not one of ${values.join(', ')}`,
		solution,
	);
}

/** One end of a range of dates. Both are sent in whole seconds, so the end is rounded up. */
export function date(bound: Bound, description: string): FilterKind<string> {
	return {
		form: {
			type: 'dateTime',
			default: '',
			description: `${description}. Times without a time zone are in the workflow's time zone. A date without a time means 00:00 of that day.`,
		},
		read: (value, label, timezone) => {
			const time = parseDate(value, timezone, label, bound);
			if (time === undefined) return undefined;
			return formatTimestamp(bound === 'end' ? Math.ceil(time / 1000) * 1000 : time);
		},
	};
}

/** IDs of cases. Blank text is ignored, as in every filter; an empty list matches no case. */
export function caseIds(placeholder: string, description: string): FilterKind<string[]> {
	return {
		form: { type: 'string', default: '', placeholder, description },
		read: (value, label) => {
			const ids = splitEntries(value, /[\s,;]+/).map((entry) => parseId(entry, 'case ID', label));
			return ids.length === 0 && listOf(value) === undefined ? undefined : [...new Set(ids)];
		},
	};
}

export function team(description: string): FilterKind<string> {
	return {
		form: {
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getTeams', allowArbitraryValues: true },
			default: '',
			description: `${description}. ${suggestions('a team ID')}`,
		},
		read: (value, label) => (isBlank(value) ? undefined : parseId(value, 'team ID', label)),
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

function readPairs(value: unknown, label: string): Array<[string, string]> {
	const pairs = rowsOf(value, label, 'pair', ['key', 'value']).map(
		([key, text]): [string, string] => [
			parseKey(key, label),
			typeof text === 'boolean' ? String(text) : parseText(text ?? '', label),
		],
	);
	const repeated = pairs.find(
		([key], index) => pairs.findIndex(([other]) => other === key) < index,
	);
	if (repeated === undefined) return pairs;
	throw new InvalidInput(
		`'${label}': the key ${quote(repeated[0])} is there twice`,
		'A case has one value for each key. Keep one of the two pairs.',
	);
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
