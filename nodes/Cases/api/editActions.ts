import type { KeepingPlan } from './actionPlans';
import { actionsOfCase } from './caseActions';
import { caseNotFound } from './caseNotFound';
import { readCasesById } from './cases';
import type { Client } from './client';
import { planKeeping, type Keeping } from './keepActions';
import { inTurn } from './turns';
import { replaceActions } from './replaceActions';
import type { Case, CaseAction } from './types';

/** How many times an edit is written at most. */
const MAX_WRITES = 4;

async function readCase(client: Client, caseId: string): Promise<Case> {
	const row = (await readCasesById(client, [caseId], 1)).get(caseId);
	if (row !== undefined) return row;
	throw caseNotFound(caseId);
}

/** What an edit did. */
export interface Edited {
	/** Whether the case was read back as wanted. */
	isDone: boolean;
	/** The actions that were kept without their button texts. */
	losing: CaseAction[];
}

/**
 * Changes some actions of a case and keeps the others. The API can't write on a condition, so another writer that read
 * the case before this write may undo it: the case is read back, and the edit made again, a few times. Edits of one case
 * in this process wait for each other.
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
	return await inTurn(`${client.tenant.baseUrl} ${caseId}`, async () => {
		let losing: CaseAction[] = [];
		for (let writes = 0; ; writes++) {
			const row = await readCase(client, caseId);
			const existing = actionsOfCase(row);
			const done = existing !== undefined && isDone(existing);
			if (done || writes === MAX_WRITES) return { isDone: done, losing };
			const planned = await planKeeping(client, keeping, row, plan);
			losing = planned.losing;
			await replaceActions(client, caseId, planned.actions);
		}
	});
}
