import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { CaseDetails } from '../api/cases/listsOfCase';
import { CASE_ORDERS, MAX_CASES_PER_PAGE, MAX_PAGE_SIZE, type CaseOrder } from '../api/types';
import { parseDate } from './dates';
import { collectionField, readCollection, type Parameters, type Show } from './form';
import { hasField, type Output } from './output';
import {
	asRecord,
	isBlank,
	isExpression,
	lackingValue,
	parseChoice,
	parseNames,
	parseSwitch,
	parseWhole,
} from './values';
import { suggested } from './filters/filterKinds';

// Two tables define the numbers and switches under Options: form, check and default. Other options and fields are below.

type Range = Record<'min' | 'max' | 'default', number>;

const NUMBER_OPTIONS = {
	concurrency: [
		'Concurrency',
		{ min: 1, max: 16, default: 8 },
		'How many requests run at the same time, from 1 to 16. Lower it if you get error 429 (too many requests).',
	],
	maxRetries: [
		'Max Retries',
		{ min: 0, max: 20, default: 4 },
		'How many times to retry a request after a network error or 5xx. 0 turns off all retries, also those after a rate limit (429).',
	],
	timeout: [
		'Timeout (Ms)',
		// The default is longer than the 60 to 100 s after which gateways give up: their answer says more than a timeout here.
		{ min: 1, max: 3_600_000, default: 120_000 },
		'Maximum time for a request and its whole answer, in milliseconds. A slower request is stopped and retried.',
	],
	pageSize: [
		'Page Size',
		{ min: 1, max: MAX_CASES_PER_PAGE, default: MAX_PAGE_SIZE },
		'How many cases to get with each request, from 1 to 500. More than 50 works only if the service allows it. Lower it if requests time out.',
	],
	limitWaitTime: [
		'Limit Wait Time (Minutes)',
		{ min: 1, max: 525_600, default: 45 },
		'After how many minutes to continue without an answer, up to a year. The node then passes on its input, and the buttons stay on the case. By default it waits without a limit.',
	],
	maxCases: [
		'Max Cases per Poll',
		{ min: 1, max: 1_000_000, default: 2000 },
		'Maximum number of changed cases per poll. The rest follow at the next poll.',
	],
} satisfies Record<string, [label: string, Range, description: string]>;

type NumberOptionName = keyof typeof NUMBER_OPTIONS;

/** The form of a number option. */
export function numberOption(name: NumberOptionName): INodeProperties {
	const [displayName, { min, max, default: value }, description] = NUMBER_OPTIONS[name];
	const typeOptions = { minValue: min, maxValue: max };
	return { displayName, name, type: 'number', typeOptions, default: value, description };
}

/**
 * Reads a number option from the Options collection. An option that wasn't added has its default.
 * @throws InvalidInput when the value isn't a whole number in the range of the option
 */
export function readNumberOption(options: unknown, name: NumberOptionName): number {
	const [label, { min, max, default: value }] = NUMBER_OPTIONS[name];
	// An option that was added, but whose expression returns no value, is an error: it doesn't get the default.
	const given = asRecord(options);
	return parseWhole(name in given ? given[name] : value, label, min, max);
}

/** Switches under Options. A switch that isn't added is off. A switch that the user adds starts as on. */
const SWITCHES = {
	acceptIncomplete: [
		'Accept Incomplete Lists',
		'Whether to return a list, with a hint, even if the service says that there is more. If off, the node fails.',
	],
	includeComments: [
		'Include Comments',
		'Whether to return all comments of each case, in a field named comments. Takes at least one more request for each case.',
	],
	keepButtons: [
		'Keep Buttons',
		'Whether the buttons stay on the case after the answer. Pressing them again then changes nothing.',
	],
	markTexts: [
		'Mark Texts of the Case',
		"Whether to put what the case says into backticks and code blocks, so that a model doesn't mistake it for instructions. Always on in an agent's tool.",
	],
	previewOnly: [
		'Preview Only',
		'Whether to show what would change, without writing anything. Each item shows what is there before and after.',
	],
	skipUnchanged: [
		'Skip Unchanged',
		"Whether to read the cases first, and skip those that already have exactly these actions, in this order. If the service doesn't return button texts, entering one always writes the case, and removing one alone writes nothing.",
	],
} satisfies Record<string, [label: string, description: string]>;

export type SwitchName = keyof typeof SWITCHES;

/** The form of a switch. */
export function switchOption(
	name: SwitchName,
	description: string = SWITCHES[name][1],
): INodeProperties {
	return { displayName: SWITCHES[name][0], name, type: 'boolean', default: true, description };
}

/** Whether an input item turns a switch on. @throws InvalidInput for a value that is neither true nor false */
export function readSwitch({ parameter }: Parameters, item: number, name: SwitchName): boolean {
	const given = readCollection(parameter('options', item, {}), 'Options');
	return name in given && parseSwitch(given[name], SWITCHES[name][0]);
}

/** The option Load in Full: which lists of a case to read beyond their first page. */
export const LOAD_IN_FULL: INodeProperties = {
	displayName: 'Load in Full',
	name: 'loadInFull',
	type: 'multiOptions',
	default: [],
	displayOptions: { hide: { '/output': ['simplified'] } },
	options: [
		{ name: 'Activities', value: 'activities' },
		{ name: 'Records', value: 'records' },
	],
	description:
		'A case includes only the first page of its activities and records. Choose which to load completely; this takes extra requests.',
};

/** Reads Load in Full for an input item, without lists that its output leaves out. @throws InvalidInput */
export function readLoadInFull(
	{ parameter }: Parameters,
	item: number,
	output: Output,
): CaseDetails[] {
	const { loadInFull = [] } = asRecord(parameter('options', item, {}));
	const { displayName } = LOAD_IN_FULL;
	return parseNames(loadInFull, displayName)
		.map((name) => parseChoice(name, displayName, ['activities', 'records'] as const))
		.filter((details) => hasField(output, details));
}

/** The field Start From: since when the first poll of a trigger reports changes. */
export const START_FROM: INodeProperties = {
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	description:
		'When you publish for the first time, also report changes since this time. If empty, only later changes are reported.',
};

/** Reads Start From, in whole seconds since the epoch; undefined means from now on. @throws InvalidInput */
export function readStartFrom(
	{ startFrom }: Record<string, unknown>,
	timezone: string,
): number | undefined {
	if (isBlank(startFrom)) return undefined;
	return Math.floor(parseDate(startFrom, timezone, START_FROM.displayName) / 1000);
}

const SENDING = ['concurrency', 'maxRetries', 'timeout'] as const;

/** Options that say how requests are sent; the timeout is in ms. */
export type SendingOptions = Record<(typeof SENDING)[number], number>;

/** How requests are sent where somebody waits for them: the editor, or n8n while it starts. */
export const QUICK_SENDING = { concurrency: 8, maxRetries: 2, timeout: 10_000, maxWaitMs: 10_000 };

/** @throws InvalidInput for a value outside its range, or where one expression stands for the whole collection */
export function readSendingOptions(value: unknown): SendingOptions {
	const options = readCollection(value, 'Options');
	const [concurrency, maxRetries, timeout] = SENDING.map((name) => readNumberOption(options, name));
	return { concurrency, maxRetries, timeout };
}

/**
 * The Options collection, with the options of {@link SendingOptions} and further ones.
 * @param show undefined for the trigger, which has no operations
 */
export const optionsField = (show: Show | undefined, ...further: INodeProperties[]) =>
	ownOptionsField(show, ...SENDING.map(numberOption), ...further);

/** The Options collection with the given options only, for operations that send few requests. */
export function ownOptionsField(
	show: Show | undefined,
	...options: INodeProperties[]
): INodeProperties {
	const texts = {
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add Option',
		description: "Advanced settings. Most workflows don't need them.",
	};
	return collectionField(show, texts, options);
}

/** The fields Return All and Limit. */
export function limitFields(show: Show): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			displayOptions: { show },
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { ...show, returnAll: [false] } },
			description: 'Max number of results to return',
		},
	];
}

/** Reads how many rows to return at most; undefined means all. @throws InvalidInput */
export function readLimit({ parameter }: Parameters, item: number): number | undefined {
	if (parseSwitch(parameter('returnAll', item), 'Return All')) return undefined;
	return parseWhole(parameter('limit', item), 'Limit', 1);
}

const ORDERS: Array<INodePropertyOptions & { value: CaseOrder }> = [
	{ name: 'Created, Newest First', value: 'CREATED_DESC' },
	{ name: 'Created, Oldest First', value: 'CREATED_ASC' },
	{ name: 'Opened, Newest First', value: 'OPENED_DESC' },
	{ name: 'Opened, Oldest First', value: 'OPENED_ASC' },
	{ name: 'Priority, Highest First', value: 'PRIORITY_DESC' },
	{ name: 'Priority, Lowest First', value: 'PRIORITY_ASC' },
	{ name: 'Updated, Newest First', value: 'RECENTLY_EDITED' },
	{ name: 'Updated, Oldest First', value: 'LEAST_RECENTLY_EDITED' },
];

export function orderField(show: Show): INodeProperties {
	return {
		displayName: 'Order',
		name: 'order',
		type: 'options',
		default: 'CREATED_DESC',
		displayOptions: { show },
		options: ORDERS,
		description: 'Which cases come first. With Limit, only the first ones are returned.',
	};
}

/** Reads the field Order. @throws InvalidInput */
export const readOrder = ({ parameter }: Parameters, item: number): CaseOrder =>
	parseChoice(parameter('order', item), 'Order', CASE_ORDERS);

/** The fields Activity Types and Record Types. `method` is the method of the node that suggests the names of types. */
const TYPES_FIELDS = {
	activityTypes: [
		'Activity Types',
		'getActivityTypes',
		'Only activities of these types. If empty, all of them.',
	],
	recordTypes: [
		'Record Types',
		'getRecordTypes',
		'Only records of these types. If empty, all of them. Each type has fields of its own, so for a table choose one type.',
	],
} satisfies Record<string, [label: string, method: string, description: string]>;

type TypesFieldName = keyof typeof TYPES_FIELDS;

/** The field Activity Types or Record Types. */
export function typesField(
	name: TypesFieldName,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties {
	const [displayName, method, text] = TYPES_FIELDS[name];
	const { form, note } = suggested(method, 'type names');
	return { ...form, displayName, name, displayOptions, description: `${text} ${note}` };
}

/**
 * Reads the chosen types, in capitals so that letter case doesn't matter; none means all.
 * @throws InvalidInput, also for an expression that returns none
 */
export function readTypes(
	{ parameter, stored }: Parameters,
	item: number,
	name: TypesFieldName,
): string[] {
	const [label] = TYPES_FIELDS[name];
	const given = parameter(name, item, []);
	const names = parseNames(given, label);
	if (names.length === 0 && given !== '' && isExpression(stored(name))) {
		throw lackingValue(`'${label}'`);
	}
	return [...new Set(names.map((type) => type.toUpperCase()))];
}

/** Whether a type is among the chosen ones. If none is chosen, all types are. */
export function isOfTypes(type: unknown, chosen: string[]): boolean {
	if (chosen.length === 0) return true;
	return typeof type === 'string' && chosen.includes(type.trim().toUpperCase());
}
