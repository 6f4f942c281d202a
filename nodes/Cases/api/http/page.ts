import { isObject } from './json';
import type { Page, PageMeta, Row } from '../types';

function positiveInteger(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Reads the pagination object of a list, in which every field may be missing or wrong. */
export function parseMeta(value: unknown): PageMeta {
	const meta = isObject(value) ? value : {};
	const perPage = positiveInteger(meta.per_page);
	const pages = positiveInteger(meta.pages);
	const count = positiveInteger(meta.count);
	const isTotal =
		count !== undefined && perPage !== undefined && Math.ceil(count / perPage) === pages;
	return {
		perPage,
		pages,
		count,
		total: isTotal ? count : undefined,
		hasNextPage: typeof meta.next_page === 'string' && meta.next_page !== '',
	};
}

/**
 * Reads the body of one page of a list.
 * @param listKey the field with the rows: `cases`, `comments`, `activities` or `records`
 * @returns undefined when that field is not a list of objects
 */
export function parsePage<T extends Row>(
	body: unknown,
	listKey: string,
	servedAt?: number,
): Page<T> | undefined {
	if (!isObject(body)) return undefined;
	const rows = body[listKey];
	if (!Array.isArray(rows) || !rows.every(isObject)) return undefined;
	return { rows: rows as T[], meta: parseMeta(body.meta), servedAt };
}

/**
 * Computes when the service began to answer, by its own clock: its Date header minus the time the answer took. So
 * nothing that happens during the answer is dated earlier.
 * @param date the Date header
 * @returns ms since the epoch, rounded down to whole seconds; undefined without a readable Date header
 */
export function servedAt(date: unknown, elapsedMs: number): number | undefined {
	const time = typeof date === 'string' ? Date.parse(date) : NaN;
	return Number.isNaN(time) ? undefined : Math.floor((time - elapsedMs) / 1000) * 1000;
}
