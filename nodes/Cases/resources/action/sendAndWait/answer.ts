import { isObject } from '../../../api/actions';
import { caseIdOf } from '../../../api/identity';
import type { Row } from '../../../api/types';
import { asRecord, isBlank } from '../../../fields/values';
import type { Answer, Question } from './question';

/** Most characters of the posted body, as JSON, that reach the output. */
const MAX_BODY_LENGTH = 20_000;

/** Most characters of one of its members, where the whole is longer. */
const MAX_MEMBER_LENGTH = 2000;

/** @returns undefined for what has no JSON, such as lists in lists that are too deep for it */
function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}

/** A posted body as an object: a list or a text is its member `value`. */
function asObject(body: unknown): Row {
	if (isObject(body)) return body;
	return isBlank(body) ? {} : { value: body };
}

/** What the service posts, as far as it fits into the output. Members that are too long become truncated texts. */
export function capBody(body: unknown): Row {
	const posted = asObject(body);
	const whole = jsonOf(posted);
	if (whole !== undefined && whole.length <= MAX_BODY_LENGTH) return posted;
	const members = Object.entries(posted).slice(0, 10);
	return {
		...Object.fromEntries(
			members.map(([name, value]) => {
				const text = typeof value === 'string' ? value : jsonOf(value);
				if (text === undefined) return [name.slice(0, 100), '…'];
				const fits = text.length <= MAX_MEMBER_LENGTH;
				return [name.slice(0, 100), fits ? value : `${text.slice(0, MAX_MEMBER_LENGTH)}…`];
			}),
		),
		truncated: true,
	};
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
	{ caseId }: Question,
	{ approved, choice, text }: Answer,
	posted: unknown,
	{ respondedAt, cleaned }: { respondedAt: Date; cleaned: boolean },
): Row {
	const body = capBody(posted);
	return {
		case_id: caseIdOf(caseId),
		data: {
			approved,
			choice,
			text,
			respondedAt: respondedAt.toISOString(),
			user: body.user ?? null,
		},
		body,
		cleaned,
	};
}
