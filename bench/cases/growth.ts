import { formatMs, formatNumber } from '../figures';
import { interleave, medianOf } from '../measure';
import { startServer } from '../server';
import { formatCount, runInNewEngine, type Measurement } from '../setup';
import { casesNodes, engineWorkflow } from '../workflows';

/**
 * Whether time and memory for a case stay the same as cases become more. The service takes no time
 * here, so that all of it is the client's.
 */
export const growth: Measurement = async ({ rounds, scaled }) => {
	const sizes = [1000, 10_000, 100_000].map(scaled);
	const largest = sizes[sizes.length - 1];
	const server = await startServer({ cases: largest });
	try {
		const getAll = (parameters: object) =>
			engineWorkflow(server, casesNodes({ operation: 'getAll', ...parameters }));
		const contenders = Object.fromEntries(
			sizes.map((size) => [
				String(size),
				async () =>
					await runInNewEngine(
						server,
						// With a limit as large as the list, each size is the same work.
						getAll({ limit: size }),
						size,
						getAll({ limit: Math.min(1000, largest) }),
					),
			]),
		);
		const runs = await interleave(rounds, contenders);
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
		const what = `${sizes.map(formatCount).join(' → ')} cases, Simplified`;
		return [
			{
				id: 'growthTime',
				what: `${what}: time a case`,
				against: `${formatCount(first.size)} cases`,
				measured: worst('ms'),
				unit: '×',
				goal: 1.15,
				detail: list(({ ms }) => formatMs(ms)),
			},
			{
				id: 'growthHeap',
				what: `${what}: heap a case`,
				against: `${formatCount(first.size)} cases`,
				measured: worst('heap'),
				unit: '×',
				goal: 1.15,
				detail: list(({ heap }) => `${formatNumber(heap)} bytes`),
			},
		];
	} finally {
		await server.stop();
	}
};
