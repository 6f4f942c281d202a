import type { Client } from '../http/client';
import { deleteOrFail } from '../http/deleteAt';
import { ApiFailure, quote, unlessFailed } from '../failures/failure';
import { caseIdOf, exactId } from '../identity';
import type { ApiAnswer } from '../http/readAnswer';
import { actionsPath } from '../http/requests';
import type { ActionInput, CaseAction, Row } from '../types';
import { confirmed, mayBeDone, withAdvice } from '../writes/caseWrites';
import { readActions } from './readActions';
import { differs } from './sameAction';

export const actionPath = (caseId: string, id: unknown) =>
	`${actionsPath(caseId)}/${encodeURIComponent(String(id))}`;

/** The action that a write was answered with. @throws ApiFailure where that is another one, or an error */
function actionOf(answer: ApiAnswer, caseId: string, given: ActionInput): CaseAction {
	const isMeant = (row: Row) =>
		exactId(row.id) !== undefined && !differs({ ...given, ...row }, given);
	return { case_id: caseIdOf(caseId), ...confirmed(answer, 'action', isMeant) };
}

/**
 * Adds an action to a case that doesn't have it. It is never retried where the first request may have been carried
 * out: then the list of actions is read once.
 * @returns the action as the service has it
 * @throws ApiFailure, which says so where the action may still arrive
 */
export async function createAction(
	client: Client,
	caseId: string,
	given: ActionInput,
): Promise<CaseAction> {
	return await client
		.send({ method: 'POST', path: actionsPath(caseId), body: { ...given } })
		.then((answer) => actionOf(answer, caseId, given))
		.catch(async (failure: unknown) => {
			if (!mayBeDone(failure)) throw failure;
			const listed = await readActions(client, caseId).catch(unlessFailed);
			const found = listed?.find((action) => !differs(action, given));
			if (found !== undefined) return { case_id: caseIdOf(caseId), ...found };
			throw withAdvice(
				failure,
				`${listed ? `Action ${quote(given.label)} was not found on case ${caseId} afterwards.` : "The case's actions could not be read afterwards."} It may still arrive. Check the case before you run again.`,
			);
		});
}

/** Changes the given fields of an action of a case. @returns the action as the service has it */
export async function updateAction(
	client: Client,
	caseId: string,
	{ id }: CaseAction,
	given: ActionInput,
): Promise<CaseAction> {
	const request = { method: 'PUT', path: actionPath(caseId, id), body: { ...given } } as const;
	const answer = await client.send(request).catch((failure: unknown) => {
		if (!(failure instanceof ApiFailure) || failure.details.httpCode !== 404) throw failure;
		const description = `${failure.details.description} Somebody may have deleted the action: another run creates it again.`;
		throw new ApiFailure(failure.message, { ...failure.details, description });
	});
	return actionOf(answer, caseId, given);
}

/** Deletes an action of a case. @throws ApiFailure, also where it was not there or the key may not delete it */
export async function deleteAction(client: Client, caseId: string, action: CaseAction) {
	const what = `Action ${quote(action.label)} of case ${caseId}`;
	const advice = 'Somebody may have deleted it meanwhile, or the key may not. Check the case.';
	await deleteOrFail(client, actionPath(caseId, action.id), what, advice);
}

/** A failure after other writes to the actions of the same case. */
export function afterWrites(failure: unknown, count: number): unknown {
	if (count === 0 || !(failure instanceof ApiFailure)) return failure;
	const { message, details } = failure;
	const description = `${details.description} Actions of the same case that were written before: ${count}.`;
	return new ApiFailure(message, { ...details, description, mayHaveBeenDone: true });
}
