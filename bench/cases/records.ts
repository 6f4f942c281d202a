import { interleave, medianOf } from '../measure';
import { startServer } from '../server';
import { againstLimit, formatCount, LATENCY_MS, withEngines, type Measurement } from '../setup';
import { CASE_OF_ITEM, caseItems, casesNodes, engineWorkflow } from '../workflows';

/** Cases of the sandbox that have 100,000 records. */
const CASES = 30_000;

/** The records of many cases, each as one flat item, against the least possible time of the requests. */
export const records: Measurement = async ({ rounds, scaled }) => {
	const count = scaled(CASES);
	const server = await startServer({ cases: count });
	try {
		const nodes = casesNodes({
			resource: 'record',
			operation: 'getAll',
			caseId: CASE_OF_ITEM,
			returnAll: true,
		});
		const workflow = engineWorkflow(server, nodes, caseItems(count));
		const { runs } = await withEngines(['only'], async ({ only }) => {
			return await interleave(rounds, {
				runs: async () => {
					await server.reset({ latencyMs: LATENCY_MS });
					return await only.calls.run(workflow);
				},
			});
		});
		const { requests } = await server.traffic();
		return [
			{
				...againstLimit(
					medianOf(runs, (run) => run.ms),
					requests.length,
					' requests',
				),
				id: 'records',
				what: `${formatCount(runs[0].items)} records of ${formatCount(count)} cases at ${LATENCY_MS} ms, flat`,
				floor: 1.5,
			},
		];
	} finally {
		await server.stop();
	}
};
