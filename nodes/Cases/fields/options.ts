import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import { MAX_PAGE_SIZE } from '../api/types';
import { alphabetically, type Show } from './descriptions';
import { DEFAULT_CLIENT_OPTIONS, type ClientOptions } from '../n8n/transport';

function parseWhole(value: unknown, label: string, min: number, max: number): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) {
		return number;
	}
	throw new InvalidInput(
		`${label}: ${quote(value)} is not a whole number from ${min} to ${max}`,
		`Enter a whole number from ${min} to ${max}, or remove the option to use its default.`,
	);
}

function asCollection(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** How the run sends, from the Options of the first item: one run has one set of connections. */
export function parseClientOptions(options: unknown): ClientOptions {
	const { concurrency, timeout, maxRetries, maxWaitMs } = DEFAULT_CLIENT_OPTIONS;
	const given = asCollection(options);
	return {
		concurrency: parseWhole(given.concurrency ?? concurrency, 'Concurrency', 1, 16),
		timeout: parseWhole(given.timeout ?? timeout, 'Timeout', 1, 3_600_000),
		maxRetries: parseWhole(given.maxRetries ?? maxRetries, 'Max Retries', 0, 20),
		maxWaitMs,
	};
}

/** Rows to a request. */
export function parsePageSize(options: unknown): number {
	const given = asCollection(options).pageSize ?? MAX_PAGE_SIZE;
	return parseWhole(given, 'Page Size', 1, MAX_PAGE_SIZE);
}

/** New versions of cases that one poll of the trigger takes at most. */
export function parseMaxCases(options: unknown): number {
	const given = asCollection(options).maxCases ?? 2000;
	return parseWhole(given, 'Max Cases per Poll', 1, 1_000_000);
}

/** Rows that the user wants at most. */
export function parseLimit(limit: unknown): number {
	return parseWhole(limit, 'Limit', 1, Number.MAX_SAFE_INTEGER);
}

const SENDING_OPTIONS: INodeProperties[] = [
	{
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 16 },
		default: 8,
		description:
			'How many requests may be under way at the same time, from 1 to 16. Lower it if the service asks to slow down (429).',
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20 },
		default: 4,
		description:
			'How often a request is sent again after a network error or a temporary error of the service (429 and 5xx). The waits are random and grow, or last as long as the service asks. 0 turns this off.',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 60_000,
		description:
			'How long to wait for an answer to a request before it is sent again, in milliseconds',
	},
];

const PAGE_SIZE: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_PAGE_SIZE },
	default: MAX_PAGE_SIZE,
	description:
		'How many rows one request asks for, from 1 to 50. Smaller pages are more requests; they help if the service takes too long to answer.',
};

const OPTIONS_DESCRIPTION =
	'Settings that few workflows need. What is not added keeps its default.';

/**
 * The Options collection of an operation, in alphabetical order.
 * @param further options that only this operation has
 */
export function optionsField(
	show: Show,
	{ pages = false, further = [] }: { pages?: boolean; further?: INodeProperties[] } = {},
): INodeProperties {
	const options = [...SENDING_OPTIONS, ...(pages ? [PAGE_SIZE] : []), ...further];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: { show },
		description: OPTIONS_DESCRIPTION,
		options: alphabetically(options),
	};
}

/** The Options collection of the trigger. */
export const triggerOptionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: OPTIONS_DESCRIPTION,
	options: alphabetically([
		...SENDING_OPTIONS,
		PAGE_SIZE,
		{
			displayName: 'Max Cases per Poll',
			name: 'maxCases',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 2000,
			description:
				'How many changed cases one poll takes at most. The others follow with the next poll, in order.',
		},
		{
			displayName: 'Start From',
			name: 'startFrom',
			type: 'dateTime',
			default: '',
			description:
				'How far back the first poll goes. If it is empty, only what happens after the workflow is published starts it.',
		},
	]),
};
