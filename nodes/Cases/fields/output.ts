import type { Case, Row } from '../api/types';

/** How much of a case goes into the output. */
export type Output =
	| { mode: 'simplified' }
	| { mode: 'raw' }
	| { mode: 'selected'; fields: string[] };

function objectOf(value: unknown): Row {
	return typeof value === 'object' && value !== null ? (value as Row) : {};
}

function each(value: unknown, field: string): unknown[] {
	return Array.isArray(value) ? value.map((entry) => objectOf(entry)[field] ?? null) : [];
}

/** The ten fields that most workflows need, flat; a field that the service left out is null. */
function simplify(row: Case): Row {
	return {
		case_id: row.case_id ?? null,
		name: row.name ?? null,
		status: row.status ?? null,
		priority: row.priority ?? null,
		team: objectOf(row.team).name ?? null,
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

/** Cuts a case (section 2.1) to what the user asked for. */
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
