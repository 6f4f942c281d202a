import type { Client } from '../client';
import { deleteAt } from '../deleteAt';
import { ApiFailure, quote, shorten, unlessFailed } from '../failure';
import { caseIdOf, exactId } from '../identity';
import { isObject } from '../json';
import type { ApiAnswer } from '../readAnswer';
import { actionsPath } from '../requests';
import type { ActionInput, CaseAction } from '../types';
import { withAdvice } from '../writes/caseWrites';
import { readActions } from './readActions';
import { differs } from './sameAction';

const pathOf = (caseId: string, id: unknown) =>
	`${actionsPath(caseId)}/${encodeURIComponent(String(id))}`;

/**
 * The action that a write was answered with, and what is known where the answer leaves it out.
 * @throws ApiFailure where the answer speaks of an error or of another action, or nothing says its ID
 */
function confirmed(
	{ body, saidError, unusable }: ApiAnswer,
	caseId: string,
	given: ActionInput,
	current: CaseAction = {},
): CaseAction {
	const answered = isObject(body) ? body : {};
	const action: CaseAction = { case_id: caseIdOf(caseId), ...current, ...given, ...answered };
	const isNamed = exactId(action.id) !== undefined && !differs(action, given);
	if (saidError === undefined && isNamed) return action;
	const said =
		saidError === undefined
			? `It answered with ${shorten(JSON.stringify(answered), 200)}`
			: `The service says: ${saidError}`;
	throw unusable({
		message: `The service did not confirm the action ${quote(given.label)} of case ${caseId}`,
		remedy: `${said}. The action may be written or not. Check the case.`,
	});
}

/**
 * Adds an action to a case that doesn't have it. It is never retried where the first request may have been carried
 * out: then the list of actions is read once.
 * @returns the action as the service has it, with its `id`
 * @throws ApiFailure, which says so where the action may still arrive
 */
export async function createAction(
	client: Client,
	caseId: string,
	given: ActionInput,
): Promise<CaseAction> {
	return await client
		.send({ method: 'POST', path: actionsPath(caseId), body: { ...given } })
		.then((answer) => confirmed(answer, caseId, given))
		.catch(async (failure: unknown) => {
			const isUnsure = failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
			if (!isUnsure) throw failure;
			const listed = await readActions(client, caseId).catch(unlessFailed);
			const found = listed?.find((action) => !differs(action, given));
			if (found !== undefined) return { case_id: caseIdOf(caseId), ...found };
			throw withAdvice(
				failure,
				`Action ${quote(given.label)} was not found on case ${caseId} afterwards. It may still arrive. Check the case before you run again.`,
			);
		});
}

/** Changes the given fields of an action of a case. @returns the action as the service has it */
export async function updateAction(
	client: Client,
	caseId: string,
	current: CaseAction,
	given: ActionInput,
): Promise<CaseAction> {
	const path = pathOf(caseId, current.id);
	const answer = await client.send({ method: 'PUT', path, body: { ...given } });
	return confirmed(answer, caseId, given, current);
}

/** Takes an action off its case. @returns whether this request did it: somebody else may have been faster */
export async function deleteAction(client: Client, caseId: string, id: unknown): Promise<boolean> {
	return await deleteAt(client, pathOf(caseId, id));
}

/** A failure after other writes to the actions of the same case. */
export function afterWrites(failure: unknown, count: number): unknown {
	if (count === 0 || !(failure instanceof ApiFailure)) return failure;
	return new ApiFailure(failure.message, {
		...failure.details,
		description: `${failure.details.description} Actions of the same case that were written before: ${count}.`,
		mayHaveBeenDone: true,
	});
}
