import { caseIdOf } from '../../../api/identity';
import { isObject } from '../../../api/json';
import type { Row } from '../../../api/types';
import { asRecord, isBlank } from '../../../fields/values';
import type { Answer, Question } from './question';

/** Most characters of the posted body, as JSON, that reach the output. */
const MAX_BODY_LENGTH = 20_000;

/** Most characters of who pressed, as JSON. */
const MAX_USER_LENGTH = 2000;

/** @returns undefined for what has no JSON, such as lists in lists that are too deep for it */
function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

/** What the service posts, as an object and as far as it fits into the output. A list or a text is its member `value`. */
export function capBody(body: unknown): Row {
	const posted = isObject(body) ? body : isBlank(body) ? {} : { value: body };
	const text = jsonOf(posted) ?? '';
	if (text !== '' && text.length <= MAX_BODY_LENGTH) return posted;
	return { truncated: true, text: text.slice(0, MAX_BODY_LENGTH) };
}

/** The answer that a request means: that of the button, or the one chosen on the page. */
export function answerOf(
	{ answers }: Question,
	parameters: Row,
	body: unknown,
): Answer | undefined {
	const index = parameters.answer ?? asRecord(body).answer;
	return typeof index === 'string' && /^\d{1,2}$/.test(index) ? answers[Number(index)] : undefined;
}

/** The output of an answered question. `cleaned` is whether its buttons are off the case. */
export function outputOf(
	{ caseId, buttons }: Question,
	{ approved, choice, text }: Answer,
	posted: unknown,
	{ respondedAt, cleaned }: { respondedAt: Date; cleaned: boolean },
): Row {
	const body = capBody(posted);
	// Whoever knows the URL can post anything, so this proves nothing. A page posts nothing about who pressed.
	const isPage = buttons.every(({ answer }) => answer === undefined);
	const user = isObject(posted) && !isPage ? posted.user : null;
	const responder = (jsonOf(user) ?? '').length > MAX_USER_LENGTH ? null : (user ?? null);
	const responded_at = respondedAt.toISOString();
	return {
		case_id: caseIdOf(caseId),
		data: { approved, choice, text, responded_at, responder },
		body,
		cleaned,
	};
}
