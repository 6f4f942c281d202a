import type { Client } from '../../../api/http/client';
import { caseIdOf } from '../../../api/identity';
import { isObject } from '../../../api/http/json';
import { inTurn } from '../../../n8n/turns';
import type { ReplyTo } from '../../../n8n/webhook';
import { removeButtons } from './buttons';
import { acceptedPage, OVER_PAGE, questionPage } from './page';
import type { Question } from './question';

/**
 * Replies to whoever pressed or opened a button.
 * @param kept what the waiting execution has kept; undefined where that can't be read, or the question has an answer
 */
export const replyTo: ReplyTo = ({ isPost, parameters, body }, kept) => {
	const question = kept as Question | undefined;
	const pressed = question?.keys.indexOf(parameters.key) ?? -1;
	if (question === undefined || pressed === -1) return { page: OVER_PAGE };
	const { caseId, answers, isPage, ids, keepButtons } = question;
	const posted = isObject(body) ? body : {};
	const answer = answers.find(
		(_answer, index) => String(index) === String(isPage ? posted.answer : pressed),
	);
	if (!isPost || answer === undefined) return { page: questionPage(question, pressed) };
	const output = {
		case_id: caseIdOf(caseId),
		data: {
			...answer,
			responded_at: new Date().toISOString(),
			// Whoever knows the URL can post anything, so the responder proves nothing. A page posts none.
			responder: isPage ? null : (posted.user ?? null),
		},
		body: posted,
	};
	const takeOff = async (client: Client) =>
		await inTurn(client, caseId, async () => await removeButtons(client, caseId, ids));
	return {
		page: acceptedPage(answer),
		answered: { output, cleanUp: keepButtons ? undefined : takeOff },
	};
};
