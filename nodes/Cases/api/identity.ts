import type { Case, Row } from './types';

/**
 * The ID of a row as text; undefined for a blank text and for a number above 2^53. Such a number lost digits while its
 * JSON was parsed, so several rows may have it.
 */
export function exactId(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Turns an ID into a number, as lists have it. Above 2^53 the ID stays text, because a number would lose digits. */
export function numericId(id: string): number | string {
	return Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

/** A text that identifies a case: its ID or, where it has none, its whole content. */
export const caseIdentity = (row: Case): string => exactId(row.case_id) ?? JSON.stringify(row);

/** A text that identifies a comment, an activity or an action of a case. */
export const rowIdentity = (row: Row): string => exactId(row.id) ?? JSON.stringify(row);
