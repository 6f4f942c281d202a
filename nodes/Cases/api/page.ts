import type { Page, PageMeta, Row } from './types';

function positiveInteger(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Reads a pagination object (section 2.8), of which no field is promised. */
export function parseMeta(value: unknown): PageMeta {
	const meta = (typeof value === 'object' && value !== null ? value : {}) as Row;
	return {
		perPage: positiveInteger(meta.per_page),
		pages: positiveInteger(meta.pages),
		hasNextPage: typeof meta.next_page === 'string' && meta.next_page !== '',
	};
}

function isRow(value: unknown): value is Row {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the body of a list answer.
 * @param listKey where the rows stand: `cases`, `comments`, `activities` or `records`
 * @returns the page, or undefined when the body has no such list of objects
 */
export function parsePage<T extends Row>(
	body: unknown,
	listKey: string,
	servedAt?: number,
): Page<T> | undefined {
	if (!isRow(body)) return undefined;
	const rows = body[listKey];
	if (!Array.isArray(rows) || !rows.every(isRow)) return undefined;
	return { rows: rows as T[], meta: parseMeta(body.meta), servedAt };
}

/**
 * When the service began to answer, by its own clock: its Date header less the time the answer took,
 * so that nothing that happened while it answered is dated before.
 * @returns ms since the epoch, in whole seconds; undefined without a readable Date header
 */
export function servedAt(date: unknown, elapsedMs: number): number | undefined {
	const time = typeof date === 'string' ? Date.parse(date) : NaN;
	return Number.isNaN(time) ? undefined : Math.floor((time - elapsedMs) / 1000) * 1000;
}
