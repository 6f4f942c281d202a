import { formatMs, formatNumber } from '../figures';
import { interleave, medianOf } from '../measure';
import { startServer } from '../server';
import { formatCount, runChecked, withEngines, type Measurement } from '../setup';
import { casesNodes, engineWorkflow } from '../workflows';

/**
 * Whether time and memory per case stay the same for more cases. The service has no latency here, so
 * that all of the time is the client's.
 */
export const growth: Measurement = async ({ rounds, scaled }) => {
	const sizes = [1000, 10_000, 100_000].map(scaled);
	const servers = await Promise.all(sizes.map(async (cases) => await startServer({ cases })));
	try {
		const runs = await withEngines(sizes.map(String), async (engines) => {
			const readAllOf = (size: number, index: number) => async () => {
				const server = servers[index];
				await server.reset({ latencyMs: 0 });
				const nodes = casesNodes({ operation: 'getAll', returnAll: true });
				return await runChecked(engines[size], engineWorkflow(server, nodes), size);
			};
			return await interleave(
				rounds,
				Object.fromEntries(sizes.map((size, index) => [String(size), readAllOf(size, index)])),
			);
		});
		const perCase = sizes.map((size) => ({
			size,
			ms: medianOf(runs[size], (run) => run.ms) / size,
			heap: medianOf(runs[size], (run) => run.retainedHeap) / size,
		}));
		const list = (format: (entry: (typeof perCase)[number]) => string) =>
			perCase.map((entry) => `${formatCount(entry.size)}: ${format(entry)}`).join('; ');
		const [first, ...others] = perCase;
		const worst = (quantity: 'ms' | 'heap') =>
			Math.max(...others.map((entry) => entry[quantity] / first[quantity]));
		const what = `Return All, ${sizes.map(formatCount).join(' → ')} cases`;
		const against = `${formatCount(first.size)} cases`;
		return [
			{
				id: 'growthTime',
				what: `${what}: time a case`,
				against,
				measured: worst('ms'),
				unit: '×',
				goal: 1.15,
				detail: list(({ ms }) => formatMs(ms)),
			},
			{
				id: 'growthHeap',
				what: `${what}: heap a case`,
				against,
				measured: worst('heap'),
				unit: '×',
				goal: 1.15,
				detail: list(({ heap }) => `${formatNumber(heap)} bytes`),
			},
		];
	} finally {
		await Promise.all(servers.map(async (server) => await server.stop()));
	}
};
