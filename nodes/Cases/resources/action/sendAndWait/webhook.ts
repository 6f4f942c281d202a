import type { Client } from '../../../api/client';
import type { Row } from '../../../api/types';
import { answerOf, outputOf } from './answer';
import { removeButtons } from './clean';
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

/** What to show, and the output of the node where the question is answered. */
export interface Reply {
	page: string;
	output?: Row;
}

/**
 * Replies to whoever pressed or opened a button.
 * @param kept what the waiting execution has kept; undefined where that can't be read
 * @param within runs a task on the case for a limited time; false where it failed or took too long
 */
export async function replyTo(
	{ isPost, parameters, body }: Press,
	kept: Row | undefined,
	within: (task: (client: Client) => Promise<boolean>) => Promise<boolean>,
): Promise<Reply> {
	const question = kept as unknown as Question | undefined;
	if (question === undefined || !isOfQuestion(question, parameters)) return { page: overPage() };
	const answer = answerOf(question, parameters, isPost ? body : undefined);
	if (!isPost || answer === undefined) return { page: questionPage(question, answer) };
	const cleaned =
		!question.keepButtons &&
		(await within(async (client) => await removeButtons(client, question)));
	const respondedAt = new Date();
	return {
		page: acceptedPage(answer),
		output: outputOf(question, answer, body, { respondedAt, cleaned }),
	};
}
