import { formatMs } from '../figures';
import { interleave, medianOf } from '../measure';
import type { SentRequest } from '../sentRequests';
import type { Traffic } from '../server';
import {
	formatCount,
	LATENCY_MS,
	limitMs,
	PAGE_SIZE,
	runChecked,
	withEngines,
	type Measurement,
} from '../setup';
import { casesNodes, engineWorkflow } from '../workflows';

const RETRY_AFTER_MS = 1000;

/** From when to when the server asked for silence, pauses that overlap joined. */
function pausesOf({ requests }: Traffic): Array<{ from: number; to: number }> {
	const pauses: Array<{ from: number; to: number }> = [];
	const refusals = requests.filter(({ status }) => status === 429);
	for (const { endedAt: from = 0 } of refusals.sort((a, b) => a.endedAt! - b.endedAt!)) {
		const last = pauses.at(-1);
		if (last && from <= last.to) last.to = from + RETRY_AFTER_MS;
		else pauses.push({ from, to: from + RETRY_AFTER_MS });
	}
	return pauses;
}

/** Requests that left although a 429 had come less than its Retry-After before. */
function countDuringPauses(requests: SentRequest[]): number {
	const refusals = requests.filter(({ status }) => status === 429);
	return requests.filter(({ sentAt }) =>
		refusals.some(
			// The end is a timer of whole milliseconds.
			({ answeredAt = 0 }) => sentAt > answeredAt && sentAt < answeredAt + RETRY_AFTER_MS - 1,
		),
	).length;
}

/** Return All while every tenth answer is a 429 that asks for a pause of a second. */
export const storm: Measurement = async ({ rounds, server, cases, scaled }) => {
	const limit = Math.min(cases, scaled(5000));
	const nodes = casesNodes({ operation: 'getAll', limit });
	const { runs } = await withEngines(['only'], async ({ only }) => {
		return await interleave(rounds, {
			runs: async () => {
				await server.reset({ latencyMs: LATENCY_MS, every429: 10 });
				const { ms, requests } = await runChecked(only, engineWorkflow(server, nodes), limit);
				const traffic = await server.traffic();
				const silence = pausesOf(traffic).reduce((sum, { from, to }) => sum + to - from, 0);
				return {
					ms,
					imposed: silence + limitMs(traffic.requests.length),
					duringPauses: countDuringPauses(requests),
				};
			},
		});
	});
	const ms = medianOf(runs, (run) => run.ms);
	const imposed = medianOf(runs, (run) => run.imposed);
	const pages = Math.ceil(limit / PAGE_SIZE);
	const what = `A 429 storm: ${formatCount(limit)} cases, every 10th answer 429 with Retry-After 1 s`;
	return [
		{
			id: 'storm',
			what,
			against: 'the pauses asked for + the least time of the requests',
			measured: ms / imposed,
			unit: '×',
			floor: 1.3,
			goal: 1.15,
			detail: `${formatMs(ms)} : ${formatMs(imposed)} for ${pages} pages`,
		},
		{
			id: 'stormSilence',
			what: `${what}; requests sent during a pause`,
			against: 'none',
			measured: Math.max(...runs.map((run) => run.duringPauses)),
			unit: '',
			floor: 0,
			detail: 'most in any run; sent after a 429 had come and before its pause was over',
		},
	];
};
