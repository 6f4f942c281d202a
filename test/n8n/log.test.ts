import { byId } from '../support/runs';
import { useLog } from '../support/log';
import { useService } from '../support/service';

const service = useService({ cases: 3 });
const lines = useLog();

const FAILED = { kind: 'status', status: 500, body: { error: 'private words' } } as const;
const METADATA = { nodeId: 'node-under-test' };

it('names package, node, workflow and request of a retry, but neither query nor body', async () => {
	service.sandbox.faults.add({ fault: FAILED });
	await service.run({ filters: { search: 'private search' }, options: { maxRetries: 1 } });
	expect(lines).toEqual([
		{
			level: 'debug',
			message: expect.stringMatching(
				/^\[n8n-nodes-cases\] Node "Node" of workflow \w+: The service had an error \(500\)\. GET \/api\/v2\/cases is retried in \d\.\d s\.$/,
			) as string,
			metadata: expect.objectContaining(METADATA) as unknown,
		},
	]);
	expect(JSON.stringify(lines)).not.toMatch(/private|filters/);
});

it('warns of a write that may have been carried out', async () => {
	service.sandbox.faults.add({ match: { method: 'PUT' }, fault: { ...FAILED, applied: true } });
	const run = await service.run({
		resource: 'action',
		operation: 'replace',
		caseId: byId(1),
		actions: { action: [{ url: 'https://example.com', label: 'A', action_type: 'page' }] },
		options: { maxRetries: 0 },
	});
	expect(run.error?.description).toMatch(/The service may have carried out the write\./);
	expect(lines.map(({ level, message }) => [level, message.split(': ')[1]])).toEqual([
		[
			'warn',
			'The service had an error (500). PUT /api/v2/cases/1/actions/batch may have been carried out.',
		],
	]);
});

it('says that lists were read again', async () => {
	const page = { method: 'GET', page: 2, nth: 1 };
	service.sandbox.faults.add({
		match: page,
		fault: { kind: 'change', run: (store) => void store.updateCase(1, { name: 'Edited' }) },
	});
	await service.run({ returnAll: true, order: 'RECENTLY_EDITED', options: { pageSize: 2 } });
	expect(lines.map(({ level, message }) => [level, message.split(': ')[1]])).toEqual([
		['info', 'Read cases 2 times because they changed meanwhile.'],
	]);
});

it('is silent in a run without trouble', async () => {
	await service.run({ returnAll: true });
	expect(lines).toEqual([]);
});
