import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { FILTERS, type FilterName } from './filters';

/** For which operations a field shows. */
export type Show = { resource: string[]; operation: string[] };

/**
 * The fields of a collection in alphabetical order of their labels. `localeCompare` would load Node's language data,
 * which takes a quarter of the time that n8n needs to load this package.
 */
export function alphabetically(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/** Where the suggestions come from, and how other values are given. */
function suggestions(what: string): string {
	return `Choose from those of the newest cases that the key can see, or specify ${what} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`;
}

/**
 * The case that an operation is about.
 * @param description what the operation does with the case
 */
export function caseField(show: Show, description: string): INodeProperties {
	return {
		displayName: 'Case',
		name: 'caseId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		displayOptions: { show },
		description: `${description}. To take it from each input item, choose By ID and drag case_id into the field.`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a case…',
				typeOptions: { searchListMethod: 'searchCases', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 4711',
			},
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string',
				placeholder: 'e.g. https://acme.example.com/cases/4711',
			},
		],
	};
}

/** Return All and Limit. */
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

type FilterField = Omit<INodeProperties, 'displayName' | 'name'>;

function suggested(method: string, what: string, description: string): FilterField {
	return {
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: method, allowArbitraryValues: true },
		default: [],
		description: `${description}. ${suggestions(what)}`,
	};
}

function date(description: string): FilterField {
	return {
		type: 'dateTime',
		default: '',
		description: `${description} A time without a zone is in the workflow's timezone.`,
	};
}

const UNCLEAR_DATE = 'Which date of a case the service compares is not documented.';
const UNCLEAR_END =
	'Without an end, the service takes today as the end, which may leave out what happened today.';

const FILTER_FIELDS: Record<FilterName, FilterField> = {
	and_tags: suggested('getTags', 'tag names', 'Cases that have all of these tags'),
	tags: suggested(
		'getTags',
		'tag names',
		'Cases that have all of these tags; the same as All of These Tags',
	),
	or_tags: suggested('getTags', 'tag names', 'Cases that have at least one of these tags'),
	excluded_tags: suggested('getTags', 'tag names', 'Cases that have none of these tags'),
	assigned_to_me: {
		type: 'boolean',
		default: true,
		description:
			'Whether to get only cases assigned to the user of the API key. Remove the filter to get the others too.',
	},
	unassigned: {
		type: 'boolean',
		default: true,
		description:
			'Whether to get only cases assigned to nobody. Remove the filter to get the others too.',
	},
	assignees: suggested('getUserIds', 'user IDs', 'Cases assigned to any of these users'),
	assignee_emails: suggested(
		'getUserEmails',
		'email addresses',
		'Cases assigned to any user with one of these email addresses',
	),
	author_emails: suggested(
		'getUserEmails',
		'email addresses',
		'Cases created by a user with one of these email addresses',
	),
	case_ids: {
		type: 'string',
		default: '',
		placeholder: 'e.g. 4711, 4712',
		description:
			'Cases with these IDs, separated by commas, or a list of IDs by expression. Blank text is no filter, an empty list matches no case. Any number of IDs works.',
	},
	metadata: {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Pair' },
		placeholder: 'Add Pair',
		default: {},
		description: 'Cases whose metadata has all of these pairs',
		options: [
			{
				displayName: 'Pair',
				name: 'pair',
				values: [
					{
						displayName: 'Key',
						name: 'key',
						type: 'string',
						default: '',
						placeholder: 'e.g. source',
						description: 'Name of the metadata entry',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. mail-gateway',
						description: 'Value that the entry must have',
					},
				],
			},
		],
	},
	priority: {
		type: 'options',
		default: 'CRITICAL',
		options: [
			{ name: 'Critical', value: 'CRITICAL' },
			{ name: 'High', value: 'HIGH' },
			{ name: 'Info', value: 'INFO' },
			{ name: 'Low', value: 'LOW' },
			{ name: 'Medium', value: 'MEDIUM' },
		],
		description: 'Cases of this priority',
	},
	status: {
		type: 'options',
		default: 'OPEN',
		options: [
			{ name: 'Open', value: 'OPEN' },
			{ name: 'Closed', value: 'CLOSED' },
		],
		description: 'Cases in this state',
	},
	records: {
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Record' },
		default: [],
		placeholder: 'e.g. 203.0.113.7',
		description: 'Cases that have records with these values',
	},
	search: {
		type: 'string',
		default: '',
		placeholder: 'e.g. phishing',
		description: 'Cases whose name, description or ID matches this text',
	},
	start_date: date(`Cases from this time on. ${UNCLEAR_DATE} ${UNCLEAR_END}`),
	end_date: date(`Cases up to this time. ${UNCLEAR_DATE}`),
	resolved_at_start_date: date(`Cases resolved at this time or later. ${UNCLEAR_END}`),
	resolved_at_end_date: date('Cases resolved at this time or earlier.'),
	updated_at_start_date: date(`Cases updated at this time or later. ${UNCLEAR_END}`),
	updated_at_end_date: date('Cases updated at this time or earlier.'),
};

const TEAM_FIELD: FilterField = {
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getTeams', allowArbitraryValues: true },
	default: '',
	description: `Cases of this team. ${suggestions('a team ID')}`,
};

/**
 * The Filters collection: the API's own filter names, in alphabetical order of their labels.
 * @param without filters that the place can't use
 */
export function filtersField(show: Show | undefined, without: FilterName[] = []): INodeProperties {
	const names = (Object.keys(FILTER_FIELDS) as FilterName[]).filter(
		(name) => !without.includes(name),
	);
	const fields: INodeProperties[] = [
		...names.map((name) => ({ displayName: FILTERS[name].label, name, ...FILTER_FIELDS[name] })),
		{ displayName: 'Team', name: 'team_id', ...TEAM_FIELD },
	];
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		...(show === undefined ? {} : { displayOptions: { show } }),
		description:
			'Only cases that meet all of these filters. Without any, every case that the key can see.',
		options: alphabetically(fields),
	};
}

const PERIODS: INodePropertyOptions[] = [
	{ name: '15 Minutes', value: '15m' },
	{ name: '1 Hour', value: '1h' },
	{ name: '4 Hours', value: '4h' },
	{ name: '24 Hours', value: '24h' },
	{ name: '7 Days', value: '7d' },
	{ name: '30 Days', value: '30d' },
	{ name: '90 Days', value: '90d' },
];

function period(displayName: string, name: string, description: string): INodeProperties {
	return { displayName, name, type: 'options', options: PERIODS, default: '24h', description };
}

/** Periods that end when the node runs, for those who don't know expressions. */
export function periodsField(show: Show): INodeProperties {
	return {
		displayName: 'Within the Last',
		name: 'withinLast',
		type: 'collection',
		placeholder: 'Add Period',
		default: {},
		displayOptions: { show },
		description:
			'Only cases of a period up to now, e.g. those updated within the last 24 hours. Add none to get cases of any time.',
		options: [
			period('Resolved', 'resolved_at', 'Cases resolved within this period'),
			period('Start Date', 'start_date', `Cases of this period. ${UNCLEAR_DATE}`),
			period('Updated', 'updated_at', 'Cases updated within this period'),
		],
	};
}

const CASE_FIELDS: INodePropertyOptions[] = [
	{ name: 'Actions', value: 'actions' },
	{ name: 'Activities', value: 'activities' },
	{ name: 'Assignees', value: 'assignees' },
	{ name: 'Author', value: 'author' },
	{ name: 'Closure Conditions', value: 'closure_conditions' },
	{ name: 'Created At', value: 'created_at' },
	{ name: 'Description', value: 'description' },
	{ name: 'Linked Cases', value: 'linked_cases' },
	{ name: 'Metadata', value: 'metadata' },
	{ name: 'Name', value: 'name' },
	{ name: 'Opened At', value: 'opened_at' },
	{ name: 'Opened By', value: 'opened_by' },
	{ name: 'Priority', value: 'priority' },
	{ name: 'Records', value: 'records' },
	{ name: 'Resolved At', value: 'resolved_at' },
	{ name: 'Resolved By', value: 'resolved_by' },
	{ name: 'Status', value: 'status' },
	{ name: 'Tags', value: 'tags' },
	{ name: 'Team', value: 'team' },
	{ name: 'Updated At', value: 'updated_at' },
	{ name: 'URL', value: 'url' },
];

/** Every field of a case that can be selected, by its name in the API. */
export const CASE_FIELD_NAMES = CASE_FIELDS.map(({ value }) => String(value));

/** Output and, for selected fields, which. */
export function outputFields(show?: Show): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: 'simplified',
			...(show === undefined ? {} : { displayOptions: { show } }),
			options: [
				{
					name: 'Simplified',
					value: 'simplified',
					description: 'The ten fields that most workflows need, flat',
				},
				{
					name: 'Selected Fields',
					value: 'selected',
					description: 'The fields that you choose, as the service sends them',
				},
				{
					name: 'Raw',
					value: 'raw',
					description: 'The whole case as the service sends it; large',
				},
			],
			description: 'How much of each case to return. Less is faster and easier to read.',
		},
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			default: ['name', 'status', 'priority'],
			displayOptions: { show: { ...show, output: ['selected'] } },
			options: CASE_FIELDS,
			description: 'Fields of each case to return. The case ID is always among them.',
		},
	];
}

/** Which parts of the output cases to read whole, an entry of Options. */
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
		'Parts to read whole. Without this, a case carries only the first page of each. Needs further requests for each case that has more.',
};

/** The action texts of all operations, by resource and operation, as JSON for the expression of the subtitle. */
export function actionTextsOf(properties: INodeProperties[]): string {
	const actions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(({ value, action }) => [
				`${String(displayOptions?.show?.resource?.[0])}.${String(value)}`,
				action,
			]),
		);
	return JSON.stringify(Object.fromEntries(actions));
}
