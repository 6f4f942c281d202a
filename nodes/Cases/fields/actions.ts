import type { INodeProperties } from 'n8n-workflow';

import { parseAction, parseActionList } from '../api/actions';
import type { ActionInput } from '../api/types';
import { caseLocatorField } from './caseLocator';
import type { Show } from './form';
import type { Parameters } from './parameters';

const URL_FIELD: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/webhook/contain',
	description: 'Address of the webhook that the action calls, or of the page that it opens',
};

const LABEL_FIELD: INodeProperties = {
	displayName: 'Label',
	name: 'label',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Contain host',
	description: 'Text that identifies the action',
};

const TYPE_FIELD: INodeProperties = {
	displayName: 'Type',
	name: 'action_type',
	type: 'options',
	default: 'webhook',
	options: [
		{ name: 'Page', value: 'page', description: 'The URL is opened as a page' },
		{ name: 'Webhook', value: 'webhook', description: 'The URL is called' },
	],
	description: 'Whether the URL is called or opened',
};

const TEXT_FIELD: INodeProperties = {
	displayName: 'Button Text',
	name: 'action_text',
	type: 'string',
	default: '',
	placeholder: 'e.g. Contain now',
	description: 'Text of the button that runs the action. If it is empty, none is sent.',
};

const ACTION_FIELDS = [URL_FIELD, LABEL_FIELD, TYPE_FIELD, TEXT_FIELD];

/**
 * The case and the actions to give it: one by one, as JSON, or one of each input item.
 * @param description of the list of actions
 */
export function actionFields(show: Show, description: string): INodeProperties[] {
	return [
		caseLocatorField(show, 'The case to give the actions to'),
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
					description: 'Enter the actions one by one, for the case of each input item',
				},
				{
					name: 'Input Items',
					value: 'items',
					description: 'Each input item gives one action; those of one case are sent together',
				},
				{
					name: 'JSON',
					value: 'json',
					description: 'Give all actions as one list, for the case of each input item',
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
			default:
				'[\n  {\n    "url": "https://example.com/webhook/contain",\n    "label": "Contain host",\n    "action_type": "webhook",\n    "action_text": "Contain now"\n  }\n]',
			displayOptions: { show: { ...show, actionsFrom: ['json'] } },
			description:
				'A list of actions such as the one shown, or an object that has such a list as actions. The button text (action_text) is optional.',
		},
		...ACTION_FIELDS.map((field) => ({
			...field,
			displayOptions: { show: { ...show, actionsFrom: ['items'] } },
		})),
	];
}

/** The actions that one input item gives. @throws InvalidInput */
export function readActions({ parameter }: Parameters, item: number): ActionInput[] {
	switch (parameter('actionsFrom', item)) {
		case 'items': {
			const entries = ACTION_FIELDS.map(({ name }) => [name, parameter(name, item)]);
			return [parseAction(Object.fromEntries(entries), 'The action')];
		}
		case 'json':
			return parseActionList(parameter('actionsJson', item));
		default: {
			const { action = [] } = parameter('actions', item, {}) as { action?: unknown };
			return parseActionList(action);
		}
	}
}
