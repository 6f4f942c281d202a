import type { Case, Comment } from './types';

/** What tells a case from others: its ID or, where the service left it out, its whole content. */
export function caseIdentity(row: Case): string {
	return row.case_id === undefined || row.case_id === null
		? JSON.stringify(row)
		: String(row.case_id);
}

/** What tells a comment of a case from others: its ID or, where the service left it out, its whole content. */
export function commentIdentity(row: Comment): string {
	return row.id === undefined || row.id === null ? JSON.stringify(row) : String(row.id);
}
