import type { INodeProperties } from 'n8n-workflow';

import type { Case, Row } from '../api/types';
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
const CASE_FIELD_NAMES = [
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

const WITH_CASE_ID = 'Everything the service returns, with the case ID';

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
	activity: { simplified: 'Case ID, activity ID, type, value, user and time', raw: WITH_CASE_ID },
	record: {
		simplified: 'Case ID, record ID, type, time, and each value in a field of its own',
		raw: 'The record as the service returns it, with the case ID and its type',
	},
	file: { simplified: 'Case ID, file ID, name, comment, author and time', raw: WITH_CASE_ID },
	task: {
		simplified: 'Case ID, task ID, description, whether it is completed, assignees and times',
		raw: WITH_CASE_ID,
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
		const mode = parseChoice(given, 'Output', ['simplified', 'selected', 'raw']);
		if (mode !== 'selected') return { mode };
		const fields = parseNames(parameter('fields', item, []), 'Fields');
		return { mode, fields: fields.filter((name) => name !== '__proto__') };
	},
};

/** The field Output for what a case holds. */
export const detailOutput = (noun: Exclude<keyof typeof OUTPUTS, 'case'>): Field<DetailOutput> =>
	field(outputForm(noun), (value, label) => parseChoice(value, label, ['simplified', 'raw']));

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

/**
 * Makes a function that reduces what a case holds to what the user chose.
 * @param simplify reduces a row, which must have its `case_id` already
 */
const shaping =
	(simplify: (row: Row) => Row) =>
	(row: Row, output: DetailOutput = 'simplified'): Row =>
		output === 'raw' ? row : simplify(row);

export const shapeComment = shaping((row) =>
	shapeEntry(row, 'comment_id', { text: row.value ?? null }, 'author'),
);

export const shapeActivity = shaping(({ activity_type = null, value = null, ...row }) =>
	shapeEntry(row, 'activity_id', { activity_type, value }, 'user'),
);

export const shapeFile = shaping((row) => {
	const file_name = asRecord(row.file).filename ?? null;
	const value = { file_name, comment: row.value ?? null };
	const entry = shapeEntry(row, 'file_id', value, 'author');
	delete entry.is_service_account;
	return entry;
});

export const shapeTask = shaping((row) => ({
	case_id: row.case_id ?? null,
	task_id: row.id ?? null,
	...pick(row, 'description', 'completed'),
	assignees: each(row.assignees, 'email'),
	...pick(row, 'created_at', 'updated_at'),
}));

/** Fields that the service adds to each record: they aren't values. */
const NO_VALUES = ['id', 'record_type_id', 'record_type_name', 'created_at'];

/** The values of a record with their names. A record without a list of values has them in its other fields. */
function namedValues(record: Row): Array<[name: unknown, value: unknown]> {
	if (!Array.isArray(record.results)) {
		return Object.entries(record).filter(([name]) => !NO_VALUES.includes(name));
	}
	return record.results.map(asRecord).map(({ name, value = null }) => [name, value]);
}

/**
 * Reduces a record to what the user chose: the row as it came with the case, or its values by name. If a name is taken by
 * a fixed field or by an earlier value, it gets a number, so that no value is lost: `host`, `host_2`, `host_3`. A value
 * without a name is called `value`.
 * @param record must be a flat row, not a group of records
 */
export function shapeRecord(
	record: Row,
	case_id: unknown,
	output: DetailOutput = 'simplified',
): Row {
	if (output === 'raw') return { case_id, ...record };
	const shaped: Row = {
		case_id: case_id ?? null,
		record_id: record.id ?? null,
		record_type: record.record_type_name ?? null,
		record_created_at: record.created_at ?? null,
	};
	const isTaken = (name: string) => name === '__proto__' || Object.hasOwn(shaped, name);
	for (const [given, value] of namedValues(record)) {
		const name = typeof given === 'string' && given !== '' ? given : 'value';
		let free = name;
		for (let number = 2; isTaken(free); number++) free = `${name}_${number}`;
		shaped[free] = value;
	}
	return shaped;
}

/** Whether the output of a case has this field. */
export function hasField(output: Output, field: 'activities' | 'records'): boolean {
	return output.mode === 'raw' || (output.mode === 'selected' && output.fields.includes(field));
}
