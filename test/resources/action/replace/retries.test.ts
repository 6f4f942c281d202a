import { byId, failureOf, rowsOf } from '../../../support/runs';
import { useShortWaits } from '../../../robustness/support/shortWaits';
import { CONTAIN, inFields, LISTED, replace, useActions } from './support';

const service = useActions();
useShortWaits();

describe('Replace All', () => {
	test.each([
		['a lost connection before the write', { kind: 'drop' }],
		['a lost connection after the write', { kind: 'drop', applied: true }],
		['a temporary error', { kind: 'status', status: 503 }],
		['a limit of requests', { kind: 'status', status: 429, retryAfter: 0 }],
	] as const)('retries after %s, because the batch update is idempotent', async (_what, fault) => {
		service.sandbox.faults.add({ fault });
		const run = await service.run({
			...replace,
			caseId: byId('47'),
			...inFields(CONTAIN),
			options: { maxRetries: 1 },
		});
		expect(rowsOf(run)).toMatchObject([{ case_id: 47, actions: [LISTED(CONTAIN)] }]);
		expect(service.writtenIds()).toEqual([47, 47]);
		expect(service.stored(47)).toEqual([CONTAIN]);
	});

	test.each([
		['half an answer', { kind: 'reset' }],
		['half a JSON text', { kind: 'truncatedJson' }],
		['an empty answer', { kind: 'empty' }],
	] as const)('is not retried after %s with success: the case is read', async (_what, fault) => {
		service.sandbox.faults.add({ fault });
		const parameters = { ...replace, caseId: byId('47'), ...inFields(CONTAIN) };
		const run = await service.run({ ...parameters, options: { maxRetries: 1 } });
		expect(rowsOf(run)).toMatchObject([{ case_id: 47, actions: [LISTED(CONTAIN)] }]);
		expect(service.writtenIds()).toEqual([47]);
	});

	it('does not retry after a 401, as n8n would', async () => {
		const credential = { apiKey: 'wrong-key' };
		const run = await service.run(
			{ ...replace, caseId: byId('48'), ...inFields(CONTAIN) },
			{ credential },
		);
		expect(failureOf(run)).toMatchObject({ httpCode: '401', item: 0 });
		expect(service.writes()).toHaveLength(1);
	});
});
