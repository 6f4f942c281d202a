import type { Case, Comment } from './types';

/**
 * An ID that tells a row from others. Above 2^53 a number has lost digits while its JSON was parsed, so that rows with
 * different IDs have the same one. It is then not an ID, as a blank text isn't.
 */
export function exactId(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** The ID of a case as lists have it: a number, but as text above 2^53, where a number would be another ID. */
export function caseIdOf(caseId: string): number | string {
	return Number.isSafeInteger(Number(caseId)) ? Number(caseId) : caseId;
}

/** What tells a case from others: its ID or, where it has none, its whole content. */
export const caseIdentity = (row: Case): string => exactId(row.case_id) ?? JSON.stringify(row);

/** The same for a comment, an activity or an action of a case. */
export const commentIdentity = (row: Comment): string => exactId(row.id) ?? JSON.stringify(row);
