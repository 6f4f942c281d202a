import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import type { Case, Row } from '../api/types';
import type { Show } from './form';
import type { Parameters } from './parameters';
import { asRecord, parseNames } from './values';

/** How much of a case goes into the output. */
export type Output =
	| { mode: 'simplified' }
	| { mode: 'raw' }
	| { mode: 'selected'; fields: string[] };

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

/** Every field of a case that the form offers, by its name in the API. */
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

/** How much of each case an input item wants. @throws InvalidInput */
export function readOutput({ parameter }: Pick<Parameters, 'parameter'>, item: number): Output {
	const mode = parameter('output', item, 'simplified');
	if (mode === 'simplified' || mode === 'raw') return { mode };
	if (mode !== 'selected') {
		throw new InvalidInput(
			`Output: ${quote(mode)} is unknown`,
			'Choose simplified, selected or raw.',
		);
	}
	const fields = parseNames(parameter('fields', item, []), 'Fields');
	return { mode, fields: fields.filter((field) => field !== '__proto__') };
}

function each(value: unknown, field: string): unknown[] {
	return Array.isArray(value) ? value.map((entry) => asRecord(entry)[field] ?? null) : [];
}

/** The ten fields that most workflows need, flat; a field that the service left out is null. */
function simplify(row: Case): Row {
	return {
		case_id: row.case_id ?? null,
		name: row.name ?? null,
		status: row.status ?? null,
		priority: row.priority ?? null,
		team: asRecord(row.team).name ?? null,
		assignees: each(row.assignees, 'email'),
		tags: each(row.tags, 'name'),
		url: row.url ?? null,
		created_at: row.created_at ?? null,
		updated_at: row.updated_at ?? null,
	};
}

function select(row: Case, fields: string[]): Row {
	const selected: Row = { case_id: row.case_id ?? null };
	for (const field of fields) {
		selected[field] = Object.hasOwn(row, field) ? (row[field] ?? null) : null;
	}
	return selected;
}

/** Reduces a case to what the user chose. */
export function shapeCase(row: Case, output: Output): Row {
	switch (output.mode) {
		case 'raw':
			return row;
		case 'selected':
			return select(row, output.fields);
		case 'simplified':
			return simplify(row);
	}
}

/** Whether the output carries this field of a case. */
export function hasField(output: Output, field: 'activities' | 'records'): boolean {
	return output.mode === 'raw' || (output.mode === 'selected' && output.fields.includes(field));
}
