import type { ActionInput, CaseAction } from '../types';
import { differs, groupBy, told } from './sameAction';
import { afterWrites } from './singleActions';

/** Writes one action; without a current one it is new. @returns the action as the case then has it */
export type WriteAction = (given: ActionInput, current?: CaseAction) => Promise<CaseAction>;

/**
 * Gives a case actions, one after the other. Each updates the one with the same URL and label, the first where there are
 * several; by the URL alone only if it stands once in the case and once in what is given. Otherwise it is added.
 * @param existing the actions of the case
 * @returns those given and all that the case then has, and how many writes that took
 */
export async function upsertActions(
	existing: CaseAction[],
	given: ActionInput[],
	write: WriteAction,
) {
	const all = existing.map(told);
	const byKey = groupBy(all, ({ key }) => key);
	const byUrl = groupBy(all, ({ url }) => url);
	const wanted = given.map(told);
	const wantedByUrl = groupBy(wanted, ({ url }) => url);
	const actions: CaseAction[] = [];
	let writes = 0;
	for (const { action, url, key } of wanted) {
		const sameUrl = byUrl.get(url) ?? [];
		const isOnlyOne = sameUrl.length === 1 && wantedByUrl.get(url)?.length === 1;
		const found = byKey.get(key)?.[0] ?? (isOnlyOne ? sameUrl[0] : undefined);
		if (found === undefined || differs(found.action, action)) {
			const written = await write(action, found?.action).catch((failure: unknown) => {
				throw afterWrites(failure, writes);
			});
			writes++;
			if (found === undefined) {
				all.push({ action: written, url, key });
				byKey.set(key, all.slice(-1));
			} else found.action = written;
			actions.push(written);
		} else actions.push(found.action);
	}
	return { actions, after: all.map(({ action }) => action), writes };
}
