import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';

const MAX_COLUMNS = 6;
const MAX_ROWS = 8;
const TABLE_WIDTH = 130;

/** The objects as a table: a column for each key, as many columns and rows as fit a terminal. */
export function tableOf(rows: IDataObject[]): string {
	const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const columns = keys.slice(0, MAX_COLUMNS);
	const width = Math.floor(TABLE_WIDTH / columns.length);
	const table = new Table({
		head: columns,
		style: { head: process.stdout.isTTY ? ['bold'] : [], border: [] },
	});
	for (const row of rows.slice(0, MAX_ROWS)) {
		table.push(columns.map((key) => cellOf(row[key], width)));
	}
	const hidden = [
		...(rows.length > MAX_ROWS ? [`${rows.length - MAX_ROWS} more rows`] : []),
		...(keys.length > MAX_COLUMNS ? [`more columns: ${keys.slice(MAX_COLUMNS).join(', ')}`] : []),
	];
	return [table.toString(), ...(hidden.length > 0 ? [`  … ${hidden.join('; ')}`] : [])].join('\n');
}

/** A line for each entry of a list, cut at the width. */
function cellOf(value: unknown, width: number): string {
	return [value]
		.flat()
		.map((entry) => textOf(entry).replace(/\s+/g, ' '))
		.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line))
		.join('\n');
}

/** An object goes by the name people know it by, if it has one. */
function textOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object') return String(value);
	const { label, name, email } = value as IDataObject;
	return String(label ?? name ?? email ?? JSON.stringify(value));
}
