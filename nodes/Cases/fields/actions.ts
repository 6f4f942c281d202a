import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { isObject, parseJson } from '../api/json';
import { storable } from '../api/http/requests';
import { parseUrl } from '../api/http/url';
import type { ActionInput } from '../api/types';
import { rowsForm, textForm, type Field, type Parameters } from './form';
import { asRecord, isBlank, parseChoice, parseText, refuseNothing } from './values';

const ACTION_FIELDS: INodeProperties[] = [
	{
		...textForm('label', 'Label', 'e.g. Contain host', 'Main text shown on the case'),
		required: true,
	},
	{
		displayName: 'Type',
		name: 'action_type',
		type: 'options',
		default: 'webhook',
		options: [
			{ name: 'Page', value: 'page', description: 'Opens the URL in the browser' },
			{ name: 'Webhook', value: 'webhook', description: 'Calls the URL' },
		],
		description: 'What the action does with the URL',
	},
	{
		...textForm(
			'url',
			'URL',
			'e.g. https://example.com/webhook/contain',
			'Address that the action calls or opens',
		),
		required: true,
	},
	textForm(
		'action_text',
		'Button Text',
		'e.g. Contain now',
		'Text on the button, such as Run. Optional.',
	),
];

/** An example of a list of actions. It isn't the default of the field, which could be written to a case by mistake. */
const EXAMPLE =
	'[{ "label": "Contain", "action_type": "webhook", "url": "https://example.com/go", "action_text": "Run" }]';

/**
 * The fields for the actions of a case: entered one by one or as JSON, or taken from the input items.
 * @param description of the field Actions
 * @param isReplacing whether an action without a button text gets none, although the case may have one
 */
export const actionsField = (description: string, isReplacing = false): Field<ActionInput[]> => ({
	form: [
		{
			displayName: 'Actions From',
			name: 'actionsFrom',
			type: 'options',
			noDataExpression: true,
			default: 'fields',
			options: [
				{
					name: 'Fields Below',
					value: 'fields',
					description: 'Enter the actions here. Every case in the input gets them.',
				},
				{
					name: 'Input Items',
					value: 'items',
					description:
						'Each input item is one action. All actions of a case must come in one run, not in a loop.',
				},
				{
					name: 'JSON',
					value: 'json',
					description: 'Enter the actions as a JSON list. Every case in the input gets them.',
				},
			],
			description: 'Where the actions come from',
		},
		{
			...rowsForm('Action', 'Add Action', ACTION_FIELDS),
			displayName: 'Actions',
			name: 'actions',
			displayOptions: from('fields'),
			description,
		},
		{
			displayName: 'Actions (JSON)',
			name: 'actionsJson',
			type: 'json',
			default: '[]',
			displayOptions: from('json'),
			hint: `Example: ${EXAMPLE}`,
			description:
				'A list of actions, or an object that has such a list in its field actions. The action_type is webhook or page; action_text (the button text) and query_params are optional. Actions that this node returned can be used as they are.',
		},
		...ACTION_FIELDS.map((one) => ({ ...one, displayOptions: from('items') })),
	],
	read: (parameters, item) => readGivenActions(parameters, item, isReplacing),
});

const from = (source: string) => ({ show: { actionsFrom: [source] } });

const WRITABLE = ['url', 'label', 'action_type', 'action_text', 'query_params'];

/**
 * Reads one action, without blanks around its texts.
 * @param where names the action in errors, e.g. "Action 2"
 * @throws InvalidInput that names the field which can't be sent
 */
export function parseAction(value: unknown, where: string, isReplacing = false): ActionInput {
	const action = asRecord(value);
	const check = (isRight: boolean, what: string, remedy: string) => {
		if (!isRight) throw new InvalidInput(`${where}${what}`, remedy);
	};
	// An action with an ID came from the service. Its other fields are ignored, not refused.
	const unknown = Object.keys(action).filter((key) => ![...WRITABLE, 'case_id'].includes(key));
	check(
		unknown.length === 0 || !isBlank(action.id),
		` has an unknown field ${quote(unknown[0])}`,
		`The fields of an action are: ${WRITABLE.join(', ')}.`,
	);
	check(
		!isReplacing || isBlank(action.id) || 'action_text' in action,
		' would lose its button text, because lists of cases leave these texts out',
		'Take the actions from Get Many of Case Action. Or give each action an action_text, which may be empty.',
	);
	const textOf = (field: string) =>
		isBlank(action[field]) ? '' : parseText(action[field], `${where}: ${field}`).trim();
	const [url, label, text] = ['url', 'label', 'action_text'].map(textOf);
	const type = action.action_type ?? '';
	check(
		/^https?:\/\/\S+$/i.test(url) && parseUrl(url) !== undefined,
		`: ${quote(url)} is not an http(s) address`,
		'Enter the full address of the webhook or page as url, e.g. https://example.com/webhook/contain.',
	);
	check(label !== '', ' has no label', 'Enter a name for the action as its label.');
	const params = storable(action.query_params ?? {}, `${where}: query_params`);
	// An expression without a value gives undefined, and JSON would silently leave the parameter out.
	check(
		isObject(params) && !Object.values(params).includes(undefined),
		`: query_params ${quote(params)} is not an object of values`,
		'Enter query_params as an object of texts, e.g. {"source": "n8n"}.',
	);
	return {
		url,
		label,
		action_type: parseChoice(type, `${where}: action_type`, ['webhook', 'page']),
		...(text === '' ? {} : { action_text: text }),
		...(Object.keys(params).length === 0 ? {} : { query_params: asRecord(params) }),
	};
}

/**
 * Reads a list of actions from JSON text, from a list, or from an object with `actions`, such as an item of Replace All.
 * @throws InvalidInput
 */
export function parseActionList(value: unknown, isReplacing = false): ActionInput[] {
	const remedy = `Enter a list such as ${EXAMPLE}, or an object with such a list as "actions".`;
	const refuseText = (why: string) => {
		throw new InvalidInput(`Could not read 'Actions (JSON)': ${why}`, remedy);
	};
	const data = typeof value === 'string' ? parseJson(value, refuseText) : value;
	const list = isObject(data) && 'actions' in data ? data.actions : data;
	if (Array.isArray(list)) {
		return list.map((entry, index) => parseAction(entry, `Action ${index + 1}`, isReplacing));
	}
	throw new InvalidInput(`'Actions (JSON)' must be a list, not ${quote(data ?? '')}`, remedy);
}

/** Reads the actions that one input item gives. @throws InvalidInput, also for an item without actions */
function readGivenActions({ parameter, stored }: Parameters, item: number, isReplacing: boolean) {
	const given = (name: string, label: string) =>
		refuseNothing(`'${label}'`, stored(name), parameter(name, item, {}));
	const sources: Record<string, () => unknown> = {
		fields: () => asRecord(given('actions', 'Actions')).action ?? [],
		items: () => [
			Object.fromEntries(ACTION_FIELDS.map(({ name }) => [name, parameter(name, item)])),
		],
		json: () => given('actionsJson', 'Actions (JSON)'),
	};
	const from = parameter('actionsFrom', item);
	const actions = parseActionList(sources[String(from)]?.(), isReplacing);
	if (actions.length > 0) return actions;
	throw new InvalidInput(
		'No action was given',
		'Add an action. To remove all actions of a case, use the operation Clear.',
	);
}
