import { hintsOf, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 20_000 });

it('Limit 50 costs one request of 20,000 cases, and says how many there are', async () => {
	const run = await service.run({ limit: 50 });
	expect(rowsOf(run)).toHaveLength(50);
	expect(service.sandbox.requests).toHaveLength(1);
	expect(hintsOf(run)).toEqual(['19951 to 20000 cases match; the first 50 are shown.']);
});

it('Count reads 20,000 cases with one request', async () => {
	const run = await service.run({ resource: 'case', operation: 'count' });
	expect(rowsOf(run)).toEqual([{ count: 20_000 }]);
	expect(service.sandbox.requests).toHaveLength(1);
});
