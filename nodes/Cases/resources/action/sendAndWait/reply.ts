import type { Client } from '../../../api/http/client';
import { numericId } from '../../../api/identity';
import { isObject } from '../../../api/json';
import type { Row } from '../../../api/types';
import { inTurn } from '../../../n8n/turns';
import type { ReplyTo } from '../../../n8n/webhook';
import { removeButtons } from './buttons';
import type { Answer, Question } from './question';

/** Escapes a text for an element or an attribute of HTML. */
function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const STYLE =
	'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1rem;color-scheme:light dark}p{white-space:pre-wrap;overflow-wrap:anywhere}button{font:inherit;margin:0 .5rem .5rem 0;padding:.5rem 1rem;cursor:pointer}';

/** @param body HTML, in which all texts must be escaped already */
function page(title: string, body: string): string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>`;
}

/** The way back to the case. */
const linkOf = ({ caseId, caseUrl }: Question): string =>
	/^https?:/.test(String(caseUrl))
		? `<p><a href="${escapeHtml(String(caseUrl))}">Open case ${escapeHtml(caseId)}</a></p>`
		: '';

/**
 * The page of a question, with a button for each answer. Only a button answers, by posting to the address of the page:
 * opening the page must not answer, because mail scanners and link previews open addresses, too.
 */
function questionPage(question: Question, answers: Answer[]): string {
	const { caseId, caseName, message } = question;
	const buttons = answers.map(
		({ text }, index) => `<button name="answer" value="${index}">${escapeHtml(text)}</button>`,
	);
	return page(
		[`Case ${caseId}`, caseName ?? []].flat().join(': '),
		`<p>${escapeHtml(message)}</p><form method="post">${buttons.join('')}</form>${linkOf(question)}`,
	);
}

/** The page for a question that no longer waits for an answer. */
const OVER_PAGE = page(
	'No answer needed',
	'<p>This question was answered already, or it is no longer open. Nothing was changed.</p>',
);

/** What was posted, without the URLs of buttons: whoever has one can answer. */
function withoutUrls(posted: Row): Row {
	const without = (value: unknown, hidden: string) =>
		isObject(value)
			? Object.fromEntries(Object.entries(value).filter(([name]) => name !== hidden))
			: value;
	const hidden: Record<string, string> = { button: 'url', case: 'actions' };
	return Object.fromEntries(
		Object.entries(posted).map(([name, value]) => [name, without(value, hidden[name])]),
	);
}

/**
 * Replies to a request to the URL of a button.
 * @param kept the question; undefined where the question can't be read, or has an answer
 */
export const replyTo: ReplyTo = ({ isPost, parameters, body }, kept) => {
	const question = kept as Question | undefined;
	const pressed = question?.buttons.find(({ key }) => key === parameters.key);
	if (question === undefined || pressed === undefined) return { page: OVER_PAGE };
	const { caseId, isPage, ids } = question;
	const { answers } = pressed;
	const posted = isObject(body) ? body : {};
	const answer = answers.find(
		(_answer, index) => answers.length === 1 || String(index) === String(posted.answer),
	);
	if (!isPost || answer === undefined) return { page: questionPage(question, answers) };
	const output = {
		case_id: numericId(caseId),
		data: {
			...answer,
			responded_at: new Date().toISOString(),
			// This doesn't prove who answered, because whoever knows the URL can post any user. A page posts no user.
			responder: isPage ? null : (posted.user ?? null),
			message: isPage ? null : (posted.message ?? null),
		},
		body: withoutUrls(posted),
	};
	const cleanUp = async (client: Client) =>
		await inTurn(client, caseId, async () => await removeButtons(client, caseId, ids));
	const accepted = `<p>${escapeHtml(answer.text)}</p><p>You can close this page.</p>${linkOf(question)}`;
	return { page: page('Answer received', accepted), answered: { output, cleanUp } };
};
