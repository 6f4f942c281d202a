import { interleave, median } from '../measure';
import { againstLimit, formatCount, LATENCY_MS, withEngines, type Measurement } from '../setup';
import { CASE_OF_ITEM, caseItems, casesNodes, engineWorkflow } from '../workflows';

/** The comments of many cases, against the least possible time at one request per case. */
export const comments: Measurement = async ({ rounds, server, scaled }) => {
	const count = scaled(1000);
	const nodes = casesNodes({
		resource: 'comment',
		operation: 'getAll',
		caseId: CASE_OF_ITEM,
		returnAll: true,
	});
	const workflow = engineWorkflow(server, nodes, caseItems(count));
	const { times } = await withEngines(['only'], async ({ only }) => {
		return await interleave(rounds, {
			times: async () => {
				await server.reset({ latencyMs: LATENCY_MS });
				return (await only.calls.run(workflow)).ms;
			},
		});
	});
	const { requests } = await server.traffic();
	const figure = againstLimit(median(times), count);
	return [
		{
			...figure,
			id: 'comments',
			what: `Comments of ${formatCount(count)} cases at ${LATENCY_MS} ms`,
			floor: 1.5,
			goal: 1.3,
			detail: `${figure.detail}; ${requests.length} requests, since some cases have more than a page of comments`,
		},
	];
};
