import type { Client } from '../../../api/client';
import { inTurn } from '../../../api/actions/turns';
import type { Row } from '../../../api/types';
import { answerOf, outputOf } from './answer';
import { removeButtons } from './buttons';
import { acceptedPage, overPage, questionPage } from './page';
import { isOfQuestion, type ButtonParameters, type Question } from './question';

/** A request to the URL of a button. */
export interface Press {
	/** Only a POST answers. */
	isPost: boolean;
	/** The signed parameters of the URL. */
	parameters: ButtonParameters;
	body: unknown;
}

/** Runs a task on the case for a limited time; false where it failed or took too long. */
type Within = (task: (client: Client) => Promise<boolean>) => Promise<boolean>;

/** What to show and, where that answers the question, the output of the node: it is to be made once the page is shown. */
export interface Reply {
	page: string;
	output?: (within: Within) => Promise<Row>;
}

/** The last questions that were answered: n8n calls one waiting until it continues, so a second click comes here too. */
const answered = new Set<string>();
const MOST_ANSWERED = 1000;

function markAnswered(nonce: string): void {
	const [oldest] = answered;
	if (answered.size === MOST_ANSWERED) answered.delete(oldest);
	answered.add(nonce);
}

/**
 * Replies to whoever pressed or opened a button.
 * @param kept what the waiting execution has kept; undefined where that can't be read
 */
export function replyTo({ isPost, parameters, body }: Press, kept: Row | undefined): Reply {
	const question = kept as unknown as Question | undefined;
	if (question === undefined || !isOfQuestion(question, parameters)) return { page: overPage() };
	const { nonce, caseId, ids = [], keepButtons } = question;
	if (answered.has(nonce)) return { page: overPage() };
	const answer = answerOf(question, parameters, isPost ? body : undefined);
	if (!isPost || answer === undefined) return { page: questionPage(question, answer) };
	const respondedAt = new Date();
	markAnswered(nonce);
	const clean = async (client: Client) =>
		await inTurn(client, caseId, async () => await removeButtons(client, caseId, ids));
	const output = async (within: Within) => {
		const cleaned = !keepButtons && (await within(clean));
		return outputOf(question, answer, body, { respondedAt, cleaned });
	};
	return { page: acceptedPage(answer), output };
}
