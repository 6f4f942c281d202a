import type { ActionInput, CaseAction } from '../types';
import { differs, groupBy, told } from './sameAction';

/** A given action, and the one of the case that it updates; without one it is new. */
export interface Match {
	given: ActionInput;
	current?: CaseAction;
}

/** An action that is given twice, by URL and label: the second would overwrite the first. */
export function repeatedAction(given: ActionInput[]): ActionInput | undefined {
	const groups = groupBy(given.map(told), ({ key }) => key);
	return [...groups.values()].find(({ length }) => length > 1)?.[0].action;
}

/**
 * Finds what each given action updates: by URL and label, the first where there are several; by the URL alone only if it
 * stands once in the case and once in what is given.
 */
export function matchActions(existing: CaseAction[], given: ActionInput[]): Match[] {
	const all = existing.map(told);
	const byKey = groupBy(all, ({ key }) => key);
	const byUrl = groupBy(all, ({ url }) => url);
	const wanted = given.map(told);
	const wantedByUrl = groupBy(wanted, ({ url }) => url);
	return wanted.map(({ action, url, key }) => {
		const same = byUrl.get(url) ?? [];
		const isOnlyOne = same.length === 1 && wantedByUrl.get(url)?.length === 1;
		const found = byKey.get(key)?.[0] ?? (isOnlyOne ? same[0] : undefined);
		return { given: action, ...(found === undefined ? {} : { current: found.action }) };
	});
}

/** Whether a given action has to be written. */
export function isNeeded({ given, current }: Match): boolean {
	return current === undefined || differs(current, given);
}

/** All actions that a case will have. */
export function afterMatches(existing: CaseAction[], matches: Match[]): CaseAction[] {
	const updates = new Map(matches.map(({ current, given }) => [current, given]));
	const added = matches.filter(({ current }) => current === undefined);
	return [
		...existing.map((action) => ({ ...action, ...updates.get(action) })),
		...added.map(({ given }) => ({ ...given })),
	];
}
