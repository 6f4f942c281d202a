import type { RawAnswer } from '../../nodes/Cases/api/http/requestFailures';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { readAnswer, type ApiAnswer } from '../../nodes/Cases/api/http/readAnswer';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';

const REQUEST: ApiRequest = { method: 'GET', path: '/api/v2/cases?page=1' };
const WRITE: ApiRequest = { method: 'PUT', path: '/api/v2/cases/7/actions/batch' };

type Given = Partial<Omit<RawAnswer, 'text'>> & { text?: string };

const read = ({ text = '{}', ...answer }: Given, request = REQUEST) => {
	let left = text;
	const textOnce = () => {
		const taken = left;
		left = '';
		return taken;
	};
	return readAnswer(
		request,
		{
			status: 200,
			headers: {},
			text: textOnce,
			elapsedMs: 0,
			...answer,
		},
		(text) => text.split('secret').join('***'),
	);
};

function usable(answer: Given): ApiAnswer {
	const outcome = read(answer);
	if (outcome instanceof ApiFailure) throw outcome;
	return outcome;
}

function failure(answer: Given): ApiFailure {
	const outcome = read(answer);
	if (outcome instanceof ApiFailure) return outcome;
	throw new Error('The answer was usable');
}

describe('a usable answer', () => {
	it.each([200, 201, 299])('with %i holds the JSON of its body', (status) => {
		expect(usable({ status, text: '{"cases":[]}' }).body).toEqual({ cases: [] });
	});

	it('may be JSON null', () => {
		expect(usable({ text: 'null' }).body).toBeNull();
	});

	it('has as its time the Date header minus the time that the answer took, in whole seconds', () => {
		const headers = { date: 'Sat, 31 Jan 2026 12:00:10 GMT' };
		const at = (elapsedMs: number) => usable({ headers, elapsedMs }).servedAt;
		const times = ['12:00:10', '12:00:09', '12:00:07'];
		expect([0, 1, 2500].map(at)).toEqual(times.map((time) => Date.parse(`2026-01-31T${time}Z`)));
		expect(usable({}).servedAt).toBeUndefined();
		expect(usable({ headers: { date: 'nonsense' } }).servedAt).toBeUndefined();
	});

	it('makes the failure for a body that is not what was requested, without the API key', () => {
		const { unusable } = usable({ text: '{"key":"secret"}' });
		const { message, details } = unusable({ message: 'No list' });
		expect(message).toBe('No list');
		expect(details).toEqual({
			description: expect.stringMatching(
				/Check that 'Base URL' .* Request: GET \/api\/v2\/cases, status 200\.$/,
			) as string,
			httpCode: 200,
			body: { key: '***' },
			retryable: false,
		});
	});

	it('to a write leaves open what was written where it is not what was requested', () => {
		const { unusable } = read({}, WRITE) as ApiAnswer;
		expect(unusable({ message: 'No list' }).details.mayHaveBeenDone).toBe(true);
	});
});

const WEB_PAGE = 'The service answered with a web page instead of data';
const UNREADABLE = "The service's answer is empty, incomplete or nested too deeply";
const CHECK = /^Check that 'Base URL' in the credential is the address of your tenant/;
const AGAIN = /^Try again\. If it keeps happening, check 'Base URL' in the credential/;

it.each([
	['a web page', '<html>Log in</html>', WEB_PAGE, CHECK, false],
	['a web page after an empty line', '\n <html>Log in</html>', WEB_PAGE, CHECK, false],
	['empty', '', UNREADABLE, AGAIN, true],
	['truncated JSON', '{"cases":[{"case_', UNREADABLE, AGAIN, true],
	['plain text', 'OK', UNREADABLE, AGAIN, true],
	['nested too deeply', '['.repeat(51) + ']'.repeat(51), UNREADABLE, AGAIN, true],
])('an answer that is %s says what to do', (_what, text, message, advice, retryable) => {
	const failed = failure({ text });
	expect(failed.message).toBe(message);
	expect(failed.details).toEqual({
		description: expect.stringMatching(advice) as string,
		httpCode: 200,
		body: text,
		retryable,
	});
});

it.each([200, 202, 204])('a write that is answered with %i and no body is done', (status) => {
	expect(read({ status, text: ' ' }, WRITE)).toMatchObject({ body: undefined });
	expect(failure({ status, text: ' ' }).message).toBe(UNREADABLE);
});

it.each([300, 404, 500])('an answer with %i is a failure, whatever its body is', (status) => {
	expect(failure({ status, text: '{"cases":[]}' }).details.httpCode).toBe(status);
});

it('a failure shows no API key that the service repeats', () => {
	expect(failure({ status: 403, text: '{"error":"Key secret is locked"}' }).details).toMatchObject({
		description: expect.stringContaining('Key *** is locked') as string,
		body: { error: 'Key *** is locked' },
	});
});
