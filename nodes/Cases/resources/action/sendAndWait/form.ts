import type { INodeProperties } from 'n8n-workflow';

import { caseField } from '../../../fields/caseLocator';
import { rowsForm, textForm } from '../../../fields/form';
import {
	ifAdded,
	numberOption,
	ownOptions,
	switchOption,
	type Option,
} from '../../../fields/options';
import { parseChoice } from '../../../fields/values';

const forType = (responseType: string) => ({ show: { responseType: [responseType] } });

const BUTTON_TYPE: Option<'webhook' | 'page'> = {
	form: {
		displayName: 'Button Type',
		name: 'buttonType',
		type: 'options',
		default: 'webhook',
		options: [
			{
				name: 'Page',
				value: 'page',
				description: 'One button, Review, that opens a page with the whole message and the answers',
			},
			{
				name: 'Webhook',
				value: 'webhook',
				description: 'One button for each answer; pressing it answers at once',
			},
		],
		description:
			'What a button does when somebody presses it. By default Webhook, or Page if the message has more than 100 characters.',
	},
	read: (added) => parseChoice(added.buttonType, 'Button Type', ['webhook', 'page']),
};

export const OPTIONS = ownOptions({
	buttonType: ifAdded(BUTTON_TYPE),
	keepButtons: switchOption(
		'keepButtons',
		'Keep Buttons',
		'Whether the buttons stay on the case after the answer. Pressing them again then changes nothing.',
	),
	/** Undefined to wait without a limit. */
	limitWaitTime: ifAdded(
		numberOption(
			'limitWaitTime',
			'Limit Wait Time (Minutes)',
			[1, 525_600],
			45,
			'After how many minutes to continue without an answer, up to a year. The node then passes on its input, and the buttons stay on the case. By default it waits without a limit.',
		),
	),
});

export const form: INodeProperties[] = [
	...caseField('The case to ask in').form,
	{
		...textForm(
			'message',
			'Message',
			'e.g. Isolate host web-7?',
			'The question, shown on one line as the label of the buttons. If it has more than 100 characters, the case shows one button that opens a page with the whole message.',
		),
		typeOptions: { rows: 4 },
		required: true,
	},
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		default: 'approval',
		options: [
			{ name: 'Approval', value: 'approval', description: 'Approve and decline, or approve only' },
			{ name: 'Choice', value: 'choice', description: 'One of several answers' },
		],
		description: 'How people can answer',
	},
	// The names and values are those of n8n's own nodes, because n8n's human review of tools fills them in.
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add Approval Options',
		default: {},
		displayOptions: forType('approval'),
		description: 'Whether somebody can also decline, and what the buttons say',
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Type of Approval',
						name: 'approvalType',
						type: 'options',
						default: 'double',
						options: [
							{ name: 'Approve Only', value: 'single' },
							{ name: 'Approve and Decline', value: 'double' },
						],
					},
					{
						displayName: 'Approve Button Label',
						name: 'approveLabel',
						type: 'string',
						default: 'Approve',
					},
					{
						displayName: 'Decline Button Label',
						name: 'disapproveLabel',
						type: 'string',
						default: 'Decline',
						displayOptions: { show: { approvalType: ['double'] } },
					},
				],
			},
		],
	},
	{
		...rowsForm('Choice', 'Add Choice', [
			{
				...textForm('text', 'Button Text', 'e.g. Not ours', 'What the button says'),
				required: true,
			},
			textForm(
				'value',
				'Value',
				'e.g. not_ours',
				'Value of data.choice in the output. By default the button text.',
			),
		]),
		displayName: 'Choices',
		name: 'choices',
		displayOptions: forType('choice'),
		description: 'Each answer is one button',
	},
	...OPTIONS.form,
];
