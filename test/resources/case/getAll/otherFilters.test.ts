import { createPoller } from '../../../../tools/engine/poll';
import { failureOf, idsOf, rowsOf } from '../../../support/runs';
import { useService } from '../../../support/service';
import { hasTag } from './support';

const service = useService({ cases: 120, grown: ['exclude-tags', 'sub-status'] });
const withoutMalware = () =>
	[...service.sandbox.store.cases()].filter((row) => !hasTag(row, 'malware'));

const WITHOUT_MALWARE = { other: { filter: [{ name: 'exclude_tags[]', value: 'malware' }] } };

describe('Other Filters', () => {
	it('send a filter that only a newer service knows, in Get Many and Count', async () => {
		const run = await service.run({ returnAll: true, filters: WITHOUT_MALWARE });
		expect(service.sandbox.requests[0].query.filters).toEqual({ exclude_tags: ['malware'] });
		expect(idsOf(run)).toHaveLength(withoutMalware().length);
		const count = await service.run({ operation: 'count', filters: WITHOUT_MALWARE });
		expect(rowsOf(count)).toEqual([{ count: withoutMalware().length }]);
	});

	it('send a filter of the trigger', async () => {
		const poller = await createPoller({
			type: 'n8n-nodes-cases.casesTrigger',
			parameters: { filters: WITHOUT_MALWARE },
			credentials: { casesApi: service.credential() },
		});
		await poller.poll();
		const { requests } = service.sandbox;
		expect(requests.length).toBeGreaterThan(0);
		for (const { query } of requests) {
			expect(query.filters).toMatchObject({ exclude_tags: ['malware'] });
		}
	});
});

describe('Other Filters that the service does not know', () => {
	it('are an error that names them where the service refuses them', async () => {
		const filters = { other: { filter: [{ name: 'colour', value: 'red' }] } };
		const run = await service.run({ limit: 1, filters });
		expect(failureOf(run).description).toContain('colour');
		// The request is outside the document, as the user asked for.
		service.sandbox.clearRequests();
	});
});
