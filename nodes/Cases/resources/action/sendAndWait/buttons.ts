import { actionPath, createAction } from '../../../api/actions/singleActions';
import { deleteAt, type Client } from '../../../api/http/client';
import { ApiFailure, unlessFailed } from '../../../api/failures/failure';
import { inTurn } from '../../../n8n/turns';
import type { ActionInput } from '../../../api/types';

/** Deletes buttons of a case, by their IDs. @returns whether all of them are gone, no matter who deleted them */
export async function removeButtons(client: Client, caseId: string, ids: string[]) {
	const removed = await client.map(ids.length, async (index) =>
		deleteAt(client, actionPath(caseId, ids[index])).then(() => true, unlessFailed),
	);
	return removed.every((isOff) => isOff === true);
}

/**
 * Adds the buttons of a question to a case. If a button can't be added, those added before are deleted.
 * @returns the IDs of the buttons
 */
export async function putUpButtons(client: Client, caseId: string, buttons: ActionInput[]) {
	const ids: string[] = [];
	const takeDown = async (failure: unknown): Promise<never> => {
		const isClean = await removeButtons(client, caseId, ids);
		if (isClean || !(failure instanceof ApiFailure)) throw failure;
		throw failure.adding(
			`Buttons of the question are still on case ${caseId}; pressing them does nothing. Delete them by their label, the question.`,
		);
	};
	return await inTurn(client, caseId, async () => {
		for (const button of buttons) {
			ids.push(String((await createAction(client, caseId, button).catch(takeDown)).id));
		}
		return ids;
	});
}
