import { shortenLabel } from '../../../api/actions/labels';
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

/** What the user asks in a case. */
export interface Asked {
	message: string;
	answers: Answer[];
	/** Whether one button opens a page with all answers. Otherwise each answer has a button, which the service calls. */
	isPage: boolean;
	/** Whether the buttons stay on the case after the answer. */
	keepButtons: boolean;
	/** Undefined waits without a limit. */
	waitUntil?: Date;
}

/** A question that waits. n8n keeps it with the execution, as it was when it was put on the case. */
export type Question = Asked & {
	caseId: string;
	/**
	 * One for each button. Its URL says nothing else, so that nobody can make the URL of one answer from that of another:
	 * n8n 1.x doesn't refuse a changed URL in all cases.
	 */
	keys: string[];
	/** The IDs of the actions that are its buttons. */
	ids: string[];
};

/**
 * The actions that put a question on its case.
 * @param sign returns a URL that n8n has signed with its parameters
 */
export function actionsOf(
	{ message, answers, isPage, keys }: Question,
	sign: (parameters: Record<string, string>) => string,
): ActionInput[] {
	return keys.map((key, index) => ({
		url: sign({ key }),
		label: shortenLabel(message),
		action_type: isPage ? 'page' : 'webhook',
		action_text: isPage ? 'Review' : answers[index].text,
	}));
}
