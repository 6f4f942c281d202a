import type { Client } from './client';
import { replaceActionsRequest } from './requests';
import type { ActionInput, Case, CaseAction, Row } from './types';

/**
 * Replaces all actions of a case; an empty list removes them.
 * The request describes the whole outcome, so a retry after a lost connection changes nothing.
 * @returns `case_id` and the actions as the service now has them
 * @throws ApiFailure when the service doesn't confirm it
 */
export async function replaceActions(
	client: Client,
	caseId: string,
	actions: ActionInput[],
): Promise<{ case_id: unknown; actions: unknown[] }> {
	const answer = await client.send(replaceActionsRequest(caseId, actions));
	const body = (answer.body ?? {}) as Row;
	if (!Array.isArray(body.actions)) {
		throw answer.unusable({
			message: `The service did not confirm the actions of case ${caseId}`,
			remedy: 'They may be written or not: look at the case, or run again, which writes the same.',
		});
	}
	return { case_id: body.case_id ?? caseId, actions: body.actions };
}

/** The actions that a case carries. */
export function actionsOfCase(row: Case): CaseAction[] {
	return Array.isArray(row.actions) ? row.actions : [];
}
