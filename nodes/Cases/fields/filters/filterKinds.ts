import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput, quote } from '../../api/failures/failure';
import type { QueryValue } from '../../api/http/query';
import { formatTimestamp } from '../../api/timestamps';
import { parseDate, type Bound } from '../dates';
import { rowsForm, type FieldForm } from '../form';
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
	/** What the description of each field of this kind ends with. */
	note?: string;
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

const suggestedForm = (loadOptionsMethod: string): FieldForm => ({
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod, allowArbitraryValues: true },
	default: [],
});

export const tags: FilterKind<string[]> = {
	form: suggestedForm('getTags'),
	note: suggestions('tag names'),
	read: readTexts,
};

/**
 * Several IDs or email addresses, with suggestions from the service; one text may hold several, with commas.
 * @param one what one of them is, for the error
 * @param shape what each must match: nothing else can find a case
 */
const words = (method: string, what: string, one: string, shape: RegExp): FilterKind<string[]> => ({
	form: suggestedForm(method),
	note: suggestions(what),
	read: (value, label) => {
		const given = splitEntries(value).map((entry) => parseText(entry, label).trim());
		const wrong = given.find((word) => !shape.test(word));
		if (wrong === undefined) return given.length === 0 ? undefined : given;
		throw new InvalidInput(
			`'${label}': ${quote(wrong)} is not ${one}`,
			'Choose from the list, or use an expression that returns a list, or text with commas between the entries.',
		);
	},
});

export const userIds = words('getUserIds', 'user IDs', 'a user ID', /^\S+$/);
export const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/;
export const emails = words('getUserEmails', 'email addresses', 'an email address', EMAIL);

/** Several texts, typed in. */
export const texts = (button: string, placeholder: string): FilterKind => ({
	form: {
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: button },
		// n8n stores a copy of it for each new row.
		default: '',
		placeholder,
	},
	read: readTexts,
});

export const text = (placeholder: string): FilterKind<string> => ({
	form: { type: 'string', default: '', placeholder },
	read: (value, label) => (isBlank(value) ? undefined : parseText(value, label)),
});

/** A switch. It is sent as it stands, once it is added. */
export const toggle: FilterKind<boolean> = {
	form: { type: 'boolean', default: true },
	read: (value, label) => (isBlank(value) ? undefined : parseSwitch(value, label)),
};

/** A choice for each of the API's own values, in their order: `CRITICAL` is "Critical". */
const optionsOf = (values: readonly string[]): INodePropertyOptions[] =>
	values.map((value) => ({ name: value[0] + value.slice(1).toLowerCase(), value }));

/** One of the API's own values. */
export const choice = (values: readonly string[]): FilterKind<string> => ({
	form: { type: 'options', default: values[0], options: optionsOf(values) },
	read: (value, label) => (isBlank(value) ? undefined : parseChoice(value, label, values)),
});

/** Several of the API's own values; one text may hold several, with commas. */
export const choices = (values: readonly string[]): FilterKind<string[]> => ({
	form: { type: 'multiOptions', default: [values[0]], options: optionsOf(values) },
	read: (value, label) => {
		const chosen = new Set(splitEntries(value).map((entry) => parseChoice(entry, label, values)));
		return chosen.size === 0 ? undefined : [...chosen];
	},
});

/** One end of a range of dates. Both are sent in whole seconds, so the end is rounded up. */
export const date = (bound: Bound): FilterKind<string> => ({
	form: { type: 'dateTime', default: '' },
	note: "Times without a time zone are in the workflow's time zone. A date without a time means 00:00 of that day.",
	read: (value, label, timezone) => {
		const time = parseDate(value, timezone, label, bound);
		if (time === undefined) return undefined;
		return formatTimestamp(bound === 'end' ? Math.ceil(time / 1000) * 1000 : time);
	},
});

const MINUTE = 60_000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };
const PERIOD_CHOICES: INodePropertyOptions[] = [
	{ name: '15 Minutes', value: '15m' },
	{ name: '1 Hour', value: '1h' },
	{ name: '4 Hours', value: '4h' },
	{ name: '24 Hours', value: '24h' },
	{ name: '7 Days', value: '7d' },
	{ name: '30 Days', value: '30d' },
	{ name: '90 Days', value: '90d' },
];

/** A period such as `90m`, `24h` or `7d` that ends when the run begins; its value is its start. */
export const period: FilterKind<string> = {
	form: { type: 'options', options: PERIOD_CHOICES, default: '24h' },
	note: 'For another period, enter an expression such as 90m, 36h or 14d.',
	read: (value, label, _timezone, startedAt = 0) => {
		if (isBlank(value)) return undefined;
		const given = typeof value === 'string' ? value.trim().toLowerCase() : '';
		const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(given) ?? [];
		if (count !== undefined) return formatTimestamp(startedAt - Number(count) * UNITS[unit]);
		throw new InvalidInput(
			`'${label}': ${quote(value)} is not a valid period`,
			'Choose one from the list, or use an expression that returns a number and a unit: 90m, 24h or 7d.',
		);
	},
};

/** IDs of cases. Blank text is ignored, as in every filter; an empty list matches no case. */
export const caseIds: FilterKind<string[]> = {
	form: { type: 'string', default: '', placeholder: 'e.g. 4711, 4712' },
	read: (value, label) => {
		const ids = splitEntries(value, /[\s,;]+/).map((entry) => parseId(entry, 'case ID', label));
		return ids.length === 0 && listOf(value) === undefined ? undefined : [...new Set(ids)];
	},
};

export const team: FilterKind<string> = {
	form: {
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getTeams', allowArbitraryValues: true },
		default: '',
	},
	note: suggestions('a team ID'),
	read: (value, label) => (isBlank(value) ? undefined : parseId(value, 'team ID', label)),
};

interface PairField {
	placeholder: string;
	description: string;
}

/** Pairs of key and value, all of which must match. */
export const pairs = (key: PairField, value: PairField): FilterKind<Array<[string, string]>> => ({
	form: rowsForm('Pair', 'Add Pair', [
		{ displayName: 'Key', name: 'key', type: 'string', default: '', ...key },
		{ displayName: 'Value', name: 'value', type: 'string', default: '', ...value },
	]),
	read: readPairs,
});

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
