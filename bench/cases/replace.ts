import type { IDataObject } from 'n8n-workflow';
import { interleave, median } from '../measure';
import type { Traffic } from '../server';
import {
	againstLimit,
	formatCount,
	LATENCY_MS,
	PAGE_SIZE,
	withEngines,
	type Measurement,
} from '../setup';
import { CASE_OF_ITEM, caseItems, casesNodes, engineWorkflow } from '../workflows';

const ACTIONS = [
	{ url: 'https://hooks.example.com/contain', label: 'Contain', action_type: 'webhook' },
	{ url: 'https://runbooks.example.com/contain', label: 'Runbook', action_type: 'page' },
];

function replaceNodes(options: IDataObject) {
	return casesNodes({
		resource: 'action',
		operation: 'replace',
		caseId: CASE_OF_ITEM,
		actionsFrom: 'json',
		actionsJson: JSON.stringify(ACTIONS),
		options,
	});
}

/** @throws Error if a case was written before its previous write was answered */
function checkOrder({ requests }: Traffic): void {
	const busyUntil = new Map<string, number>();
	for (const { path, startedAt, endedAt = Infinity } of requests) {
		if (startedAt < (busyUntil.get(path) ?? 0)) throw new Error(`Two writes of ${path} overlap`);
		busyUntil.set(path, endedAt);
	}
}

/** Replace against the least possible time, and the requests that `skipUnchanged` saves. */
export const replace: Measurement = async ({ rounds, server, scaled }) => {
	const written = scaled(500);
	const unchanged = scaled(1000);
	return await withEngines(['only'], async ({ only }) => {
		const write = async (count: number, latencyMs: number, options: IDataObject = {}) => {
			await server.reset({ latencyMs });
			const workflow = engineWorkflow(server, replaceNodes(options), caseItems(count));
			const { ms } = await only.calls.run(workflow);
			return { ms, traffic: await server.traffic() };
		};
		const { runs } = await interleave(rounds, {
			runs: async () => {
				const { ms, traffic } = await write(written, LATENCY_MS);
				checkOrder(traffic);
				return ms;
			},
		});

		await write(unchanged, 0);
		const { traffic } = await write(unchanged, 0, { skipUnchanged: true });
		const writes = traffic.requests.filter(({ method }) => method === 'PUT').length;
		return [
			{
				...againstLimit(median(runs), written),
				id: 'replace',
				what: `Replace on ${formatCount(written)} cases at ${LATENCY_MS} ms, one write a case`,
				floor: 1.5,
				goal: 1.3,
			},
			{
				id: 'skipUnchanged',
				what: `Replace with Skip Unchanged on ${formatCount(unchanged)} unchanged cases, requests`,
				against: `${PAGE_SIZE} cases to a request`,
				measured: traffic.requests.length,
				unit: '',
				floor: Math.ceil(unchanged / PAGE_SIZE),
				detail: `${writes} writes among them`,
			},
		];
	});
};
