import { InvalidInput, nameSome, quote } from './failure';
import { describeJsonError, parseJson } from './json';
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
		'Enter the full address of the webhook or page, e.g. https://example.com/webhook/contain.',
	);
}

function parseActionText(value: unknown, field: string, where: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	throw new InvalidInput(
		`${where}: ${field} ${quote(value)} is not text`,
		`Enter ${field} as text.`,
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
		throw new InvalidInput(`${where} has no label`, 'Enter a name for the action as its label.');
	}
	const given = action.action_type;
	const type = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (type !== 'webhook' && type !== 'page') {
		throw new InvalidInput(
			`${where}: the action type ${quote(action.action_type ?? '')} is neither webhook nor page`,
			'Choose webhook to call the URL, or page to open it.',
		);
	}
	const text = parseActionText(action.action_text, 'action_text', where);
	return { url, label, action_type: type, ...(text === '' ? {} : { action_text: text }) };
}

const LIST_EXAMPLE =
	'[{"label": "Contain host", "action_type": "webhook", "url": "https://example.com/contain"}]';

/** @throws InvalidInput with what the parser says */
function parseJsonField(text: string, field: string): unknown {
	const value = parseJson(text);
	if (value !== undefined) return value;
	throw new InvalidInput(
		text.trim() === ''
			? `'${field}' is empty`
			: `'${field}' is not valid JSON: ${describeJsonError(text)}`,
		`Enter a list such as ${LIST_EXAMPLE}.`,
	);
}

/**
 * Reads a list of actions given as JSON: text, a list, or an object with `actions`.
 * @param field name of the parameter, for errors
 * @throws InvalidInput for anything else, and as {@link parseAction}
 */
export function parseActionList(value: unknown, field: string): ActionInput[] {
	const data = typeof value === 'string' ? parseJsonField(value, field) : value;
	const list =
		typeof data === 'object' && data !== null && 'actions' in data
			? (data as { actions: unknown }).actions
			: data;
	if (!Array.isArray(list)) {
		throw new InvalidInput(
			`'${field}' must be a list of actions, not ${quote(data ?? '')}`,
			`Enter a list such as ${LIST_EXAMPLE}, or an object with such a list as "actions".`,
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
			'Actions are matched by URL. Enter each URL once.',
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
	const labels = nameSome(matching.map(({ label }) => quote(label ?? '')));
	throw new InvalidInput(
		`The case has ${matching.length} actions with the URL ${quote(url)}: ${labels}`,
		"Actions are matched by URL, so this node can't tell which of them to update. Use the operation Replace All to set all actions of the case.",
	);
}

function keepAction({ url, label, action_type }: CaseAction): ActionInput {
	return parseAction({ url, label, action_type }, `The existing action ${quote(label ?? '')}`);
}

/**
 * Whether giving a case these actions changes it. Lists don't carry button texts, so the same actions may still
 * differ in these.
 * @param existing the actions of the case; undefined where they are unknown
 * @returns true where URL, label, type or order differ; null where only a button text may differ, or anything
 */
export function isChange(existing: CaseAction[] | undefined, given: ActionInput[]): true | null {
	if (existing === undefined) return null;
	const isSame =
		existing.length === given.length &&
		given.every(({ url, label, action_type }, index) => {
			const current = existing[index];
			return url === current.url && label === current.label && action_type === current.action_type;
		});
	return isSame ? null : true;
}

/** Whether a case already has exactly these actions, in this order. A given button text counts as a change. */
export function isUnchanged(existing: CaseAction[] | undefined, given: ActionInput[]): boolean {
	const hasText = given.some(({ action_text }) => action_text !== undefined);
	return existing !== undefined && !hasText && isChange(existing, given) === null;
}
