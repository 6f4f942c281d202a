import type { INodeParameters } from 'n8n-workflow';
import { formatMs } from '../figures';
import { interleave, medianOf } from '../measure';
import {
	formatCount,
	LATENCY_MS,
	PAGE_SIZE,
	runChecked,
	withEngines,
	type Measurement,
} from '../setup';
import { CASE_OF_ITEM, caseItems, casesNodes, engineWorkflow } from '../workflows';

/** Get for many items with fifty IDs per request, against Get Many of cases by the ID of each item. */
export const getById: Measurement = async ({ rounds, server, scaled }) => {
	const count = scaled(1000);
	const items = caseItems(count);
	let mostRequests = 0;
	const { together, single } = await withEngines(['together', 'single'], async (engines) => {
		const get = async (name: 'together' | 'single', parameters: INodeParameters) => {
			await server.reset({ latencyMs: LATENCY_MS });
			const workflow = engineWorkflow(server, casesNodes(parameters), items);
			return (await runChecked(engines[name], workflow, count)).ms;
		};
		return await interleave(rounds, {
			together: async () => {
				const ms = await get('together', { operation: 'get', caseId: CASE_OF_ITEM });
				mostRequests = Math.max(mostRequests, (await server.traffic()).requests.length);
				return ms;
			},
			single: async () =>
				await get('single', { filters: { case_ids: CASE_OF_ITEM.value }, limit: 1 }),
		});
	});

	const what = `Get, ${formatCount(count)} items by ID at ${LATENCY_MS} ms`;
	const [ms, singleMs] = [together, single].map((runs) => medianOf(runs, (run) => run));
	return [
		{
			id: 'getRequests',
			what: `${what}, requests`,
			against: `${PAGE_SIZE} items to a request`,
			measured: mostRequests,
			unit: '',
			floor: Math.ceil(count / PAGE_SIZE),
			detail: 'most in any run, seen by the server',
		},
		{
			id: 'getSingle',
			what,
			against: 'one item to a request, 8 at once',
			measured: singleMs / ms,
			unit: '× faster',
			floor: 10,
			goal: 20,
			better: 'higher',
			detail: `${formatMs(ms)} : ${formatMs(singleMs)}`,
		},
	];
};
