import type { INodeProperties } from 'n8n-workflow';

import type { Activity, Case, Row } from '../api/types';
import { field, type Field } from './form';
import { asRecord, parseChoice, parseNames } from './values';

/** How much of a case goes into the output. */
export type Output =
	| { mode: 'simplified' }
	| { mode: 'raw' }
	| { mode: 'selected'; fields: string[] };

/** How much of a comment, an activity, a file, a record or a task goes into the output. */
export type DetailOutput = 'simplified' | 'raw';

/** The fields of a case but `case_id`, in alphabetical order, as the form offers them. */
export const CASE_FIELD_NAMES = [
	...['actions', 'activities', 'activities_meta', 'assignees', 'author', 'closure_conditions'],
	...['created_at', 'description', 'fields', 'linked_cases', 'metadata', 'name', 'opened_at'],
	...['opened_by', 'priority', 'records', 'records_meta', 'resolved_at', 'resolved_by', 'sla'],
	...['status', 'sub_status', 'tags', 'team', 'updated_at', 'url'],
];

/** Turns a name of the API into a label: `opened_by` into "Opened By". */
const labelOf = (name: string) =>
	name === 'url' || name === 'sla'
		? name.toUpperCase()
		: name.replace(/(?:^|_)(.)/g, (_match, letter: string) => ` ${letter.toUpperCase()}`).trim();

const MODES = { simplified: 'Simplified', selected: 'Selected Fields', raw: 'Raw' };

/** The choices of the field Output for each kind of result. */
const OUTPUTS = {
	case: {
		simplified:
			'ID, name, status, priority, team, assignees, tags, URL, and when it was created, updated and resolved',
		selected: 'Only the fields you choose',
		raw: 'Everything the service returns. Can be large.',
	},
	comment: {
		simplified: 'Case ID, comment ID, text, author and time',
		raw: 'Everything the service returns, for example reactions',
	},
	activity: {
		simplified: 'Case ID, activity ID, type, value, user and time',
		raw: 'Everything the service returns, with the case ID',
	},
	record: {
		simplified: 'Case ID, record ID, type, time, and each value in a field of its own',
		raw: 'The record as the service returns it, with the case ID and its type',
	},
	file: {
		simplified: 'Case ID, file ID, name, comment, author and time',
		raw: 'Everything the service returns, with the case ID',
	},
	task: {
		simplified: 'Case ID, task ID, description, whether it is completed, assignees and times',
		raw: 'Everything the service returns, with the case ID',
	},
} satisfies Record<string, { [Mode in keyof typeof MODES]?: string }>;

function outputForm(noun: keyof typeof OUTPUTS): INodeProperties {
	return {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'simplified',
		options: Object.entries(OUTPUTS[noun]).map(([value, description]) => ({
			name: MODES[value as keyof typeof MODES],
			value,
			description,
		})),
		description: `How much of each ${noun} to return. Less is easier to read.`,
	};
}

/** The field Output for cases, and the field in which the selected fields are chosen. */
export const CASE_OUTPUT: Field<Output> = {
	form: [
		outputForm('case'),
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			default: ['name', 'status', 'priority'],
			displayOptions: { show: { output: ['selected'] } },
			options: CASE_FIELD_NAMES.map((value) => ({ name: labelOf(value), value })),
			description: 'Which fields of each case to return. The case ID is always included.',
		},
	],
	read: ({ parameter }, item) => {
		const given = parameter('output', item, 'simplified');
		const mode = parseChoice(given, 'Output', ['simplified', 'selected', 'raw'] as const);
		if (mode !== 'selected') return { mode };
		const fields = parseNames(parameter('fields', item, []), 'Fields');
		return { mode, fields: fields.filter((name) => name !== '__proto__') };
	},
};

/** The field Output for what a case holds. */
export const detailOutput = (noun: Exclude<keyof typeof OUTPUTS, 'case'>): Field<DetailOutput> =>
	field(outputForm(noun), (value, label) =>
		parseChoice(value, label, ['simplified', 'raw'] as const),
	);

/** One field of each entry of a list; null where the list is missing, which doesn't mean that it is empty. */
function each(value: unknown, field: string): unknown[] | null {
	return Array.isArray(value) ? value.map((entry) => asRecord(entry)[field] ?? null) : null;
}

/** Some fields of a row. A field that the service left out is null. */
function pick(row: Row, ...fields: string[]): Row {
	return Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));
}

/** Reduces a case to what the user chose under Output. */
export function shapeCase(row: Case, output: Output): Row {
	if (output.mode === 'raw') return row;
	if (output.mode === 'selected') return pick(row, 'case_id', ...output.fields);
	return {
		...pick(row, 'case_id', 'name', 'status', 'priority'),
		team: asRecord(row.team).name ?? null,
		assignees: each(row.assignees, 'email'),
		tags: each(row.tags, 'name'),
		...pick(row, 'url', 'created_at', 'updated_at', 'resolved_at'),
	};
}

/** First and last name of a user; null where both are missing. */
export function nameOfUser(user: unknown): string | null {
	const { first_name, last_name } = asRecord(user);
	const name = [first_name, last_name].filter((part) => typeof part === 'string').join(' ');
	return name.trim() === '' ? null : name.trim();
}

/** Shapes what comments, files and activities share. @param id, user the names of these fields in the output */
function shapeEntry(row: Row, id: string, value: Row, user: string): Row {
	return {
		case_id: row.case_id ?? null,
		[id]: row.id ?? null,
		...value,
		[user]: nameOfUser(row.user),
		[`${user}_email`]: asRecord(row.user).email ?? null,
		is_service_account: asRecord(row.user).is_service_account ?? null,
		created_at: row.created_at ?? null,
	};
}

/** Reduces a comment to what the user chose. @param row must have its `case_id` already */
export function shapeComment(row: Row, output: DetailOutput): Row {
	if (output === 'raw') return row;
	return shapeEntry(row, 'comment_id', { text: row.value ?? null }, 'author');
}

/** Reduces an activity to what the user chose. @param row must have its `case_id` already */
export function shapeActivity(row: Activity, output: DetailOutput): Row {
	if (output === 'raw') return row;
	const { activity_type = null, value = null } = row;
	return shapeEntry(row, 'activity_id', { activity_type, value }, 'user');
}

/** Reduces a file to what the user chose. @param row must have its `case_id` already */
export function shapeFile(row: Row, output: DetailOutput = 'simplified'): Row {
	if (output === 'raw') return row;
	const value = { file_name: asRecord(row.file).filename ?? null, comment: row.value ?? null };
	const names = [
		'case_id',
		'file_id',
		'file_name',
		'comment',
		'author',
		'author_email',
		'created_at',
	];
	return pick(shapeEntry(row, 'file_id', value, 'author'), ...names);
}

/** Reduces a task to what the user chose. @param row must have its `case_id` already */
export function shapeTask(row: Row, output: DetailOutput = 'simplified'): Row {
	if (output === 'raw') return row;
	return {
		case_id: row.case_id ?? null,
		task_id: row.id ?? null,
		...pick(row, 'description', 'completed'),
		assignees: each(row.assignees, 'email'),
		...pick(row, 'created_at', 'updated_at'),
	};
}

/** Whether the output of a case has this field. */
export function hasField(output: Output, field: 'activities' | 'records'): boolean {
	return output.mode === 'raw' || (output.mode === 'selected' && output.fields.includes(field));
}
