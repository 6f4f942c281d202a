import type { ActionInput, CaseAction } from '../types';
import { differs, haveSameParams, keyOf, urlOf } from './sameAction';
import { afterWrites } from './singleActions';

/** Writes one action; without a current one it is new. @returns the action as the case then has it */
export type WriteAction = (given: ActionInput, current?: CaseAction) => Promise<CaseAction>;

/**
 * Gives a case actions, one after the other. Each updates the one with the same URL and label, the first where there are
 * several; by the URL alone only if it stands once in the case, with the same query parameters, and one label is given for
 * it. Otherwise it is added.
 * @param before the actions of the case
 * @param isOnlyLabel whether all items for the case give the URL of an action the same label
 * @returns those given and all that the case then has, and whether anything was written
 */
export async function upsertActions(
	before: CaseAction[],
	given: ActionInput[],
	isOnlyLabel: (action: ActionInput) => boolean,
	write: WriteAction,
): Promise<{ actions: CaseAction[]; after: CaseAction[]; changed: boolean }> {
	const slots = before.map((action) => ({ action }));
	// Backwards, so that of equal actions the first one counts.
	const byKey = new Map([...slots].reverse().map((slot) => [keyOf(slot.action), slot]));
	// Undefined where several have the URL.
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
		if (slot === undefined || differs(slot.action, one)) {
			const action = await write(one, slot?.action).catch((failure: unknown) => {
				throw afterWrites(failure, writes);
			});
			writes++;
			if (slot === undefined) slots.push((slot = { action }));
			byKey.set(keyOf(one), slot);
			slot.action = action;
		}
		actions.push(slot.action);
	}
	return { actions, after: slots.map(({ action }) => action), changed: writes > 0 };
}
