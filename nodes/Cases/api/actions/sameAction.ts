import { isObject } from '../http/json';
import type { ActionInput, CaseAction } from '../types';
import { tidyUrl } from '../http/url';

// Law of this folder: an action is told by its URL and its label, as a service may tidy them (letter case of the host, a
// slash behind it, blanks around the label), and a write touches only the actions that it names.

const wordOf = (value: unknown) => String(value ?? '').trim();

/** The URL of an action, tidied. */
export const urlOf = ({ url }: CaseAction | ActionInput): string => tidyUrl(String(url ?? ''));

/** What tells an action from others of its case: its tidied URL and label. */
export const keyOf = (action: CaseAction | ActionInput): string =>
	JSON.stringify([urlOf(action), wordOf(action.label)]);

/** Counts how often each text comes. */
export function countTexts(texts: string[], counts = new Map<string, number>()) {
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/** Query parameters as comparable text; none, null and an empty object are the same. */
function paramsAsText(params: unknown): string {
	const entries = isObject(params) ? Object.entries(params) : [];
	return JSON.stringify(entries.map(([name, value]) => [name, String(value)]).sort());
}

/** Whether an action has another value in a field that is given. What it doesn't show counts as empty. */
export function differs(current: CaseAction, given: ActionInput): boolean {
	const { action_text: text, query_params: params } = given;
	return (
		wordOf(current.action_type).toLowerCase() !== given.action_type ||
		(text !== undefined && wordOf(current.action_text) !== wordOf(text)) ||
		(params !== undefined && paramsAsText(current.query_params) !== paramsAsText(params)) ||
		keyOf(current) !== keyOf(given)
	);
}

/** Whether replacing the actions of a case with these, in this order, changes what it shows. */
export function isChange(existing: CaseAction[], given: ActionInput[]): boolean {
	const isOther = (current: CaseAction, index: number) =>
		differs(current, { action_text: '', query_params: {}, ...given[index] });
	return existing.length !== given.length || existing.some(isOther);
}

/** Whether a list has the given actions and no others, in any order. */
export function haveSame(list: CaseAction[], given: ActionInput[]): boolean {
	const keysOf = (actions: Array<CaseAction | ActionInput>) =>
		JSON.stringify(actions.map(keyOf).sort());
	return keysOf(list) === keysOf(given);
}
