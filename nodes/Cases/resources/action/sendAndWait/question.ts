import { MAX_LABEL_LENGTH } from '../../../api/actions/labels';
import { InvalidInput } from '../../../api/failures/failure';
import type { Row } from '../../../api/types';
import type { Parameters } from '../../../fields/form';
import { asRecord, isBlank, parseChoice, parseText, refuseNothing } from '../../../fields/values';
import { OPTIONS } from './form';

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

function textOr(value: unknown, label: string, fallback: string): string {
	return isBlank(value) ? fallback : parseText(value, label).trim();
}

function readApproval(collection: unknown): Answer[] {
	const { approvalType = 'double', ...labels } = asRecord(asRecord(collection).values);
	const type = parseChoice(approvalType, 'Type of Approval', ['single', 'double']);
	const yes = textOr(labels.approveLabel, 'Approve Button Label', 'Approve');
	const no = textOr(labels.disapproveLabel, 'Decline Button Label', 'Decline');
	const approve = { choice: 'approve', text: yes, approved: true };
	const decline = { choice: 'decline', text: no, approved: false };
	return type === 'single' ? [approve] : [approve, decline];
}

function readChoices(collection: unknown): Answer[] {
	const { choice } = asRecord(collection);
	const entries = Array.isArray(choice) ? choice.map(asRecord) : [];
	const answers = entries.map(({ text: given, value }) => {
		const text = textOr(given, 'Button Text', '');
		return { choice: textOr(value, 'Value', text), text, approved: null };
	});
	if (answers.length > 0 && answers.every(({ text }) => text !== '')) return answers;
	throw new InvalidInput(
		"'Choices' must have one or more entries, each with a 'Button Text'",
		'Add a choice for each answer.',
	);
}

/** @throws InvalidInput for an input with `data`: n8n passes the input on when the time is over, like an answer */
function waitUntil(minutes: number, startedAt: number, { data }: Row): Date {
	if (data !== undefined && data !== null) {
		throw new InvalidInput(
			"With Limit Wait Time the input can't have a field named data",
			'If nobody answers in time, n8n passes on the input, and the workflow would take its data for the answer. Remove the field before this node, for example with Edit Fields.',
		);
	}
	return new Date(startedAt + minutes * 60_000);
}

/** Reads the question. @param input the input item. @throws InvalidInput that names the field which can't be used */
export function readQuestion(parameters: Parameters, item: number, input: Row) {
	const { parameter, stored, startedAt } = parameters;
	const group = (name: string, label: string) =>
		refuseNothing(`'${label}'`, stored(name), parameter(name, item, {}));
	const message = parseText(parameter('message', item), 'Message');
	if (message.trim() === '') throw new InvalidInput("'Message' is empty", 'Enter the question.');
	const { buttonType, keepButtons, limitWaitTime } = OPTIONS.read(parameters, item);
	const isLong = [...message].length > MAX_LABEL_LENGTH;
	const responseType = parameter('responseType', item, 'approval');
	return {
		message,
		answers:
			parseChoice(responseType, 'Response Type', ['approval', 'choice']) === 'choice'
				? readChoices(group('choices', 'Choices'))
				: readApproval(group('approvalOptions', 'Approval Options')),
		isPage: (buttonType ?? (isLong ? 'page' : 'webhook')) === 'page',
		keepButtons,
		/** Undefined to wait without a limit. */
		waitUntil: limitWaitTime === undefined ? undefined : waitUntil(limitWaitTime, startedAt, input),
	};
}
