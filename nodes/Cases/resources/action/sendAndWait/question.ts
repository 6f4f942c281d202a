import { MAX_LABEL_LENGTH, shortenLabel } from '../../../api/actions/labels';
import type { ActionInput } from '../../../api/types';

/** One of the answers to a question. */
export interface Answer {
	/** What the output has, for the nodes that follow. */
	choice: string;
	/** What the button says. */
	text: string;
	/** Null where the question isn't an approval. */
	approved: boolean | null;
}

/** A question that waits. n8n keeps it with the execution, as it was when it was put on the case. */
export interface Question {
	caseId: string;
	/** Tells the question from others of the same node and execution, such as those of a loop. */
	nonce: string;
	message: string;
	answers: Answer[];
	/** What the URL of each button says. */
	buttons: ButtonParameters[];
	/** The IDs of the actions that are its buttons; undefined before they are on the case, and for an unknown one. */
	ids?: Array<string | undefined>;
	/** Whether the buttons stay on the case after the answer. */
	keepButtons: boolean;
}

/** What the URL of a button says, besides n8n's signature. */
export interface ButtonParameters {
	[name: string]: string;
}

/** What a button does: the service calls its URL, or the browser opens it. */
export type ButtonType = 'page' | 'webhook';

/**
 * The type of the buttons where the user chose none. Whoever reviews a tool of an AI agent has to see all of its parameters,
 * so a message that doesn't fit the label gets a page.
 */
export function defaultButtonType(message: string, isReview: boolean): ButtonType {
	return isReview && [...message].length > MAX_LABEL_LENGTH ? 'page' : 'webhook';
}

/** Returns the URL of a button, signed with its parameters. */
export type SignUrl = (parameters: ButtonParameters) => string;

/**
 * What the URLs of the buttons say. Each has a key of its own, so that nobody can make the URL of one answer from that of
 * another: n8n 1.x doesn't refuse a changed URL in all cases.
 */
export function drawButtons(
	{ caseId, nonce, answers }: Pick<Question, 'caseId' | 'nonce' | 'answers'>,
	buttonType: ButtonType,
): ButtonParameters[] {
	const each =
		buttonType === 'page' ? [{}] : answers.map((_answer, index) => ({ answer: String(index) }));
	return each.map((answer) => ({ case: caseId, nonce, ...answer, key: crypto.randomUUID() }));
}

/**
 * The actions that put a question on its case: one for each answer, which the service calls, or one that opens a page
 * with all of them.
 */
export function actionsOf({ message, answers, buttons }: Question, sign: SignUrl): ActionInput[] {
	const label = shortenLabel(message);
	return buttons.map((parameters) => {
		const answer = answers[Number(parameters.answer)];
		const url = sign(parameters);
		return answer === undefined
			? { url, label, action_type: 'page', action_text: 'Review' }
			: { url, label, action_type: 'webhook', action_text: answer.text };
	});
}

/** Whether a URL is that of a button of the question that waits now. */
export function isOfQuestion({ buttons }: Question, parameters: ButtonParameters): boolean {
	return buttons.some((button) =>
		Object.entries(button).every(([name, value]) => parameters[name] === value),
	);
}
