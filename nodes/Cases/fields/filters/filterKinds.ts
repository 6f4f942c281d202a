import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput, quote } from '../../api/failures/failure';
import type { QueryValue } from '../../api/http/query';
import { formatTimestamp } from '../../api/timestamps';
import { parseDate, type Bound } from '../dates';
import type { FieldForm } from '../form';
import {
	entriesOf,
	isBlank,
	listOf,
	parseChoice,
	parseId,
	parseSwitch,
	parseText,
	rowsOf,
	splitEntries,
} from '../values';

/** What filters of one kind share: their form, and how a value of it is read. */
export interface FilterKind<Value extends QueryValue = QueryValue> {
	form: FieldForm;
	/**
	 * @param timezone of the workflow, for dates without a zone
	 * @param startedAt when the run began, in ms since the epoch, for periods that end then
	 * @returns the value as the query carries it; undefined for a blank, which is not sent
	 * @throws InvalidInput naming the filter by its label
	 */
	read: (value: unknown, label: string, timezone: string, startedAt?: number) => Value | undefined;
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

/** A switch. It is sent as it stands, once it is added. */
export function toggle(description: string): FilterKind<boolean> {
	return {
		form: { type: 'boolean', default: true, description },
		read: (value, label) => (isBlank(value) ? undefined : parseSwitch(value, label)),
	};
}

/** A choice for each of the API's own values, in their order: `CRITICAL` is "Critical". */
const optionsOf = (values: readonly string[]): INodePropertyOptions[] =>
	values.map((value) => ({ name: value[0] + value.slice(1).toLowerCase(), value }));

/** One of the API's own values. An expression may return it in upper or lower case. */
export function choice(values: readonly string[], description: string): FilterKind<string> {
	return {
		form: { type: 'options', default: values[0], options: optionsOf(values), description },
		read: (value, label) => (isBlank(value) ? undefined : parseChoice(value, label, values)),
	};
}

/** Several of the API's own values; one text may hold several, with commas. */
export function choices(values: readonly string[], description: string): FilterKind<string[]> {
	return {
		form: {
			type: 'multiOptions',
			default: [values[0]],
			options: optionsOf(values),
			description,
		},
		read: (value, label) => {
			const chosen = new Set(splitEntries(value).map((entry) => parseChoice(entry, label, values)));
			return chosen.size === 0 ? undefined : [...chosen];
		},
	};
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

const MINUTE = 60_000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };
const PERIODS: INodePropertyOptions[] = [
	{ name: '15 Minutes', value: '15m' },
	{ name: '1 Hour', value: '1h' },
	{ name: '4 Hours', value: '4h' },
	{ name: '24 Hours', value: '24h' },
	{ name: '7 Days', value: '7d' },
	{ name: '30 Days', value: '30d' },
	{ name: '90 Days', value: '90d' },
];

/** A period such as `90m`, `24h` or `7d` that ends when the run begins; its value is its start. */
export function period(verb: string): FilterKind<string> {
	return {
		form: {
			type: 'options',
			options: PERIODS,
			default: '24h',
			description: `Cases that were ${verb} in this period, which ends when the node runs. For another one use an expression such as 90m, 36h or 14d.`,
		},
		read: (value, label, _timezone, startedAt = 0) => {
			if (isBlank(value)) return undefined;
			const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
			const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
			if (count !== undefined) return formatTimestamp(startedAt - Number(count) * UNITS[unit]);
			throw new InvalidInput(
				`'${label}': ${quote(value)} is not a valid period`,
				'Choose one from the list, or use an expression that returns a number and a unit: 90m, 24h or 7d.',
			);
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
