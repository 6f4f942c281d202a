import { readCase } from '../cases/cases';
import type { Client } from '../http/client';
import { ApiFailure, unlessFailed } from '../failures/failure';
import { isObject } from '../http/json';
import { replaceActionsRequest } from '../http/requests';
import type { ActionInput, CaseAction, Row } from '../types';
import { haveSame } from './sameAction';

/** The actions that a case carries, often without button texts; undefined where it carries none at all. */
export function actionsOfCase({ actions }: Row): CaseAction[] | undefined {
	return Array.isArray(actions) && actions.every(isObject) ? actions : undefined;
}

/** The failure of a write that was answered with success. @throws any other failure */
function unlessAnswered(failure: unknown): ApiFailure {
	const { httpCode = 0 } = failure instanceof ApiFailure ? failure.details : {};
	if (failure instanceof ApiFailure && httpCode >= 200 && httpCode < 300) return failure;
	throw failure;
}

/**
 * Replaces all actions of a case; an empty list removes them. The request describes the whole outcome, so it is
 * retried after a lost answer. After an answer with success that doesn't say what was written the case is read once.
 * @returns the actions as the service says; null where it confirmed the write, and nothing says what the case has
 * @throws ApiFailure when the write fails or isn't confirmed
 */
export async function replaceActions(
	client: Client,
	caseId: string,
	given: ActionInput[],
): Promise<CaseAction[] | null> {
	const answer = await client.send(replaceActionsRequest(caseId, given)).catch(unlessAnswered);
	const isUnreadable = answer instanceof ApiFailure;
	const answered = !isUnreadable && isObject(answer.body) ? answer.body : {};
	const actions =
		actionsOfCase(answered) ?? (await readCase(client, caseId).then(actionsOfCase, unlessFailed));
	if (actions !== undefined && haveSame(actions, given)) return actions;
	if (isUnreadable) throw answer;
	if (actions === undefined) return null;
	throw answer.unusable({
		message: `The service did not confirm the actions of case ${caseId}`,
		remedy:
			'The case has other actions. They may be written or not. Check the case, or run again, which writes the same actions.',
	});
}
