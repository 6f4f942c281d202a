// Law of this folder: a write touches only the actions that it names, by URL and label. Two actions are the same if these
// differ only as a service may tidy them: letter case of the host, a slash behind the host, blanks around the label.

import { isObject } from '../json';
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

/** All that a user can set of an action, as comparable text. A field that it doesn't show counts as empty. */
const asText = (action: CaseAction | ActionInput): string =>
	JSON.stringify([
		keyOf(action),
		wordOf(action.action_type).toLowerCase(),
		wordOf(action.action_text),
		paramsAsText(action.query_params),
	]);

/** Whether an action has another value in a given field. */
export const differs = (current: CaseAction, given: ActionInput): boolean =>
	asText({ ...current, ...given }) !== asText(current);

type Actions = Array<CaseAction | ActionInput>;

/** Whether two lists have the same actions, each as often, in any order: a service may list them in another. */
const areSame = (some: Actions, others: Actions, textOf: typeof keyOf): boolean =>
	JSON.stringify(some.map(textOf).sort()) === JSON.stringify(others.map(textOf).sort());

/** Whether replacing the existing actions with the given ones would change more than their order. */
export const isChange = (existing: CaseAction[], given: ActionInput[]): boolean =>
	!areSame(existing, given, asText);

/** Whether a list has the given actions and no others. */
export const haveSame = (list: CaseAction[], given: ActionInput[]): boolean =>
	areSame(list, given, keyOf);
