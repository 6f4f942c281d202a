import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';

const MAX_COLUMNS = 6;
const MAX_ROWS = 8;
/** Lines of one cell; a long text is not shown as a whole. */
const MAX_LINES = 12;
/** The total width of the cells of a row, in characters. */
const ROW_WIDTH = 110;

/** The number and the noun, in singular or plural: "1 row", "2 rows". */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * The objects as a table with a column per key, as many columns and rows as fit a terminal. Long texts
 * are wrapped, and end after some lines.
 */
export function tableOf(rows: IDataObject[]): string {
	const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const columns = keys.slice(0, MAX_COLUMNS);
	const cells = rows.slice(0, MAX_ROWS).map((row) => columns.map((key) => linesOf(row[key])));
	const widths = shareWidth(
		columns.map((key, column) =>
			Math.max(key.length, ...cells.flatMap((row) => row[column].map(({ length }) => length))),
		),
	);
	const table = new Table({
		head: columns,
		style: { head: process.stdout.isTTY ? ['bold'] : [], border: [] },
	});
	for (const row of cells) {
		table.push(
			row.map((lines, column) =>
				shorten(lines.flatMap((line) => wrap(line, widths[column]))).join('\n'),
			),
		);
	}
	const omitted = [
		...(rows.length > MAX_ROWS ? [counted(rows.length - MAX_ROWS, 'more row')] : []),
		...(keys.length > MAX_COLUMNS ? [`more columns: ${keys.slice(MAX_COLUMNS).join(', ')}`] : []),
	];
	return [table.toString(), ...(omitted.length > 0 ? [`  … ${omitted.join('; ')}`] : [])].join(
		'\n',
	);
}

/** Gives narrow columns the width they need, and divides the rest equally among the wide ones. */
function shareWidth(needed: number[]): number[] {
	const widths = [...needed];
	let remaining = ROW_WIDTH;
	const narrowFirst = needed.map((_, column) => column).sort((a, b) => needed[a] - needed[b]);
	narrowFirst.forEach((column, index) => {
		widths[column] = Math.min(needed[column], Math.floor(remaining / (needed.length - index)));
		remaining -= widths[column];
	});
	return widths;
}

/** The text in lines of at most this width, broken between words if possible. */
function wrap(text: string, width: number): string[] {
	if (text.length <= width) return [text];
	const space = text.lastIndexOf(' ', width);
	const end = space > 0 ? space : width;
	return [text.slice(0, end), ...wrap(text.slice(end).trimStart(), width)];
}

const shorten = (lines: string[]) =>
	lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;

/** A line for each entry of a list, and for each line of a text. */
function linesOf(value: unknown): string[] {
	const lines = [value].flat().flatMap((entry) => textOf(entry).split('\n'));
	return lines.map((line) => line.replace(/\s+/g, ' '));
}

/** The value as text; an object is shown by its label or name if it has one. */
function textOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value !== 'object') return String(value);
	const { label, name, email, emoji } = value as IDataObject;
	return String(label ?? name ?? email ?? emoji ?? JSON.stringify(value));
}
