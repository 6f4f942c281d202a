import { isObject } from '../json';
import type { ActionInput, CaseAction } from '../types';
import { tidyUrl } from '../url';

/**
 * The law of this folder: an action is told by its URL and its label, as a service may tidy them (letter case of the
 * host, a slash behind it, blanks around the label), and a write touches only the actions that it names.
 */
export interface Told<T> {
	action: T;
	/** The tidied URL. */
	url: string;
	/** The tidied URL and label, as one text. */
	key: string;
}

/** Normalizes an action, once, for all comparisons. */
export function told<T extends CaseAction | ActionInput>(action: T): Told<T> {
	const url = tidyUrl(String(action.url ?? ''));
	return { action, url, key: JSON.stringify([url, String(action.label ?? '').trim()]) };
}

/** Groups things by a text, in their order. */
export function groupBy<T>(list: T[], textOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of list) {
		const group = groups.get(textOf(one));
		if (group === undefined) groups.set(textOf(one), [one]);
		else group.push(one);
	}
	return groups;
}

const wordOf = (value: unknown) => String(value ?? '').trim();

/** Query parameters as comparable text; none, null and an empty object are the same. */
function paramsAsText(params: unknown): string {
	const entries = isObject(params) ? Object.entries(params) : [];
	return JSON.stringify(entries.map(([name, value]) => [name, String(value)]).sort());
}

/** Whether an action has another value in a field that is given. What it doesn't show counts as another. */
export function differs(current: CaseAction, given: ActionInput): boolean {
	const { action_text: text, query_params: params } = given;
	return (
		wordOf(current.action_type).toLowerCase() !== given.action_type.trim().toLowerCase() ||
		(text !== undefined && wordOf(current.action_text) !== text.trim()) ||
		(params !== undefined && paramsAsText(current.query_params) !== paramsAsText(params)) ||
		told(current).key !== told(given).key
	);
}

/** Whether an action has a button text or query parameters that aren't given, so that a replacement removes them. */
function hasMore(current: CaseAction, given: ActionInput): boolean {
	return (
		(given.action_text === undefined && wordOf(current.action_text) !== '') ||
		(given.query_params === undefined && paramsAsText(current.query_params) !== '[]')
	);
}

/**
 * Whether replacing the actions of a case with these, in this order, changes it.
 * @returns null where it shows no difference, but leaves out the button texts
 */
export function isChange(existing: CaseAction[], given: ActionInput[]): boolean | null {
	if (existing.length !== given.length) return true;
	const isOther = (current: CaseAction, index: number) =>
		differs(current, given[index]) || hasMore(current, given[index]);
	if (existing.some(isOther)) return true;
	return existing.every(({ action_text: text }) => text !== undefined) ? false : null;
}

/** Whether a list has the given actions and no others, in any order, as far as its actions say what they are. */
export function haveSame(list: CaseAction[], given: ActionInput[]): boolean {
	const left = groupBy(given.map(told), ({ key }) => key);
	return (
		list.length === given.length &&
		list.every((one) => {
			const same = left.get(told(one).key) ?? [];
			const at = same.findIndex(({ action }) => !differs({ ...action, ...one }, action));
			return at !== -1 && same.splice(at, 1).length === 1;
		})
	);
}
