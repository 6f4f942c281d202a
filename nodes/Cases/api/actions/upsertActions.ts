import type { ActionInput, CaseAction } from '../types';
import { afterWrites } from '../writes/caseWrites';
import { differs, haveSameParams, keyOf, urlOf } from './sameAction';

/** Updates the current action or, without one, adds the given action. @returns the action as the case then has it */
export type WriteAction = (given: ActionInput, current?: CaseAction) => Promise<CaseAction>;

/**
 * Gives a case actions, one after the other. A given action updates the first existing one with the same URL and label.
 * If there is none, but exactly one existing action has the URL, with the same query parameters, and only one label is
 * given for the URL, then the existing action gets the new label. Otherwise the given action is added.
 * @param isOnlyLabel whether all items for the case give the URL of an action the same label
 * @returns `actions`: the given actions as the case has them; `after`: all actions of the case
 */
export async function upsertActions(
	before: CaseAction[],
	given: ActionInput[],
	isOnlyLabel: (action: ActionInput) => boolean,
	write: WriteAction,
): Promise<{ actions: CaseAction[]; after: CaseAction[]; changed: boolean }> {
	const slots = before.map((action) => ({ action }));
	// Reversed, because a Map keeps the last of equal keys, and the first of equal actions is to be updated.
	const byKey = new Map([...slots].reverse().map((slot) => [keyOf(slot.action), slot]));
	// The value is undefined where several actions have the URL.
	const byUrl = new Map<string, (typeof slots)[number] | undefined>();
	for (const slot of slots) {
		const url = urlOf(slot.action);
		byUrl.set(url, byUrl.has(url) ? undefined : slot);
	}
	const actions: CaseAction[] = [];
	let writes = 0;
	for (const one of given) {
		const relabeled = isOnlyLabel(one) ? byUrl.get(urlOf(one)) : undefined;
		let slot = byKey.get(keyOf(one));
		if (slot === undefined && relabeled && haveSameParams(relabeled.action, one)) slot = relabeled;
		let action = slot?.action;
		if (action === undefined || differs(action, one)) {
			action = await write(one, action).catch(afterWrites(writes));
			writes++;
			if (slot === undefined) slots.push((slot = { action }));
			byKey.set(keyOf(one), slot);
			// An answer may leave out what was written.
			slot.action = { ...slot.action, ...one, ...action };
		}
		actions.push(action);
	}
	return { actions, after: slots.map(({ action }) => action), changed: writes > 0 };
}
