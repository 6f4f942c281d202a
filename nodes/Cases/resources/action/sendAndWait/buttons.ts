import { createAction, deleteAction } from '../../../api/actions/singleActions';
import { inTurn } from '../../../api/actions/turns';
import type { Client } from '../../../api/client';
import { ApiFailure } from '../../../api/failure';
import { exactId } from '../../../api/identity';
import type { ActionInput } from '../../../api/types';

/** Takes buttons off their case, by their IDs. @returns whether all of them are off */
export async function removeButtons(
	client: Client,
	caseId: string,
	ids: Array<string | undefined>,
): Promise<boolean> {
	const removed = await client.map(ids.length, async (index) => {
		const id = ids[index];
		if (id === undefined) return false;
		return await deleteAction(client, caseId, { id }).then(
			() => true,
			(failure: unknown) => {
				if (failure instanceof ApiFailure) return false;
				throw failure;
			},
		);
	});
	return removed.every((isOff) => isOff);
}

/** The failure of a question, where buttons of it that were put up are still there. */
function withButtonsLeft(failure: unknown, caseId: string): unknown {
	if (!(failure instanceof ApiFailure)) return failure;
	return new ApiFailure(failure.message, {
		...failure.details,
		description: `${failure.details.description} Buttons of the question are still on case ${caseId}; pressing them does nothing.`,
	});
}

/**
 * Puts the buttons of a question behind the other actions of its case, and starts to wait. If either fails, those that
 * were put up are taken down.
 * @param wait gets the IDs of the buttons; undefined is that of one whose ID nobody says
 */
export async function withButtons<T>(
	client: Client,
	caseId: string,
	buttons: ActionInput[],
	wait: (ids: Array<string | undefined>) => Promise<T>,
): Promise<T> {
	return await inTurn(client, caseId, async () => {
		const ids: Array<string | undefined> = [];
		const putUp = async () => {
			for (const button of buttons) {
				ids.push(exactId((await createAction(client, caseId, button)).id));
			}
			return await wait(ids);
		};
		return await putUp().catch(async (failure: unknown) => {
			const isClean = await removeButtons(client, caseId, ids);
			throw isClean ? failure : withButtonsLeft(failure, caseId);
		});
	});
}
