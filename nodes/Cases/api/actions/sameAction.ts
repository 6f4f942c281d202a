// Law of this folder: a write touches only the actions that it names, by URL and label. Two actions are the same if these
// differ only as a service may tidy them: letter case of the host, a slash behind the host, blanks around the label.

import { isObject } from '../http/json';
import type { ActionInput, CaseAction } from '../types';
import { tidyUrl } from '../http/url';

const wordOf = (value: unknown) => String(value ?? '').trim();

/** The URL of an action, as `tidyUrl` writes it. */
export const urlOf = ({ url }: CaseAction | ActionInput): string => tidyUrl(String(url ?? ''));

/** A text that identifies an action of a case: its tidied URL and label. */
export const keyOf = (action: CaseAction | ActionInput): string =>
	JSON.stringify([urlOf(action), wordOf(action.label)]);

/** Query parameters as comparable text: undefined, null and {} give the same text, and so do the values 1 and "1". */
function paramsAsText(params: unknown): string {
	const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
	const entries = isObject(params) ? Object.entries(params) : [];
	return JSON.stringify(entries.map(([name, value]) => [name, textOf(value)]).sort());
}

/** Whether two actions have the same query parameters, which the service adds to the URL. */
export const haveSameParams = (current: CaseAction, given: ActionInput): boolean =>
	paramsAsText(current.query_params) === paramsAsText(given.query_params);

/** Whether an action has another value in a given field. A field that the action doesn't show counts as empty. */
export function differs(current: CaseAction, given: ActionInput): boolean {
	const { action_text: text, query_params: params } = given;
	return (
		wordOf(current.action_type).toLowerCase() !== given.action_type ||
		(text !== undefined && wordOf(current.action_text) !== wordOf(text)) ||
		(params !== undefined && !haveSameParams(current, given)) ||
		keyOf(current) !== keyOf(given)
	);
}

/** Whether replacing the existing actions with the given ones, in this order, would change anything. */
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
