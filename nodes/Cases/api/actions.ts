import { InvalidInput, quote } from './failure';
import { parseJson } from './json';
import { parseUrl } from './url';
import type { ActionInput, CaseAction } from './types';

/** Further fields that lists and answers carry, and the batch update doesn't take. */
const READ_ONLY = ['id', 'story_name', 'story_emoji', 'created_at', 'updated_at'];
const WRITABLE = ['url', 'label', 'action_type', 'action_text'];

function parseActionUrl(value: unknown, where: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^https?:\/\/[^\s]+$/i.test(text) && parseUrl(text) !== undefined) return text;
	throw new InvalidInput(
		text === '' ? `${where} has no URL` : `${where}: ${quote(value)} is not an http(s) address`,
		'Give the full address of the webhook or page, e.g. https://example.com/webhook/contain.',
	);
}

function parseActionText(value: unknown, field: string, where: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	throw new InvalidInput(
		`${where}: ${field} ${quote(value)} is not text`,
		`Give ${field} as text.`,
	);
}

/**
 * Reads one action as the batch update takes it.
 * @param where names the action in errors, e.g. "Action 2"
 * @throws InvalidInput naming the field that can't be sent
 */
export function parseAction(value: unknown, where: string): ActionInput {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new InvalidInput(
			`${where}: ${quote(value)} is not an action`,
			'An action is an object with url, label, action_type and, optionally, action_text.',
		);
	}
	const action = value as Record<string, unknown>;
	const unknown = Object.keys(action).find(
		(key) => !WRITABLE.includes(key) && !READ_ONLY.includes(key),
	);
	if (unknown !== undefined) {
		throw new InvalidInput(
			`${where} has an unknown field ${quote(unknown)}`,
			`The fields of an action are: ${WRITABLE.join(', ')}.`,
		);
	}
	const url = parseActionUrl(action.url, where);
	const label = parseActionText(action.label, 'label', where);
	if (label === '') {
		throw new InvalidInput(`${where} has no label`, 'Give the text that identifies the action.');
	}
	const given = action.action_type;
	const type = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (type !== 'webhook' && type !== 'page') {
		throw new InvalidInput(
			`${where}: the action type ${quote(action.action_type ?? '')} is neither webhook nor page`,
			'Choose webhook for an address that is called, page for one that is opened.',
		);
	}
	const text = parseActionText(action.action_text, 'action_text', where);
	return { url, label, action_type: type, ...(text === '' ? {} : { action_text: text }) };
}

/**
 * Reads a list of actions given as JSON: text, a list, or an object with `actions`.
 * @throws InvalidInput for anything else, and as {@link parseAction}
 */
export function parseActionList(value: unknown): ActionInput[] {
	const data = typeof value === 'string' ? parseJson(value) : value;
	const list =
		typeof data === 'object' && data !== null && 'actions' in data
			? (data as { actions: unknown }).actions
			: data;
	if (!Array.isArray(list)) {
		throw new InvalidInput(
			`The actions ${quote(value ?? '')} are no list`,
			'Give a list such as [{"url": "https://example.com/contain", "label": "Contain", "action_type": "webhook"}], or an object with such a list as "actions".',
		);
	}
	return list.map((entry, index) => parseAction(entry, `Action ${index + 1}`));
}

/** Actions after an upsert, and which existing actions lose their button text by it. */
export interface UpsertPlan {
	actions: ActionInput[];
	losing: CaseAction[];
}

/**
 * Merges given actions into the existing ones by URL: in place where the URL exists, otherwise at the end.
 * The others stay, but lists don't carry button texts, so these can only be sent without theirs.
 * @throws InvalidInput when an existing action can't be sent back, or several actions, given or existing, have one of
 * the given URLs: then it is unclear which one is meant
 */
export function planUpsert(existing: CaseAction[], given: ActionInput[]): UpsertPlan {
	const byUrl = new Map(given.map((action) => [action.url, action]));
	const repeated = given.find((action) => byUrl.get(action.url) !== action);
	if (repeated !== undefined) {
		throw new InvalidInput(
			`Two actions have the URL ${quote(repeated.url)}`,
			'An action is found by its URL. Give each URL once.',
		);
	}
	for (const { url } of given) refuseAmbiguous(url, existing);
	const losing = existing.filter(({ url }) => !byUrl.has(url ?? ''));
	const kept = existing.map((action) => byUrl.get(action.url ?? '') ?? keepAction(action));
	const known = new Set(existing.map(({ url }) => url));
	return { actions: [...kept, ...given.filter(({ url }) => !known.has(url))], losing };
}

function refuseAmbiguous(url: string, existing: CaseAction[]): void {
	const matching = existing.filter((action) => action.url === url);
	if (matching.length < 2) return;
	const labels = matching.map(({ label }) => quote(label ?? '')).join(', ');
	throw new InvalidInput(
		`The case has ${matching.length} actions with the URL ${quote(url)}: ${labels}`,
		"An action is found by its URL, so it can't be told which of them to update. Give the case all its actions anew with the operation Replace All.",
	);
}

function keepAction({ url, label, action_type }: CaseAction): ActionInput {
	return parseAction({ url, label, action_type }, `The existing action ${quote(label ?? '')}`);
}

/**
 * Whether a case already has exactly these actions, in this order.
 * A given button text can't be compared, so it counts as a change.
 */
export function isUnchanged(existing: CaseAction[], given: ActionInput[]): boolean {
	return (
		existing.length === given.length &&
		given.every((action, index) => {
			const current = existing[index];
			return (
				action.action_text === undefined &&
				action.url === current.url &&
				action.label === current.label &&
				action.action_type === current.action_type
			);
		})
	);
}
