import { MAX_LABEL_LENGTH } from '../../../api/actions/labels';
import { InvalidInput } from '../../../api/failures/failure';
import { readCollection } from '../../../fields/form';
import { readNumberOption, readSwitch } from '../../../fields/options';
import type { Parameters } from '../../../fields/parameters';
import { asRecord, isBlank, parseText } from '../../../fields/values';
import type { Answer, Asked } from './question';

function textOr(value: unknown, label: string, fallback: string): string {
	return isBlank(value) ? fallback : parseText(value, label).trim();
}

function readApproval(collection: unknown): Answer[] {
	const { approvalType, approveLabel, disapproveLabel } = asRecord(asRecord(collection).values);
	const yes = textOr(approveLabel, 'Approve Button Label', 'Approve');
	const no = textOr(disapproveLabel, 'Decline Button Label', 'Decline');
	const approve = { choice: 'approve', text: yes, approved: true };
	const decline = { choice: 'decline', text: no, approved: false };
	return approvalType === 'single' ? [approve] : [approve, decline];
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

/** @throws InvalidInput naming the field that can't be used */
export function readQuestion(parameters: Parameters, item: number): Asked {
	const { parameter, startedAt } = parameters;
	const message = parseText(parameter('message', item), 'Message');
	if (message.trim() === '') throw new InvalidInput("'Message' is empty", 'Enter the question.');
	const options = readCollection(parameter('options', item, {}), 'Options');
	const { buttonType = [...message].length > MAX_LABEL_LENGTH ? 'page' : 'webhook' } = options;
	const minutes = readNumberOption(options, 'limitWaitTime');
	return {
		message,
		answers:
			parameter('responseType', item) === 'choice'
				? readChoices(parameter('choices', item, {}))
				: readApproval(parameter('approvalOptions', item, {})),
		isPage: buttonType === 'page',
		keepButtons: readSwitch(parameters, item, 'keepButtons'),
		waitUntil: 'limitWaitTime' in options ? new Date(startedAt + minutes * 60_000) : undefined,
	};
}
