import type { INodePropertyOptions } from 'n8n-workflow';

import { formatTimestamp } from '../../api/timestamps';
import { parseDate, type Bound } from '../dates';
import { rowsInCollection, textForm, textIn, type FieldForm, type Kind } from '../form';
import {
	parseAddress,
	parseChoice,
	parseEach,
	parseEmail,
	parseId,
	parseNames,
	parsePairs,
	parseSwitch,
	parseText,
	parseTexts,
	parseUserId,
	refusal,
} from '../values';

/** Methods that take suggestions from a list of the service. Others find them in the newest cases. */
const LISTED = ['getTags', 'getTeams'];

/** A field with suggestions by a method of the node. The last sentence of the note is demanded by n8n's lint. */
export const suggested = (method: string, what: string, form?: Partial<FieldForm>) => ({
	form: {
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: method, allowArbitraryValues: true },
		default: [],
		...form,
	} satisfies FieldForm,
	note: `Suggestions come from ${LISTED.includes(method) ? 'the service, or from its' : 'the'} 200 newest cases. Choose from the list, or specify ${what} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
});

export const tags: Kind<string[]> = {
	...suggested('getTags', 'tag names'),
	read: parseNames,
};

export const userIds: Kind<string[]> = {
	...suggested('getUserIds', 'user IDs'),
	read: (value, label) => parseEach(value, label, parseUserId),
};

/** Email addresses. Whether a service heeds the letter case isn't known, so one with capitals is sent in both spellings. */
export const emails: Kind<string[]> = {
	...suggested('getUserEmails', 'email addresses'),
	read: (value, label) => [
		...new Set([parseAddress, parseEmail].flatMap((parse) => parseEach(value, label, parse))),
	],
};

export const records: Kind<string[]> = {
	form: {
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Record' },
		// n8n copies this default into each new row.
		default: '',
		placeholder: 'e.g. 203.0.113.7',
	},
	read: parseTexts,
};

export const search: Kind<string> = {
	form: textIn('e.g. phishing'),
	read: parseText,
};

/** A switch. Once it is added, it is sent even if it is off. */
export const toggle: Kind<boolean> = {
	form: { type: 'boolean', default: true },
	read: parseSwitch,
};

/** Choices for the API's own values, such as "Critical" for `CRITICAL`. */
const optionsOf = (values: readonly string[]): INodePropertyOptions[] =>
	values.map((value) => ({ name: value[0] + value.slice(1).toLowerCase(), value }));

/** One of the API's own values. */
export const choice = (values: readonly string[]): Kind<string> => ({
	form: { type: 'options', default: values[0], options: optionsOf(values) },
	read: (value, label) => parseChoice(value, label, values),
});

/** Several of the API's own values. A text may have several, with commas between them. */
export const choices = (values: readonly string[]): Kind<string[]> => ({
	form: { type: 'multiOptions', default: [values[0]], options: optionsOf(values) },
	read: (value, label) => parseEach(value, label, (one) => parseChoice(one, label, values)),
});

/** A date that starts or ends a range. Dates are sent in whole seconds, so an end is rounded up. */
export const date = (bound: Bound): Kind<string> => ({
	form: { type: 'dateTime', default: '' },
	note: "Times without a time zone are in the workflow's time zone. A date without a time means 00:00 of that day.",
	read: (value, label, timezone) => {
		const time = parseDate(value, timezone, label, bound);
		return formatTimestamp(bound === 'end' ? Math.ceil(time / 1000) * 1000 : time);
	},
});

const MINUTE = 60_000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };
const PERIODS = ['15 Minutes', '1 Hour', '4 Hours', '24 Hours', '7 Days', '30 Days', '90 Days'];
/** The value is the number with the first letter of its unit, such as `24h`. */
const PERIOD_CHOICES: INodePropertyOptions[] = PERIODS.map((name) => {
	return { name, value: name.replace(/ (.).*/, '$1').toLowerCase() };
});

/** A period such as `90m`, `24h` or `7d` that ends when the run begins. It is read as the time at which it starts. */
export const period: Kind<string> = {
	form: { type: 'options', options: PERIOD_CHOICES, default: '24h' },
	note: 'For another period, enter an expression such as 90m, 36h or 14d.',
	read: (value, label, _timezone, startedAt = 0) => {
		const given = typeof value === 'string' ? value.trim().toLowerCase() : '';
		const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(given) ?? [];
		if (count !== undefined) return formatTimestamp(startedAt - Number(count) * UNITS[unit]);
		const remedy =
			'Choose one from the list, or use an expression that returns a number and a unit: 90m, 24h or 7d.';
		throw refusal(value, label, 'is not a valid period', remedy);
	},
};

export const caseIds: Kind<string[]> = {
	form: textIn('e.g. 4711, 4712'),
	read: (value, label) => parseEach(value, label, (one) => parseId(one, 'case ID', label)),
};

export const team: Kind<string> = {
	...suggested('getTeams', 'a team ID', { type: 'options', default: '' }),
	read: (value, label) => parseId(value, 'team ID', label),
};

/** The form of rows of text fields, such as a key and a value. @param row what a row is called */
export function textRows(
	row: string,
	button: string,
	...texts: Array<[label: string, example: string, description: string]>
): FieldForm {
	const fields = texts.map(([label, ...given]) => textForm(label.toLowerCase(), label, ...given));
	return rowsInCollection(row, button, fields);
}

/** Pairs of key and value. @param key, value placeholders of the two fields */
export const pairs = (key: string, value: string): Kind<Array<[string, string]>> => ({
	form: textRows(
		'Pair',
		'Add Pair',
		['Key', key, 'Name of the entry'],
		['Value', value, 'Value of the entry'],
	),
	read: (given, label) => parsePairs(given, label, true),
});
