import type { IDataObject } from 'n8n-workflow';
import { engineRealm } from '../support/engineRealm';
import { byId, failureOf } from '../support/runs';
import { useService } from '../support/service';

// How __proto__ is dropped is tested in test/api/json.test.ts, and other hostile values in test/api/hostile.test.ts.
const service = useService({ cases: 8 });

const prototype = engineRealm.Object.prototype;
const names = Object.getOwnPropertyNames(prototype).sort();
afterEach(() => {
	expect(Object.getOwnPropertyNames(prototype).sort()).toEqual(names);
	expect('isAdmin' in prototype).toBe(false);
});

/** No part of the output has a field __proto__, or another prototype because of one. */
function expectPlain(part: unknown): void {
	if (typeof part !== 'object' || part === null) return;
	expect(Object.keys(part)).not.toContain('__proto__');
	expect((part as { isAdmin?: unknown }).isAdmin).toBeUndefined();
	for (const inner of Object.values(part)) expectPlain(inner);
}

describe('__proto__ in an answer of the service', () => {
	const POISON = '"__proto__":{"isAdmin":true},"x":{"\\u005f_proto__":{"isAdmin":true}}';
	const DATED = '"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"';
	const inner = `[{"id":1,${POISON}}]`;
	const row = `{"case_id":1,"id":1,"name":"A","records":${inner},${DATED},${POISON}}`;
	const body = `{"cases":[${row}],"meta":{"pages":1,"per_page":50,${POISON}},${POISON}}`;
	const answerWith = (text: string, status = 200) =>
		service.sandbox.faults.add({ fault: { kind: 'raw', status, body: text } });
	const ofCase = { caseId: byId(1) };

	it.each<[string, IDataObject]>([
		['a raw list', { output: 'raw' }],
		['chosen fields', { output: 'selected', fields: ['name', '__proto__', 'x'] }],
		['flat records', { resource: 'record', operation: 'getAll', ...ofCase }],
	])('gets into no item of %s', async (_what, parameters) => {
		answerWith(body);
		const run = await service.run(parameters);
		expect(failureOf(run).status).toBe('success');
		expect(run.items).toHaveLength(1);
		expectPlain(run.items[0].json);
	});

	it('gets into no error item', async () => {
		answerWith(`{"error":"No",${POISON}}`, 422);
		const run = await service.run({}, { onError: 'continueRegularOutput' });
		expect(run.items[0].json.error).toMatch(/The service says: No/);
		expectPlain(run.items[0].json);
	});

	it('gets into no item and not into the state of the trigger', async () => {
		const options = { startFrom: '2025-01-01T00:00:00Z' };
		const poller = await service.poller({ output: 'raw', options });
		answerWith(body);
		const items = (await poller.poll()) ?? [];
		expect(items).toHaveLength(1);
		expectPlain([items[0].json, poller.snapshot()]);
	});
});
