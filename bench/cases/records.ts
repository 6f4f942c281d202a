import { interleave, median } from '../measure';
import { startServer } from '../server';
import {
	againstLimit,
	formatCount,
	LATENCY_MS,
	runChecked,
	withEngines,
	type Measurement,
} from '../setup';
import { CASE_OF_ITEM, caseItems, casesNodes, engineWorkflow } from '../workflows';

/** Two pages of records for each case; the case itself carries only the first ones. */
const RECORDS_PER_CASE = 100;

/** 100,000 records of 1,000 cases, each as one flat item, against the least possible time of the requests. */
export const records: Measurement = async ({ rounds, scaled }) => {
	const cases = scaled(1000);
	const server = await startServer({ cases, recordsPerCase: RECORDS_PER_CASE });
	try {
		const nodes = casesNodes({
			resource: 'record',
			operation: 'getAll',
			caseId: CASE_OF_ITEM,
			returnAll: true,
		});
		const workflow = engineWorkflow(server, nodes, caseItems(cases));
		const { times } = await withEngines(['only'], async ({ only }) => {
			return await interleave(rounds, {
				times: async () => {
					await server.reset({ latencyMs: LATENCY_MS });
					return (await runChecked(only, workflow, cases * RECORDS_PER_CASE)).ms;
				},
			});
		});
		const { requests } = await server.traffic();
		return [
			{
				...againstLimit(median(times), requests.length, ' requests'),
				id: 'records',
				what: `${formatCount(cases * RECORDS_PER_CASE)} records of ${formatCount(cases)} cases at ${LATENCY_MS} ms, flat`,
				floor: 1.5,
			},
		];
	} finally {
		await server.stop();
	}
};
