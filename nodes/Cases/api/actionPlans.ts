import { isTextKnown } from './actionChanges';
import { isObject } from './actions';
import { InvalidInput, nameSome, quote } from './failure';
import type { ActionInput, CaseAction } from './types';
import { tidyUrl } from './url';

/** What a case is to have when some of its actions are kept. */
export interface KeepingPlan {
	/** All actions of the case after the write. */
	actions: ActionInput[];
	/** The kept actions whose button texts aren't known, and so can't be sent back. */
	losingText: CaseAction[];
	/** How many actions the write takes away. */
	removed: number;
}

/** How messages name an action. */
export function nameActions(actions: Array<{ label?: string; url?: string }>): string {
	return nameSome(actions.map(({ label, url }) => quote(label ?? url ?? '')));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** The button text and the query parameters of an action, where it has them. */
function textAndParams({
	action_text: text,
	query_params: params,
}: CaseAction): Pick<ActionInput, 'action_text' | 'query_params'> {
	return {
		...(typeof text === 'string' && text !== '' ? { action_text: text } : {}),
		...(isObject(params) && Object.keys(params).length > 0 ? { query_params: params } : {}),
	};
}

/**
 * An action as it is sent back, with each text exactly as the service sent it.
 * @throws InvalidInput when it lacks what the batch update needs
 */
function keepAction(caseId: string, action: CaseAction): ActionInput {
	const { url, label, action_type, query_params: params } = action;
	const hasParams = params !== undefined && params !== null;
	const lack = [
		isText(url) ? '' : 'URL',
		isText(label) ? '' : 'label',
		isText(action_type) ? '' : 'type',
		hasParams && !isObject(params) ? 'usable query_params' : '',
	].filter((name) => name !== '');
	if (lack.length > 0) {
		throw new InvalidInput(
			`Case ${caseId} has an action without ${lack.join(' and ')}, which can't be kept: ${quote(label ?? url ?? action)}`,
			'All actions of a case are written together, so the case was not written. Correct this action in the service, or use the operation Replace All to set all actions of the case.',
		);
	}
	return {
		url: url as string,
		label: label as string,
		action_type: action_type as string,
		...textAndParams(action),
	};
}

/** A given action with the text and the query parameters of the one that it updates, where it has none of its own. */
function updateAction(updated: CaseAction, given: ActionInput): ActionInput {
	return { ...textAndParams(updated), ...given };
}

function planOf(
	caseId: string,
	existing: CaseAction[],
	after: Array<{ given: ActionInput } | { kept: CaseAction }>,
): KeepingPlan {
	const kept = after.flatMap((one) => ('kept' in one ? [one.kept] : []));
	return {
		actions: after.map((one) => ('kept' in one ? keepAction(caseId, one.kept) : one.given)),
		losingText: kept.filter((action) => !isTextKnown(action)),
		removed: existing.length - kept.length,
	};
}

function groupByUrl<T extends { url?: string }>(
	actions: T[],
	urlOf = ({ url }: T) => url ?? '',
): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const action of actions) {
		const url = urlOf(action);
		groups.set(url, [...(groups.get(url) ?? []), action]);
	}
	return groups;
}

/** The URL of a given action as the case has it, where the service has tidied it. */
function urlInCase(existing: CaseAction[], { url }: ActionInput): string {
	if (existing.some((action) => action.url === url)) return url;
	return existing.find((action) => tidyUrl(action.url ?? '') === tidyUrl(url))?.url ?? url;
}

/**
 * Finds the existing action that each given one with the same URL updates: where the URL stands once, by the URL;
 * otherwise by the URL and the label.
 * @throws InvalidInput where a given action could be an update of several existing ones, or a new one
 */
function matchByUrl(
	caseId: string,
	url: string,
	existing: CaseAction[],
	given: ActionInput[],
): Map<CaseAction, ActionInput> {
	if (existing.length === 1 && given.length === 1) return new Map([[existing[0], given[0]]]);
	const found = given.map((action) => ({
		action,
		same: existing.filter(({ label }) => label === action.label),
	}));
	const left = existing.filter((one) => !found.some(({ same }) => same.includes(one)));
	const isUnclear =
		found.some(({ same }) => same.length > 1) ||
		(left.length > 0 && found.some(({ same }) => same.length === 0));
	if (isUnclear) {
		throw new InvalidInput(
			existing.length === 1
				? `Case ${caseId} has one action with the URL ${quote(url)}, and several are given: ${nameActions(given)}`
				: `Case ${caseId} has ${existing.length} actions with the URL ${quote(url)}: ${nameActions(existing)}`,
			'Where a URL is used twice, actions are matched by URL and label, so it is unclear which of them to update. Enter the labels that the case has, or use the operation Replace All to set all actions of the case.',
		);
	}
	return new Map(found.flatMap(({ action, same }) => same.map((one) => [one, action] as const)));
}

/** @throws InvalidInput where two given actions have the same URL and label */
function refuseRepeated(given: ActionInput[]): void {
	const seen = new Set<string>();
	for (const { url, label } of given) {
		const key = JSON.stringify([tidyUrl(url), label]);
		if (seen.has(key)) {
			throw new InvalidInput(
				`Two actions have the URL ${quote(url)} and the label ${quote(label)}`,
				'Actions are matched by URL, and by label where a URL is used twice. Enter each action once.',
			);
		}
		seen.add(key);
	}
}

/**
 * Merges given actions into the existing ones: in place where they are found, otherwise at the end. An updated action
 * keeps the text and the query parameters that aren't given. The others stay as they are.
 * @throws InvalidInput when an existing action can't be sent back, or when it is unclear which action is meant
 */
export function planUpsert(
	caseId: string,
	existing: CaseAction[],
	given: ActionInput[],
): KeepingPlan {
	refuseRepeated(given);
	const existingByUrl = groupByUrl(existing);
	const updates = new Map(
		[...groupByUrl(given, (action) => urlInCase(existing, action))].flatMap(([url, actions]) => [
			...matchByUrl(caseId, url, existingByUrl.get(url) ?? [], actions),
		]),
	);
	const updating = new Set(updates.values());
	const plan = planOf(caseId, existing, [
		...existing.map((kept) => {
			const update = updates.get(kept);
			return update === undefined ? { kept } : { given: updateAction(kept, update) };
		}),
		...given.filter((action) => !updating.has(action)).map((action) => ({ given: action })),
	]);
	return { ...plan, removed: 0 };
}

/**
 * Takes actions away and keeps the others in their order.
 * @throws InvalidInput when an action that stays can't be sent back
 */
export function planDelete(
	caseId: string,
	existing: CaseAction[],
	isRemoved: (action: CaseAction) => boolean,
): KeepingPlan {
	const kept = existing.filter((action) => !isRemoved(action));
	if (kept.length === existing.length) {
		// Nothing is written then, so these are only shown.
		return { actions: existing as unknown[] as ActionInput[], losingText: [], removed: 0 };
	}
	return planOf(
		caseId,
		existing,
		kept.map((action) => ({ kept: action })),
	);
}
