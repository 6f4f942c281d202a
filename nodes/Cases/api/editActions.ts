import type { KeepingPlan } from './actionPlans';
import { isObject } from './actions';
import { actionsOfCase } from './caseActions';
import type { Client } from './client';
import { CurrentCases, type ReadCase } from './currentCases';
import type { Draft } from './drafts';
import { planKeeping, type Keeping } from './keepActions';
import { replaceActions, type Written } from './replaceActions';
import { NotNeeded } from './sender';
import { inTurn } from './turns';
import type { CaseAction } from './types';

/** How many times an edit is written at most. */
const MAX_WRITES = 4;

/** What an edit did. */
export interface Edited {
	/** Whether the case was read back as wanted. */
	isDone: boolean;
	/** The actions that were kept without their button texts. */
	losingText: CaseAction[];
}

/**
 * Changes some actions of a case and keeps the others. The API can't write on a condition, so another writer that read
 * the case before this write may undo it: the case is read back, and the edit made again, a few times; once only where
 * the service itself answers that it wrote something else, for example shorter URLs. Edits of one case in this process
 * wait for each other.
 * @param plan merges the edit with the actions that the case has now
 * @param isDone whether the actions are as wanted
 * @throws as planKeeping; ApiFailure when a read or a write fails
 */
export async function editActions(
	client: Client,
	keeping: Keeping,
	plan: (existing: CaseAction[]) => KeepingPlan,
	isDone: (existing: CaseAction[]) => boolean,
): Promise<Edited> {
	const { caseId } = keeping;
	let losingText: CaseAction[] = [];

	async function read() {
		const { row, readAt } = await new CurrentCases(client, { pageSize: 1 }).now(caseId);
		const existing = actionsOfCase(row);
		return { row, readAt, isWanted: existing !== undefined && isDone(existing) };
	}

	async function draft({ row, readAt }: ReadCase): Promise<Draft> {
		const planned = await planKeeping(client, keeping, row, plan);
		losingText = planned.losingText;
		return { actions: planned.actions, readAt };
	}

	async function again(): Promise<Draft | undefined> {
		const current = await read();
		return current.isWanted ? undefined : await draft(current);
	}

	/** Whether the answer to a write shows other actions than wanted, so that the next write would end like it. */
	const isAltered = ({ actions, doubt }: Written): boolean =>
		doubt !== undefined && actions !== null && !isDone(actions.filter(isObject) as CaseAction[]);

	return await inTurn(`${client.tenant.baseUrl} ${caseId}`, async () => {
		let isOver = false;
		for (let writes = 0; ; writes++) {
			const current = await read();
			const { isWanted, readAt } = current;
			if (isWanted || isOver || writes === MAX_WRITES) return { isDone: isWanted, losingText };
			const { actions } = await draft(current);
			isOver = await replaceActions(client, caseId, actions, { readAt, again }).then(
				isAltered,
				(failure: unknown) => {
					if (failure instanceof NotNeeded) return false;
					throw failure;
				},
			);
		}
	});
}
