import { InvalidInput, quote } from '../../api/failures/failure';
import { describeJsonError, isObject, parseJson } from '../../api/http/json';
import type { ActionInput, Row } from '../../api/types';
import { parseUrl } from '../../api/http/url';
import { asRecord, isBlank, parseText } from '../values';

const WRITABLE = ['url', 'label', 'action_type', 'action_text', 'query_params'];

/** An example of a list of actions. Not the default of a field, which would be written to a real case. */
export const EXAMPLE =
	'[{ "label": "Contain host", "action_type": "webhook", "url": "https://example.com/webhook/contain", "action_text": "Contain now" }]';

/** An action with an ID came from the service, and may have fields that no write takes. */
function refuseUnknownFields(action: Row, where: string): void {
	const isUnknown = (key: string) => ![...WRITABLE, 'case_id'].includes(key);
	const unknown = isBlank(action.id) ? Object.keys(action).find(isUnknown) : undefined;
	if (unknown === undefined) return;
	throw new InvalidInput(
		`${where} has an unknown field ${quote(unknown)}`,
		`The fields of an action are: ${WRITABLE.join(', ')}.`,
	);
}

/**
 * Reads one action as writes take it, without blanks around its texts.
 * @param where names the action in errors, e.g. "Action 2"
 * @throws InvalidInput naming the field that can't be sent
 */
export function parseAction(value: unknown, where: string): ActionInput {
	const action = asRecord(value);
	refuseUnknownFields(action, where);
	const refuse = (what: string, remedy: string) => new InvalidInput(`${where}${what}`, remedy);
	const textOf = (field: string) =>
		isBlank(action[field]) ? '' : parseText(action[field], `${where}: ${field}`).trim();
	const [url, label, type, text] = WRITABLE.slice(0, 4).map(textOf);
	if (!/^https?:\/\/\S+$/i.test(url) || parseUrl(url) === undefined) {
		throw refuse(
			`: ${quote(url)} is not an http(s) address`,
			'Enter the full address of the webhook or page as url, e.g. https://example.com/webhook/contain.',
		);
	}
	if (label === '') {
		throw refuse(' has no label', 'Enter a name for the action as its label.');
	}
	const action_type = type.toLowerCase();
	if (action_type !== 'webhook' && action_type !== 'page') {
		throw refuse(
			`: the action type ${quote(type)} is neither webhook nor page`,
			'Choose webhook to call the URL, or page to open it.',
		);
	}
	const params = action.query_params ?? {};
	// An expression without a value would leave the parameter out, unseen.
	if (!isObject(params) || Object.values(params).includes(undefined)) {
		throw refuse(
			`: query_params ${quote(params)} is not an object of values`,
			'Enter query_params as an object of texts, e.g. {"source": "n8n"}.',
		);
	}
	return {
		url,
		label,
		action_type,
		...(text === '' ? {} : { action_text: text }),
		...(Object.keys(params).length === 0 ? {} : { query_params: params }),
	};
}

/**
 * Reads a list of actions given as JSON: text, a list, or an object with `actions`, such as an item of Replace All.
 * @param field name of the parameter, for errors
 * @throws InvalidInput for anything else, and as {@link parseAction}
 */
export function parseActionList(value: unknown, field: string): ActionInput[] {
	const data = typeof value === 'string' ? parseJson(value) : value;
	const list = isObject(data) && 'actions' in data ? data.actions : data;
	if (Array.isArray(list)) {
		return list.map((entry, index) => parseAction(entry, `Action ${index + 1}`));
	}
	throw new InvalidInput(
		typeof value === 'string' && data === undefined
			? `'${field}' is not valid JSON: ${describeJsonError(value)}`
			: `'${field}' must be a list of actions, not ${quote(data ?? '')}`,
		`Enter a list such as ${EXAMPLE}, or an object with such a list as "actions".`,
	);
}
