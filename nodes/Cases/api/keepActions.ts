import { nameActions, type KeepingPlan } from './actionPlans';
import { isFullyKnown } from './actionChanges';
import { actionsOfCase, knownActionsOfCase, withButtonTexts } from './caseActions';
import type { Client } from './client';
import { InvalidInput } from './failure';
import type { Case, CaseAction } from './types';

/** How to keep the other actions of a case. */
export interface Keeping {
	caseId: string;
	/** Whether they may lose their button texts. */
	acceptTextLoss: boolean;
	/** Whether to request the case's own list of actions where a button text or query parameters could get lost. */
	readButtonTexts: boolean;
}

/** A plan, and the actions that it rests on, with their button texts where these were requested. */
export interface Kept extends KeepingPlan {
	existing: CaseAction[];
}

/**
 * Plans a write that keeps actions of a case, so that no button text gets lost unless the user accepts it.
 * @param plan merges what is wanted with the existing actions
 * @throws ApiFailure where the actions of the case are unknown; InvalidInput where a button text could get lost
 */
export async function planKeeping(
	client: Client,
	{ caseId, acceptTextLoss, readButtonTexts }: Keeping,
	current: Case,
	plan: (existing: CaseAction[]) => KeepingPlan,
): Promise<Kept> {
	const carried = actionsOfCase(current);
	// A row without actions may stand for a list that leaves them out.
	const isKnown = carried !== undefined && carried.length > 0 && carried.every(isFullyKnown);
	const existing =
		(readButtonTexts && !isKnown ? await withButtonTexts(client, caseId, carried) : carried) ??
		knownActionsOfCase(
			current,
			'Without all of them, its other actions would be removed, so the case was not written. Use the operation Replace All to set all actions of the case.',
		);
	const planned = plan(existing);
	if (planned.losingText.length > 0 && !acceptTextLoss) {
		throw new InvalidInput(
			`Case ${caseId} has other actions, and their button texts may get lost: ${nameActions(planned.losingText)}`,
			"The service didn't return these texts, so this node can't keep them. Turn on 'Allow Losing Button Texts' if these actions have none or you don't need them. Otherwise use Replace All, and enter all actions of the case with their button texts. A newer service may return the texts: try 'Read Button Texts' under 'Options'.",
		);
	}
	return { ...planned, existing };
}
