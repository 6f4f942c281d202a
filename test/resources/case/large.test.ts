import { hintsOf, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

// The largest service that the sandbox is meant for.
const service = useService({ cases: 100_000 });

it('Limit 50 costs one request of 100,000 cases, and says how many there are', async () => {
	const run = await service.run({ limit: 50 });
	expect(rowsOf(run)).toHaveLength(50);
	expect(service.sandbox.requests).toHaveLength(1);
	expect(hintsOf(run)).toEqual([
		'Limit cut the output: at least 99951 cases match. Turn on Return All to get them all.',
	]);
});

it('Count reads 100,000 cases with one request', async () => {
	const run = await service.run({ resource: 'case', operation: 'count' });
	expect(rowsOf(run)).toEqual([{ count: 100_000 }]);
	expect(service.sandbox.requests).toHaveLength(1);
});
