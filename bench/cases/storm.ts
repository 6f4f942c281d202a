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

/** The pauses that the server requested, overlapping ones merged. */
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

/** Counts the requests that were sent during the Retry-After of a 429 that had arrived. */
function countDuringPauses(requests: SentRequest[]): number {
	const refusals = requests.filter(({ status }) => status === 429);
	return requests.filter(({ sentAt }) =>
		refusals.some(
			// A timer of whole milliseconds ends the pause, up to one millisecond early.
			({ answeredAt = 0 }) => sentAt > answeredAt && sentAt < answeredAt + RETRY_AFTER_MS - 1,
		),
	).length;
}

/** Reads many cases while every tenth answer is a 429 that requests a pause of a second. */
export const storm: Measurement = async ({ rounds, server, cases, scaled }) => {
	const limit = Math.min(cases, scaled(5000));
	const nodes = casesNodes({ operation: 'getAll', limit });
	const { runs } = await withEngines(['only'], async ({ only }) => {
		return await interleave(rounds, {
			runs: async () => {
				await server.reset({ latencyMs: LATENCY_MS, refuseEvery: 10 });
				const { ms, requests } = await runChecked(only, engineWorkflow(server, nodes), limit);
				const traffic = await server.traffic();
				const pausedMs = pausesOf(traffic).reduce((sum, { from, to }) => sum + to - from, 0);
				return {
					ms,
					leastMs: pausedMs + limitMs(traffic.requests.length),
					duringPauses: countDuringPauses(requests),
				};
			},
		});
	});
	const ms = medianOf(runs, (run) => run.ms);
	const leastMs = medianOf(runs, (run) => run.leastMs);
	const pages = Math.ceil(limit / PAGE_SIZE);
	const what = `A 429 storm: ${formatCount(limit)} cases, every 10th answer 429 with Retry-After 1 s`;
	return [
		{
			id: 'storm',
			what,
			against: 'the requested pauses + the least time of the requests',
			measured: ms / leastMs,
			unit: '×',
			floor: 1.3,
			goal: 1.15,
			detail: `${formatMs(ms)} : ${formatMs(leastMs)} for ${pages} pages`,
		},
		{
			id: 'stormSilence',
			what: `${what}; requests sent during a pause`,
			against: 'none',
			measured: Math.max(...runs.map((run) => run.duringPauses)),
			unit: '',
			floor: 0,
			detail: 'most in any run; sent after a 429 had arrived and before its pause was over',
		},
	];
};
