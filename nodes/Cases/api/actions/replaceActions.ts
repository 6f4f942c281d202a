import type { Client } from '../client';
import { ApiFailure, shorten } from '../failure';
import { caseIdOf } from '../identity';
import { isObject } from '../json';
import type { ApiAnswer } from '../readAnswer';
import { replaceActionsRequest } from '../requests';
import type { ActionInput, CaseAction, Row } from '../types';
import { actionsOfCase, readCase } from './readActions';
import { haveSame } from './sameAction';

/** What a case has after a batch update. */
export interface Written {
	case_id: unknown;
	/** As the service says; null where it confirmed the write and nothing says what the case has. */
	actions: CaseAction[] | null;
}

/** The actions of an answer, where it says what they are. */
function namedActions(body: Row): CaseAction[] | undefined {
	const isNamed = (one: Row) => typeof one.url === 'string' && typeof one.label === 'string';
	const { actions } = body;
	return Array.isArray(actions) && actions.every((one) => isObject(one) && isNamed(one))
		? (actions as CaseAction[])
		: undefined;
}

/** @throws ApiFailure where the answer speaks of an error, of another case or of other actions */
function answered(
	answer: ApiAnswer,
	caseId: string,
	given: ActionInput[],
): Partial<Written> | ApiFailure {
	if (answer.body === undefined) return {};
	const body = isObject(answer.body) ? answer.body : {};
	const { saidError } = answer;
	const isOther = String(body.case_id ?? caseId).trim() !== caseId;
	const actions = namedActions(body);
	const unconfirmed = () =>
		answer.unusable({
			message: `The service did not confirm the actions of case ${caseId}`,
			remedy: [
				saidError === undefined ? '' : `The service says: ${saidError}. `,
				isOther ? `It answered about case ${shorten(String(body.case_id), 60)}. ` : '',
				actions !== undefined && !isOther ? 'It answered with other actions. ' : '',
				'They may be written or not. Check the case, or run again, which writes the same actions.',
			].join(''),
		});
	if (saidError !== undefined || isOther) throw unconfirmed();
	if (actions === undefined) return unconfirmed();
	if (!haveSame(actions, given)) throw unconfirmed();
	return { case_id: body.case_id ?? caseIdOf(caseId), actions };
}

/** Whether a failed write was answered with success. @throws any other failure */
function unlessAnswered(failure: unknown): ApiFailure {
	const { httpCode = 0 } = failure instanceof ApiFailure ? failure.details : {};
	if (failure instanceof ApiFailure && httpCode >= 200 && httpCode < 300) return failure;
	throw failure;
}

/**
 * Replaces all actions of a case; an empty list removes them. The request describes the whole outcome, so it is
 * retried after a lost answer. After an answer with success that doesn't say what was written the case is read once.
 * @throws ApiFailure when the write fails or isn't confirmed
 */
export async function replaceActions(
	client: Client,
	caseId: string,
	given: ActionInput[],
): Promise<Written> {
	const outcome = await client
		.send(replaceActionsRequest(caseId, given))
		.then((answer) => answered(answer, caseId, given), unlessAnswered);
	if (!(outcome instanceof ApiFailure) && outcome.actions !== undefined) {
		return { case_id: caseIdOf(caseId), actions: null, ...outcome };
	}
	const row = await readCase(client, caseId).catch((failure: unknown) => {
		if (failure instanceof ApiFailure) return undefined;
		throw failure;
	});
	const actions = row && actionsOfCase(row);
	const { case_id = caseIdOf(caseId) } = row ?? {};
	if (actions !== undefined && haveSame(actions, given)) return { case_id, actions };
	if (outcome instanceof ApiFailure) throw outcome;
	return { case_id, actions: null };
}
