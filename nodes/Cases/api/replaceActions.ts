import type { Client } from './client';
import { ApiFailure } from './failure';
import { replaceActionsRequest } from './requests';
import type { ActionInput, Case, CaseAction, Row } from './types';

/** Fields that the answer to a write carries and lists don't. */
const ONLY_IN_ANSWERS = ['action_text', 'story_name', 'story_emoji', 'created_at', 'updated_at'];

/** An action of an answer, as a list would show it: written and skipped cases then have the same fields. */
function asListed(action: unknown): unknown {
	if (typeof action !== 'object' || action === null) return action;
	const entries = Object.entries(action).filter(([name]) => !ONLY_IN_ANSWERS.includes(name));
	return Object.fromEntries(entries);
}

/**
 * Replaces all actions of a case; an empty list removes them.
 * The request describes the whole outcome, so a retry after a lost connection changes nothing.
 * @returns `case_id` and the actions as the service now has them, with the fields that lists carry
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
			remedy:
				'They may be written or not. Check the case, or run again, which writes the same actions.',
		});
	}
	return { case_id: body.case_id ?? caseId, actions: body.actions.map(asListed) };
}

/** The actions that a case carries; undefined where the service sent no list of them, which doesn't mean none. */
export function actionsOfCase({ actions }: Case): CaseAction[] | undefined {
	const isAction = (entry: unknown) => typeof entry === 'object' && entry !== null;
	return Array.isArray(actions) && actions.every(isAction) ? actions : undefined;
}

/** @throws ApiFailure where the service sent no list of the actions */
export function knownActionsOfCase(row: Case, remedy: string): CaseAction[] {
	const actions = actionsOfCase(row);
	if (actions !== undefined) return actions;
	throw new ApiFailure(`The service returned case ${String(row.case_id)} without its actions`, {
		description: remedy,
		retryable: false,
	});
}
