import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../api/failures/failure';
import type { ActionInput } from '../../api/types';
import { EXAMPLE, parseActionList } from './actionInput';
import type { Parameters, Show } from '../form';
import { asRecord } from '../values';

const URL_FIELD: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/webhook/contain',
	description: 'Address that the action calls or opens',
};

const LABEL_FIELD: INodeProperties = {
	displayName: 'Label',
	name: 'label',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Contain host',
	description: 'Main text shown on the case',
};

const TYPE_FIELD: INodeProperties = {
	displayName: 'Type',
	name: 'action_type',
	type: 'options',
	default: 'webhook',
	options: [
		{ name: 'Page', value: 'page', description: 'Opens the URL in the browser' },
		{ name: 'Webhook', value: 'webhook', description: 'Calls the URL' },
	],
	description: 'What the action does with the URL',
};

const TEXT_FIELD: INodeProperties = {
	displayName: 'Button Text',
	name: 'action_text',
	type: 'string',
	default: '',
	placeholder: 'e.g. Contain now',
	description: 'Text on the button, such as Run. Optional.',
};

const ACTION_FIELDS = [LABEL_FIELD, TYPE_FIELD, URL_FIELD, TEXT_FIELD];

/**
 * The actions to give a case: one by one, as JSON, or one of each input item.
 * @param description of the list of actions
 */
export function actionFields(show: Show, description: string): INodeProperties[] {
	return [
		{
			displayName: 'Actions From',
			name: 'actionsFrom',
			type: 'options',
			noDataExpression: true,
			default: 'fields',
			displayOptions: { show },
			options: [
				{
					name: 'Fields Below',
					value: 'fields',
					description: 'Enter the actions here. Every case in the input gets them.',
				},
				{
					name: 'Input Items',
					value: 'items',
					description: 'Each input item is one action',
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
			displayName: 'Actions',
			name: 'actions',
			type: 'fixedCollection',
			typeOptions: {
				multipleValues: true,
				multipleValueButtonText: 'Add Action',
				sortable: true,
			},
			placeholder: 'Add Action',
			default: {},
			displayOptions: { show: { ...show, actionsFrom: ['fields'] } },
			description,
			options: [{ displayName: 'Action', name: 'action', values: ACTION_FIELDS }],
		},
		{
			displayName: 'Actions (JSON)',
			name: 'actionsJson',
			type: 'json',
			default: '[]',
			displayOptions: { show: { ...show, actionsFrom: ['json'] } },
			hint: `Example: ${EXAMPLE}`,
			description:
				'A list of actions, or an object that has such a list in its field actions. The action_type is webhook or page; action_text (the button text) and query_params are optional. Actions that this node or the service returned can be used as they are.',
		},
		...ACTION_FIELDS.map((field) => ({
			...field,
			displayOptions: { show: { ...show, actionsFrom: ['items'] } },
		})),
	];
}

/** The actions that one input item gives. @throws InvalidInput, also where it gives none */
export function readActions({ parameter }: Parameters, item: number): ActionInput[] {
	const from = parameter('actionsFrom', item);
	const ofFields = () =>
		from === 'items'
			? [Object.fromEntries(ACTION_FIELDS.map(({ name }) => [name, parameter(name, item)]))]
			: (asRecord(parameter('actions', item, {})).action ?? []);
	const actions =
		from === 'json'
			? parseActionList(parameter('actionsJson', item), 'Actions (JSON)')
			: parseActionList(ofFields(), 'Actions');
	if (actions.length > 0) return actions;
	throw new InvalidInput(
		'No action was given',
		'Add an action. To remove all actions of a case, use the operation Clear.',
	);
}
