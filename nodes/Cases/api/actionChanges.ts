import { isObject } from './actions';
import type { ActionInput, CaseAction } from './types';

/** Whether an action of a case carries its button text, or carries that it has none. Most lists leave texts out. */
export function isTextKnown({ action_text }: CaseAction): boolean {
	return typeof action_text === 'string' || action_text === null;
}

/** Whether an action carries all that a write has to send back: null may mean that the list leaves the text out. */
export function isFullyKnown(action: CaseAction): boolean {
	return typeof action.action_text === 'string' && 'query_params' in action;
}

/** The query parameters of an action as comparable text; none, null and an empty object are the same. */
function paramsAsText(params: unknown): string {
	const entries = isObject(params) ? Object.entries(params) : [];
	return JSON.stringify(entries.map(([name, value]) => [name, String(value)]).sort());
}

/** Whether an action differs from a given one in a field that it carries. */
function differs(current: CaseAction, given: ActionInput): boolean {
	return (
		current.url !== given.url ||
		current.label !== given.label ||
		current.action_type !== given.action_type ||
		(isTextKnown(current) && (current.action_text ?? '') !== (given.action_text ?? '')) ||
		('query_params' in current &&
			paramsAsText(current.query_params) !== paramsAsText(given.query_params))
	);
}

/** Whether a given action has something that the action of the case doesn't carry, so that it can't be compared. */
function givesUnknown(current: CaseAction, given: ActionInput): boolean {
	return (
		(given.action_text !== undefined && !isTextKnown(current)) ||
		(given.query_params !== undefined && !('query_params' in current))
	);
}

/**
 * Whether giving a case these actions changes it.
 * @param existing the actions of the case; undefined where they are unknown
 * @returns null where it can't be said, because a button text may differ that lists don't carry, or because nothing is
 * known of the actions
 */
export function isChange(existing: CaseAction[] | undefined, given: ActionInput[]): boolean | null {
	if (existing === undefined) return null;
	if (existing.length !== given.length) return true;
	if (existing.some((current, index) => differs(current, given[index]))) return true;
	const isCertain = existing.every(
		(current, index) => isTextKnown(current) && !givesUnknown(current, given[index]),
	);
	return isCertain ? false : null;
}

/**
 * Whether a case already has these actions, in this order, as far as the user gives them: what can't be compared counts
 * as a change where it is given.
 */
export function isUnchanged(existing: CaseAction[] | undefined, given: ActionInput[]): boolean {
	return (
		existing !== undefined &&
		isChange(existing, given) !== true &&
		!existing.some((current, index) => givesUnknown(current, given[index]))
	);
}
