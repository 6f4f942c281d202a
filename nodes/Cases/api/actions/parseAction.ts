import { InvalidInput, quote } from '../failure';
import { describeJsonError, isObject, parseJson } from '../json';
import type { ActionInput, Row } from '../types';
import { parseUrl } from '../url';

const WRITABLE = ['url', 'label', 'action_type', 'action_text', 'query_params'];

/** Further fields that services and this node's own output give an action, and no write takes. */
const READ_ONLY = [
	...['id', 'case_id', 'story_name', 'story_emoji', 'page_emoji'],
	...['created_at', 'updated_at'],
];

/** An entry with an ID came from the service. What it has is kept as it is, and what isn't known is left out. */
function isFromService({ id }: Row): boolean {
	return id !== undefined && id !== null;
}

function refuseUnknownFields(action: Row, where: string): void {
	const unknown = Object.keys(action).find((key) => ![...WRITABLE, ...READ_ONLY].includes(key));
	if (unknown === undefined) return;
	throw new InvalidInput(
		`${where} has an unknown field ${quote(unknown)}`,
		`The fields of an action are: ${WRITABLE.join(', ')}.`,
	);
}

function parseActionUrl(value: unknown, where: string, tidy: (text: string) => string): string {
	const text = typeof value === 'string' ? tidy(value) : '';
	if (/^https?:\/\/[^\s]+$/i.test(text) && parseUrl(text) !== undefined) return text;
	throw new InvalidInput(
		text.trim() === ''
			? `${where} has no URL`
			: `${where}: ${quote(value)} is not an http(s) address`,
		'Enter the full address of the webhook or page, e.g. https://example.com/webhook/contain.',
	);
}

/** A number that text can stand for: a larger one has lost digits, and NaN is none. */
function isExact(value: unknown): boolean {
	return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function parseActionText(value: unknown, field: string, where: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	if (isExact(value)) return String(value);
	throw new InvalidInput(
		`${where}: ${field} ${quote(value)} is not text`,
		`Enter ${field} as text.`,
	);
}

/** @param isKept whether the action came from the service, which may have further types */
function parseActionType(value: unknown, where: string, isKept: boolean): string {
	const type = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (type === 'webhook' || type === 'page') return type;
	if (isKept && typeof value === 'string' && type !== '') return value;
	throw new InvalidInput(
		`${where}: the action type ${quote(value ?? '')} is neither webhook nor page`,
		'Choose webhook to call the URL, or page to open it.',
	);
}

function parseQueryParams(value: unknown, where: string): Row {
	const entries = isObject(value) ? Object.entries(value) : [];
	const isText = ([, text]: [string, unknown]) =>
		['string', 'boolean'].includes(typeof text) || isExact(text);
	if ((isObject(value) || value === undefined || value === null) && entries.every(isText)) {
		return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
	}
	throw new InvalidInput(
		`${where}: query_params ${quote(value)} is not an object of texts`,
		'Enter query_params as an object of texts, e.g. {"source": "n8n"}.',
	);
}

/**
 * Reads one action as writes take it. Blanks around the texts are removed, unless the action came from the
 * service: its texts are then kept as they are.
 * @param where names the action in errors, e.g. "Action 2"
 * @throws InvalidInput naming the field that can't be sent
 */
export function parseAction(value: unknown, where: string): ActionInput {
	if (!isObject(value)) {
		throw new InvalidInput(
			`${where}: ${quote(value)} is not an action`,
			'An action is an object with url, label, action_type and, optionally, action_text.',
		);
	}
	const isKept = isFromService(value);
	if (!isKept) refuseUnknownFields(value, where);
	const tidy = (text: string) => (isKept ? text : text.trim());
	const url = parseActionUrl(value.url, where, tidy);
	const label = tidy(parseActionText(value.label, 'label', where));
	if (label.trim() === '') {
		throw new InvalidInput(`${where} has no label`, 'Enter a name for the action as its label.');
	}
	const action_type = parseActionType(value.action_type, where, isKept);
	const text = tidy(parseActionText(value.action_text, 'action_text', where));
	const given = value.query_params;
	const params = isKept && isObject(given) ? given : parseQueryParams(given, where);
	return {
		url,
		label,
		action_type,
		...(text === '' ? {} : { action_text: text }),
		...(Object.keys(params).length === 0 ? {} : { query_params: params }),
	};
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
 * Reads a list of actions given as JSON: text, a list, or an object with `actions`, such as an item of Replace All.
 * @param field name of the parameter, for errors
 * @throws InvalidInput for anything else, and as {@link parseAction}
 */
export function parseActionList(value: unknown, field: string): ActionInput[] {
	const data = typeof value === 'string' ? parseJsonField(value, field) : value;
	const list = isObject(data) && 'actions' in data ? data.actions : data;
	if (!Array.isArray(list)) {
		throw new InvalidInput(
			`'${field}' must be a list of actions, not ${quote(data ?? '')}`,
			`Enter a list such as ${LIST_EXAMPLE}, or an object with such a list as "actions".`,
		);
	}
	return list.map((entry, index) => parseAction(entry, `Action ${index + 1}`));
}
