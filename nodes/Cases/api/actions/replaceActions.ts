import { readCase } from '../cases/cases';
import type { Client } from '../http/client';
import { ApiFailure, unlessFailed } from '../failures/failure';
import { isObject } from '../json';
import { replaceActionsRequest } from '../http/requests';
import type { ActionInput, CaseAction, Row } from '../types';
import { haveSame } from './sameAction';

/** The actions in a row of a case, often without button texts; undefined where the row has no list of actions. */
export function actionsOfCase({ actions }: Row): CaseAction[] | undefined {
	return Array.isArray(actions) && actions.every(isObject) ? actions : undefined;
}

/** Returns the failure of a write whose answer had a status of success but no usable body. @throws any other failure */
function unlessAnswered(failure: unknown): ApiFailure {
	const { httpCode = 0 } = failure instanceof ApiFailure ? failure.details : {};
	if (failure instanceof ApiFailure && httpCode >= 200 && httpCode < 300) return failure;
	throw failure;
}

/**
 * Replaces all actions of a case; an empty list removes them. If the service confirms the write without saying which
 * actions the case has, the case is read once.
 * @returns the actions of the case
 * @throws ApiFailure when the write fails, or when neither the answer nor the case shows the given actions
 */
export async function replaceActions(
	client: Client,
	caseId: string,
	given: ActionInput[],
): Promise<CaseAction[]> {
	const answer = await client.send(replaceActionsRequest(caseId, given)).catch(unlessAnswered);
	const isUnreadable = answer instanceof ApiFailure;
	const answered = !isUnreadable && isObject(answer.body) ? answer.body : {};
	const actions =
		actionsOfCase(answered) ?? (await readCase(client, caseId).then(actionsOfCase, unlessFailed));
	if (actions !== undefined && haveSame(actions, given)) return actions;
	if (isUnreadable) throw answer;
	throw answer.unusable({
		message: `The service did not confirm the actions of case ${caseId}`,
		remedy:
			'They may be written or not. Check the case, or run again, which writes the same actions.',
	});
}
