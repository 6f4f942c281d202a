import type { Client } from '../http/client';
import { isNotThere, quote } from '../failures/failure';
import { numericId } from '../identity';
import { listPath } from '../http/requests';
import { readList } from '../lists/readList';
import { listAt } from '../lists/source';
import { MAX_PAGE_SIZE, type ActionInput, type CaseAction, type Row } from '../types';
import { confirmed, createOnce, withId } from '../writes/caseWrites';
import { differs } from './sameAction';

/** The path of one action of a case. */
export const actionPath = (caseId: string, id: unknown) =>
	`${listPath(caseId, 'actions')}/${encodeURIComponent(String(id))}`;

/** An action with what people look for in its first fields. */
export function actionRow(caseId: string, action: CaseAction): CaseAction {
	const first = ['label', 'action_type', 'url', 'action_text', 'id'].filter(
		(name) => name in action,
	);
	const inOrder = Object.fromEntries(first.map((name) => [name, action[name]]));
	return { case_id: numericId(caseId), ...inOrder, ...action };
}

/** Reads the actions of a case from its own list of actions, which has their button texts. @throws ApiFailure */
export async function readActions(client: Client, caseId: string): Promise<CaseAction[]> {
	const source = listAt(client, listPath(caseId, 'actions'), 'actions');
	return (await readList([source], { pageSize: MAX_PAGE_SIZE, pool: client })).rows;
}

/** Returns the row of an answer if it is the given action. A field that the row lacks doesn't count as a difference. */
const readWritten = (given: ActionInput) => (row: Row) =>
	differs({ ...given, ...row }, given) ? undefined : withId('id')(row);

/** Adds an action to a case. @returns the action as the service has it */
export async function createAction(
	client: Client,
	caseId: string,
	given: ActionInput,
): Promise<CaseAction> {
	const action = await createOnce(client, {
		path: listPath(caseId, 'actions'),
		body: { ...given },
		noun: 'action',
		read: readWritten(given),
		find: async () => (await readActions(client, caseId)).find((one) => !differs(one, given)),
		check: `case ${caseId} has the action ${quote(given.label)}`,
	});
	return actionRow(caseId, action);
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
		if (!isNotThere(failure)) throw failure;
		throw failure.adding('Somebody may have deleted the action: another run creates it again.');
	});
	return actionRow(caseId, confirmed(answer, 'action', readWritten(given)));
}
