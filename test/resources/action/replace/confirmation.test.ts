import { byId, failureOf, rowsOf } from '../../../support/runs';
import { CONTAIN, inFields, LISTED, replace, RUNBOOK, useActions } from './support';

const service = useActions();
const run = async () =>
	await service.run({ ...replace, caseId: byId(5), ...inFields(CONTAIN, RUNBOOK) });

afterEach(() => service.sandbox.deviate());

describe('An answer to Replace All', () => {
	it('may have another order', async () => {
		service.sandbox.deviate({ actions: { batchAnswer: 'reversed' } });
		expect(rowsOf(await run())).toMatchObject([{ actions: [RUNBOOK, CONTAIN], changed: true }]);
	});

	it.each([
		[204, ''],
		[200, '<html>'],
		[200, ''],
		[200, '{}'],
	])(
		'that does not say what was written (%i %s) makes the node read the case once, and not write again',
		async (status, body) => {
			service.sandbox.faults.add({ fault: { kind: 'raw', status, body, applied: true } });
			expect(rowsOf(await run())).toEqual([
				{ case_id: 5, actions: [CONTAIN, RUNBOOK].map(LISTED), changed: true },
			]);
			expect(service.paths()).toEqual(['PUT /api/v2/cases/5/actions/batch', 'GET /api/v2/cases']);
		},
	);

	it('without a body is an error where the case can’t be read either', async () => {
		service.sandbox.faults.add(
			{ match: { method: 'PUT' }, fault: { kind: 'raw', status: 204, body: '', applied: true } },
			{ match: { method: 'GET' }, fault: { kind: 'status', status: 400 } },
		);
		const { message, description } = failureOf(await run());
		expect(message).toBe('The service did not confirm the actions of case 5');
		expect(description).toContain('They may be written or not.');
	});

	it('that is a web page is an error where the case has other actions', async () => {
		service.sandbox.store.replaceActions(5, [], { updated_at: '2026-01-20T00:00:00Z' });
		const fault = { kind: 'raw', status: 200, body: '<html>', applied: false } as const;
		service.sandbox.faults.add({ match: { method: 'PUT' }, fault });
		expect(failureOf(await run()).description).toContain('may have carried out the write');
		expect(service.writtenIds()).toEqual([5]);
	});

	it('with other actions is an error that says so', async () => {
		const text = JSON.stringify({ actions: [RUNBOOK] });
		const fault = { kind: 'raw', status: 200, body: text, applied: true } as const;
		service.sandbox.faults.add({ match: { method: 'PUT' }, fault });
		const { message, description } = failureOf(await run());
		expect(message).toBe('The service did not confirm the actions of case 5');
		expect(description).toContain('They may be written or not.');
		expect(service.writtenIds()).toEqual([5]);
	});
});
