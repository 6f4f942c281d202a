import { itemsWith, OF_ITEM, pairsOf, range, rowsOf } from '../support/runs';
import { useService } from '../support/service';

// Errors of single items are tested with their operations; here are those that all items share.
const service = useService({ cases: 10 });

const FAILURES: Array<[string, Record<string, unknown>, Record<string, string>]> = [
	['no API key', {}, { apiKey: '' }],
	['a bad Base URL', {}, { baseUrl: 'acme' }],
	[
		'a domain that isn’t allowed',
		{},
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' },
	],
	['an option out of range', { options: { concurrency: 0 } }, {}],
	['a page size out of range', { options: { pageSize: 999 } }, {}],
];
const ERROR = {
	error: expect.stringMatching(/\S+ \S+/) as string,
	details: { httpCode: null, body: null },
};

describe('what keeps the whole run from starting is an error of each item', () => {
	test.each(FAILURES)('in either output: %s', async (_what, parameters, credential) => {
		const given = { items: itemsWith([1, 2]), credential };
		const one = await service.run(parameters, { ...given, onError: 'continueRegularOutput' });
		expect(rowsOf(one)).toEqual([ERROR, ERROR]);
		expect(pairsOf(one)).toEqual([[0], [1]]);
		const two = await service.run(parameters, { ...given, onError: 'continueErrorOutput' });
		expect(two.items).toEqual([]);
		expect(two.errorItems.map(({ json }) => json)).toEqual([1, 2].map((id) => ({ id, ...ERROR })));
	});
});

it('equal reads that fail go out once, and are an error of each of their items', async () => {
	service.sandbox.faults.add({ fault: { kind: 'status', status: 400 } });
	const items = itemsWith([1, 2, 3]);
	const run = await service.run({ limit: 1 }, { items, onError: 'continueRegularOutput' });
	expect(rowsOf(run).map(({ details }) => details)).toEqual(
		[1, 2, 3].map(() => ({ httpCode: 400, body: expect.anything() })),
	);
	expect(service.sandbox.requests).toHaveLength(1);
});

it('what every request would meet, such as a revoked key, ends the other items without requests', async () => {
	service.sandbox.faults.add({ times: 2000, fault: { kind: 'status', status: 401 } });
	const parameters = { resource: 'comment', operation: 'getAll', caseId: OF_ITEM };
	const items = itemsWith(range(1, 1000));
	const run = await service.run(parameters, { items, onError: 'continueRegularOutput' });
	expect(rowsOf(run)).toHaveLength(1000);
	expect(rowsOf(run).at(-1)).toMatchObject({
		error: expect.stringMatching(/^The service refused the API key \(401\).*was not sent\.$/),
		details: { httpCode: 401 },
	});
	expect(service.sandbox.requests.length).toBeLessThanOrEqual(9);
});
