import { InvalidInput } from '../../../api/failures/failure';
import { requiredText } from '../../../fields/caseValues';
import { field, rowsForm, strictField, textForm, type Field } from '../../../fields/form';
import {
	ifAdded,
	numberOption,
	ownOptions,
	switchOption,
	type Option,
} from '../../../fields/options';
import { asRecord, isBlank, parseChoice, parseText } from '../../../fields/values';

/** One of the answers to a question. */
export interface Answer {
	/** The value of the answer in the output. */
	choice: string;
	/** The text of the button. */
	text: string;
	/** Null where the question isn't an approval. */
	approved: boolean | null;
}

/** A question that waits, as n8n keeps it with the execution. */
export interface Question {
	caseId: string;
	/** The name and the URL of the case. They are read only for a page. */
	caseName?: unknown;
	caseUrl?: unknown;
	message: string;
	/** Whether one button opens a page with all answers. Otherwise each answer has a button, whose URL the service calls. */
	isPage: boolean;
	/**
	 * The buttons, each with its answers. The URL of a button has only a random key as its parameter, so that nobody can
	 * guess the URL of another button: n8n 1 doesn't always refuse a changed URL.
	 */
	buttons: Array<{ key: string; answers: Answer[] }>;
	/** The IDs of the buttons to delete after the answer. */
	ids: string[];
}

export const MESSAGE = requiredText(
	{
		...textForm(
			'message',
			'Message',
			'e.g. Isolate host web-7?',
			'The question, shown on one line as the label of the buttons. If it has more than 100 characters, the case shows one button that opens a page with the whole message.',
		),
		typeOptions: { rows: 4 },
	},
	parseText,
	["'Message' is empty", 'Enter the question.'],
);

function textOr(value: unknown, label: string, fallback: string): string {
	return isBlank(value) ? fallback : parseText(value, label).trim();
}

const RESPONSE_TYPE = field(
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
	(given, label) => parseChoice(given, label, ['approval', 'choice']),
);

const forType = (responseType: string) => ({ show: { responseType: [responseType] } });

// The names and values are those of n8n's own nodes, because n8n's human review of tools fills them in.
const APPROVAL = strictField<Answer[]>(
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
	(given) => {
		const { approvalType = 'double', ...labels } = asRecord(asRecord(given).values);
		const type = parseChoice(approvalType, 'Type of Approval', ['single', 'double']);
		const yes = textOr(labels.approveLabel, 'Approve Button Label', 'Approve');
		const no = textOr(labels.disapproveLabel, 'Decline Button Label', 'Decline');
		const approve = { choice: 'approve', text: yes, approved: true };
		const decline = { choice: 'decline', text: no, approved: false };
		return type === 'single' ? [approve] : [approve, decline];
	},
);

const CHOICES = strictField<Answer[]>(
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
	(given) => {
		const { choice } = asRecord(given);
		const entries = Array.isArray(choice) ? choice.map(asRecord) : [];
		const answers = entries.map(({ text: own, value }) => {
			const text = textOr(own, 'Button Text', '');
			return { choice: textOr(value, 'Value', text), text, approved: null };
		});
		if (answers.length > 0 && answers.every(({ text }) => text !== '')) return answers;
		throw new InvalidInput(
			"'Choices' must have one or more entries, each with a 'Button Text'",
			'Add a choice for each answer.',
		);
	},
);

export const ANSWERS: Field<Answer[]> = {
	form: [...RESPONSE_TYPE.form, ...APPROVAL.form, ...CHOICES.form],
	read: (...given) =>
		(RESPONSE_TYPE.read(...given) === 'choice' ? CHOICES : APPROVAL).read(...given),
};

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
