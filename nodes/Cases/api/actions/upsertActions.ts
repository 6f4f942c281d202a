import type { ActionInput, CaseAction } from '../types';
import { countTexts, differs, keyOf, urlOf } from './sameAction';
import { afterWrites } from './singleActions';

/** Writes one action; without a current one it is new. @returns the action as the case then has it */
export type WriteAction = (given: ActionInput, current?: CaseAction) => Promise<CaseAction>;

/**
 * Gives a case actions, one after the other. Each updates the one with the same URL and label, the first where there are
 * several; by the URL alone only if it stands once in the case and once in what is given. Otherwise it is added.
 * @param before the actions of the case
 * @param timesGiven how often each URL is given, by all items for the case
 * @returns those given and all that the case then has, and whether anything was written
 */
export async function upsertActions(
	before: CaseAction[],
	given: ActionInput[],
	timesGiven: Map<string, number>,
	write: WriteAction,
): Promise<{ actions: CaseAction[]; after: CaseAction[]; changed: boolean }> {
	const slots = before.map((action) => ({ action, key: keyOf(action), url: urlOf(action) }));
	// Backwards, so that of equal actions the first one counts.
	const byKey = new Map([...slots].reverse().map((slot) => [slot.key, slot]));
	const byUrl = new Map(slots.map((slot) => [slot.url, slot]));
	const timesThere = countTexts(slots.map(({ url }) => url));
	const actions: CaseAction[] = [];
	let writes = 0;
	for (const one of given) {
		const [key, url] = [keyOf(one), urlOf(one)];
		const isOnlyOne = timesThere.get(url) === 1 && timesGiven.get(url) === 1;
		let slot = byKey.get(key) ?? (isOnlyOne ? byUrl.get(url) : undefined);
		if (slot === undefined || differs(slot.action, one)) {
			const action = await write(one, slot?.action).catch((failure: unknown) => {
				throw afterWrites(failure, writes);
			});
			writes++;
			if (slot === undefined) slots.push((slot = { action, key, url }));
			byKey.set(key, slot);
			slot.action = action;
		}
		actions.push(slot.action);
	}
	return { actions, after: slots.map(({ action }) => action), changed: writes > 0 };
}
