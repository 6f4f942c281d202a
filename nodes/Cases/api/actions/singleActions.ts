import type { Client } from '../client';
import { ApiFailure, quote, shorten } from '../failure';
import { caseIdOf, exactId } from '../identity';
import { isObject } from '../json';
import type { ApiAnswer } from '../readAnswer';
import { actionsPath, type ApiRequest } from '../requests';
import type { ActionInput, CaseAction } from '../types';
import { explained, readActions } from './readActions';
import { deleteAt } from '../deleteAt';
import { differs } from './sameAction';

async function send(client: Client, request: ApiRequest): Promise<ApiAnswer> {
	return await client.send(request).catch((failure: unknown) => {
		throw explained(failure);
	});
}

/** @throws ApiFailure where the service lists an action without an ID, so that it can't be named */
function pathOf(caseId: string, { id, label }: CaseAction): string {
	const actionId = exactId(id);
	if (actionId !== undefined) return `${actionsPath(caseId)}/${encodeURIComponent(actionId)}`;
	throw new ApiFailure(`Action ${quote(label ?? '')} of case ${caseId} has no ID`, {
		description: 'Without it nothing was written. Replace All sets all actions of a case.',
		retryable: false,
	});
}

/**
 * The action that a write was answered with, and what was given where the answer leaves it out.
 * @throws ApiFailure where the answer speaks of an error, of another case or of another action
 */
function confirmed(answer: ApiAnswer, caseId: string, given: ActionInput): CaseAction {
	const body = isObject(answer.body) ? answer.body : {};
	const action: CaseAction = { case_id: caseIdOf(caseId), ...given, ...body };
	const said = answer.saidError === undefined ? '' : `The service says: ${answer.saidError}. `;
	const isOther = String(action.case_id).trim() !== caseId || differs(action, given);
	const isNone = answer.body !== undefined && !isObject(answer.body);
	if (said === '' && !isOther && !isNone) return action;
	throw answer.unusable({
		message: `The service did not confirm the action ${quote(given.label)} of case ${caseId}`,
		remedy: `${said}${isOther ? `It answered with ${shorten(JSON.stringify(answer.body), 200)}. ` : ''}The action may be written or not. Check the case.`,
	});
}

/** Whether the write may have been carried out that failed. @throws any other failure */
function unlessSure(failure: unknown): ApiFailure {
	if (failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true) return failure;
	throw failure;
}

/**
 * Adds an action to a case that doesn't have it. It is never retried where the first request may have been carried
 * out: then the list of actions is read once.
 * @returns the action as the service has it; without `id` where it confirmed it and nothing says its ID
 * @throws ApiFailure, which says so where the action may still arrive
 */
export async function createAction(
	client: Client,
	caseId: string,
	given: ActionInput,
): Promise<CaseAction> {
	const request: ApiRequest = { method: 'POST', path: actionsPath(caseId), body: { ...given } };
	const created = await send(client, request)
		.then((answer) => confirmed(answer, caseId, given))
		.catch(unlessSure);
	if (!(created instanceof ApiFailure) && exactId(created.id) !== undefined) return created;
	const listed = await readActions(client, caseId).catch((failure: unknown) => {
		if (failure instanceof ApiFailure) return undefined;
		throw failure;
	});
	const found = listed?.find((action) => !differs(action, given));
	if (found !== undefined) return { case_id: caseIdOf(caseId), ...found };
	if (!(created instanceof ApiFailure)) return created;
	throw new ApiFailure(created.message, {
		...created.details,
		description: `${created.details.description} ${
			listed === undefined
				? `The actions of case ${caseId} could not be read.`
				: `Action ${quote(given.label)} is not on case ${caseId} now.`
		} It may still arrive. Check the case before you run again.`,
	});
}

/** Changes the given fields of an action of a case. @returns the action as the service has it */
export async function updateAction(
	client: Client,
	caseId: string,
	current: CaseAction,
	given: ActionInput,
): Promise<CaseAction> {
	const path = pathOf(caseId, current);
	const answer = await send(client, { method: 'PUT', path, body: { ...given } });
	return { ...current, ...confirmed(answer, caseId, given) };
}

/** Takes an action off its case. @returns whether this request did it: somebody else may have been faster */
export async function deleteAction(
	client: Client,
	caseId: string,
	action: CaseAction,
): Promise<boolean> {
	return await deleteAt(client, pathOf(caseId, action));
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
