import type { INode } from 'n8n-workflow';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { failureOfAnswer, failureOfNetwork } from '../../nodes/Cases/api/http/requestFailures';
import { toNodeError } from '../../nodes/Cases/n8n/errors';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import { answerOf } from '../support/answer';

const NODE: INode = {
	id: '1',
	name: 'Node',
	type: 'n8n-nodes-cases.cases',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const REQUEST: ApiRequest = { method: 'GET', path: '/api/v2/cases' };

const answered = (status: number, headers = {}) =>
	failureOfAnswer(REQUEST, answerOf(status, '', headers), (text) => text);
const lost = (code: string) => failureOfNetwork(REQUEST, code, 'a.example');

describe('the cause that n8n’s scheduler gets', () => {
	test.each<[string, ApiFailure, Record<string, unknown>]>([
		['429', answered(429), { cause: 'rate-limited' }],
		[
			'429 with Retry-After',
			answered(429, { 'retry-after': '7' }),
			{ cause: 'rate-limited', retryAfterMs: 7000 },
		],
		[
			'503 with Retry-After',
			answered(503, { 'retry-after': '7' }),
			{ cause: 'temporarily-unavailable', retryAfterMs: 7000 },
		],
		['500', answered(500), { cause: 'temporarily-unavailable' }],
		['408', answered(408), { cause: 'temporarily-unavailable' }],
		['a lost connection', lost('ECONNRESET'), { cause: 'temporarily-unavailable' }],
		['a refused connection', lost('ECONNREFUSED'), { cause: 'temporarily-unavailable' }],
		['a timeout', lost('ETIMEDOUT'), { cause: 'temporarily-unavailable' }],
		['401', answered(401), { cause: 'credential-invalid' }],
		['403', answered(403), { cause: 'credential-invalid' }],
		['404', answered(404), { cause: 'configuration-invalid' }],
		['407', answered(407), { cause: 'configuration-invalid' }],
		['a redirect', answered(302), { cause: 'configuration-invalid' }],
		['a wrong host', lost('ENOTFOUND'), { cause: 'temporarily-unavailable' }],
		['a bad certificate', lost('CERT_HAS_EXPIRED'), { cause: 'configuration-invalid' }],
	])('of %s', (_what, failure, expected) => {
		expect(toNodeError({ getNode: () => NODE }, failure)).toMatchObject({
			name: 'NodeApiError',
			failure: expected,
		});
	});
});
