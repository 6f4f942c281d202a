import type { Client } from '../../../api/http/client';
import { caseIdOf } from '../../../api/identity';
import { isObject } from '../../../api/http/json';
import { inTurn } from '../../../n8n/turns';
import type { ReplyTo, Within } from '../../../n8n/webhook';
import { removeButtons } from './buttons';
import { acceptedPage, OVER_PAGE, questionPage } from './page';
import type { Question } from './question';

/** The questions that were answered: n8n calls one waiting until it continues, so a second click comes here too. */
const answered = new Set<string>();
const MOST_ANSWERED = 1000;

/**
 * Replies to whoever pressed or opened a button.
 * @param kept what the waiting execution has kept; undefined where that can't be read
 */
export const replyTo: ReplyTo = ({ isPost, parameters, body }, kept) => {
	const question = kept as Question | undefined;
	const pressed = question?.keys.indexOf(parameters.key) ?? -1;
	if (question === undefined || pressed === -1 || answered.has(question.keys[0])) {
		return { page: OVER_PAGE };
	}
	const { caseId, answers, isPage, keys, ids, keepButtons } = question;
	const posted = isObject(body) ? body : {};
	const answer = answers.find(
		(_answer, index) => String(index) === String(isPage ? posted.answer : pressed),
	);
	if (!isPost || answer === undefined) return { page: questionPage(question, pressed) };
	const responded_at = new Date().toISOString();
	if (answered.size === MOST_ANSWERED) answered.clear();
	answered.add(keys[0]);
	const clean = async (client: Client) =>
		await inTurn(client, caseId, async () => await removeButtons(client, caseId, ids));
	const output = async (within: Within) => ({
		case_id: caseIdOf(caseId),
		// Whoever knows the URL can post anything, so the responder proves nothing. A page posts none.
		data: { ...answer, responded_at, responder: isPage ? null : (posted.user ?? null) },
		body: posted,
		cleaned: !keepButtons && (await within(clean)),
	});
	return { page: acceptedPage(answer), output };
};
