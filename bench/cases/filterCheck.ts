import type { Case } from '../../nodes/Cases/api/types';
import { loadBuilt } from '../built';
import { formatMs } from '../figures';
import { cpuOf, interleave, median, medianOf } from '../measure';
import {
	formatCount,
	LATENCY_MS,
	PAGE_SIZE,
	pageRequest,
	runChecked,
	withEngines,
	type Measurement,
} from '../setup';
import { casesNodes, engineWorkflow } from '../workflows';

type Contradictions = typeof import('../../nodes/Cases/api/cases/contradictions');

/** Every case of the server meets these, so that each one is held against all of them. */
const FILTERS = {
	excluded_tags: ['a tag that no case has'],
	updated_at_start_date: '2000-01-01T00:00:00Z',
	updated_at_end_date: '2090-01-01T00:00:00Z',
};

const PAGES = 20;

/** The CPU time of holding rows against filters, alone, as part of the time of Return All with these filters. */
export const filterCheck: Measurement = async ({ cases, rounds, server }) => {
	const rows: Case[] = [];
	for (let page = 1; page <= PAGES; page++) {
		const { address, headers } = pageRequest(server, page);
		const response = await fetch(address, { headers });
		rows.push(...((await response.json()) as { cases: Case[] }).cases);
	}
	const { createFilterCheck } = await loadBuilt<Contradictions>(
		'nodes/Cases/api/cases/contradictions.js',
	);
	const contradicted = createFilterCheck({ filters: FILTERS });
	const check = () => {
		for (let count = 0; count < cases; count++) {
			const filter = contradicted(rows[count % rows.length]);
			if (filter !== undefined) throw new Error(`A case contradicts ${filter}`);
		}
	};
	const nodes = casesNodes({ operation: 'getAll', returnAll: true, filters: FILTERS });
	const { runs, checks } = await withEngines(['only'], async ({ only }) => ({
		...(await interleave(rounds, {
			runs: async () => {
				await server.reset({ latencyMs: LATENCY_MS });
				return await runChecked(only, engineWorkflow(server, nodes), cases);
			},
		})),
		...(await interleave(rounds, { checks: async () => await Promise.resolve(cpuOf(check)) })),
	}));
	const ms = medianOf(runs, (run) => run.ms);
	return [
		{
			id: 'filterCheck',
			what: `Holding ${formatCount(cases)} cases against ${Object.keys(FILTERS).length} filters that all of them meet`,
			against: `Return All with these filters, ${PAGE_SIZE} cases a page at ${LATENCY_MS} ms a request`,
			measured: (median(checks) / ms) * 100,
			unit: ' %',
			floor: 2,
			detail: `${formatMs(median(checks))} CPU : ${formatMs(ms)}`,
		},
	];
};
