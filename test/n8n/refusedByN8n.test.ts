import { byId, failureOf, itemsWith, OF_ITEM, rowsOf } from '../support/runs';
import { useService } from '../support/service';
import { useSsrfProtection } from '../support/ssrfProtection';

useSsrfProtection();
const service = useService({ cases: 3 });

const MESSAGE =
	'n8n did not send the request: The request was blocked because it resolves to a restricted IP address';

describe('a request that n8n refuses to send, as to an internal address under its SSRF protection', () => {
	it('is an error in n8n’s words and with its advice', async () => {
		const run = await service.run({ options: { maxRetries: 0 } });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: MESSAGE,
			description: expect.stringMatching(
				/ask your n8n administrator to allowlist the hostname or IP range.*Request: GET \/api\/v2\/cases\./,
			),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	test.each([
		['a read', { operation: 'get', caseId: OF_ITEM }],
		['a write', { resource: 'action', operation: 'clear', caseId: byId('={{ $json.id }}') }],
	])('is an error item under Continue On Fail: %s', async (_what, parameters) => {
		const given = { ...parameters, options: { maxRetries: 0 } };
		const items = itemsWith([1]);
		const run = await service.run(given, { items, onError: 'continueRegularOutput' });
		expect(rowsOf(run)).toEqual([
			{
				error: expect.stringContaining(`${MESSAGE}. The target 127.0.0.1 is not allowed.`),
				details: { httpCode: null, body: null },
			},
		]);
	});
});
