import { InvalidInput, quote } from '../../../api/failure';
import { parseDate } from '../../../fields/dates';
import { readCollection } from '../../../fields/form';
import type { Parameters } from '../../../fields/parameters';
import { asRecord, isBlank, parseSwitch, parseText } from '../../../fields/values';
import { defaultButtonType, type Answer, type ButtonType } from './question';

const MAX_CHOICES = 10;

/** What the user enters for a question, besides the case. */
export interface Asked {
	message: string;
	answers: Answer[];
	buttonType: ButtonType;
	keepButtons: boolean;
	/** Undefined waits without a limit. */
	waitUntil?: Date;
}

function textOr(value: unknown, label: string, fallback: string): string {
	return isBlank(value) ? fallback : parseText(value, label).trim();
}

function readApproval(collection: unknown): Answer[] {
	const { approvalType, approveLabel, disapproveLabel } = asRecord(asRecord(collection).values);
	const approve: Answer = {
		choice: 'approve',
		text: textOr(approveLabel, 'Approve Button Label', 'Approve'),
		approved: true,
	};
	if (approvalType === 'single') return [approve];
	const text = textOr(disapproveLabel, 'Decline Button Label', 'Decline');
	return [approve, { choice: 'decline', text, approved: false }];
}

function readChoices(collection: unknown): Answer[] {
	const { choice: choices = [] } = asRecord(collection);
	if (!Array.isArray(choices) || choices.length === 0 || choices.length > MAX_CHOICES) {
		throw new InvalidInput(
			`'Choices' must have 1 to ${MAX_CHOICES} entries`,
			'Add a choice for each answer.',
		);
	}
	return choices.map((entry, index) => {
		const { text: given, value } = asRecord(entry);
		const text = textOr(given, 'Button Text', '');
		if (text === '') {
			throw new InvalidInput(`Choice ${index + 1} has no button text`, "Enter its 'Button Text'.");
		}
		return { choice: textOr(value, 'Value', text), text, approved: null };
	});
}

/** @throws InvalidInput where two answers can't be told apart, on the case or in the output */
function refuseEqual(answers: Answer[]): Answer[] {
	for (const name of ['text', 'choice'] as const) {
		const values = answers.map((answer) => answer[name]);
		const repeated = values.find((value, index) => values.indexOf(value) !== index);
		if (repeated !== undefined) {
			throw new InvalidInput(
				`Two answers have the same ${name === 'text' ? 'button text' : 'value'}: ${quote(repeated)}`,
				'Give each answer a different button text and value.',
			);
		}
	}
	return answers;
}

const UNIT_MS: Record<string, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Waits longer than this are refused: dates of n8n end there. */
const MAX_WAIT_MS = 900 * 365 * 86_400_000;

/** Why a wait can't end then. @param time in ms; NaN where the amount or the unit is not usable */
function problemOf(isDate: boolean, time: number | undefined, startedAt: number): string {
	if (time === undefined) return "'Max Date and Time' is empty";
	if (time > startedAt) return "'Limit Wait Time' is too far in the future";
	if (isDate) return "'Max Date and Time' is in the past";
	return "'Amount' must be more than 0, and 'Unit' must be minutes, hours or days";
}

function readLimit(collection: unknown, { timezone, startedAt }: Parameters): Date | undefined {
	const limit = asRecord(asRecord(collection).values);
	if (Object.keys(limit).length === 0) return undefined;
	const isDate = limit.limitType === 'atSpecifiedTime';
	const amount =
		Number(limit.resumeAmount ?? 1) * (UNIT_MS[String(limit.resumeUnit ?? 'hours')] ?? NaN);
	const time = isDate
		? parseDate(limit.maxDateAndTime, timezone, 'Max Date and Time', 'end')
		: startedAt + amount;
	if (time !== undefined && time > startedAt && time - startedAt < MAX_WAIT_MS)
		return new Date(time);
	throw new InvalidInput(
		problemOf(isDate, time, startedAt),
		"Enter a time in the future under 'Limit Wait Time', or remove the option to wait without a limit.",
	);
}

function readButtonType(value: unknown): ButtonType | undefined {
	return value === 'page' || value === 'webhook' ? value : undefined;
}

/**
 * @param isReview whether the question is a review of the tools of an AI agent
 * @throws InvalidInput naming the field that can't be used
 */
export function readQuestion(parameters: Parameters, item: number, isReview: boolean): Asked {
	const { parameter } = parameters;
	const message = parseText(parameter('message', item), 'Message');
	if (message.trim() === '') {
		throw new InvalidInput("'Message' is empty", 'Enter the question.');
	}
	const options = readCollection(parameter('options', item, {}), 'Options');
	const answers =
		parameter('responseType', item) === 'choice'
			? readChoices(parameter('choices', item, {}))
			: readApproval(parameter('approvalOptions', item, {}));
	return {
		message,
		answers: refuseEqual(answers),
		buttonType: readButtonType(options.buttonType) ?? defaultButtonType(message, isReview),
		keepButtons: parseSwitch(options.keepButtons ?? false, 'Keep Buttons'),
		waitUntil: readLimit(options.limitWaitTime, parameters),
	};
}
