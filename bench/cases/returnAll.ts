import { formatMs } from '../figures';
import { interleave, medianOf } from '../measure';
import {
	againstLimit,
	CONCURRENCY,
	formatCount,
	LATENCY_MS,
	PAGE_SIZE,
	runChecked,
	withEngines,
	type Measurement,
} from '../setup';
import { casesNodes, engineWorkflow, PEER, peerNodes } from '../workflows';

/** Return All against the least possible time and against the peer, with what the server saw. */
export const returnAll: Measurement = async ({ cases, rounds, server, httpsServer }) => {
	const pages = Math.ceil(cases / PAGE_SIZE);
	const nodes = casesNodes({ operation: 'getAll', returnAll: true });
	const most = { requests: 0, inFlight: 0, sockets: 0 };
	const { ours, peers, overHttps } = await withEngines(
		['ours', 'peers', 'overHttps'],
		async (engines) =>
			await interleave(rounds, {
				ours: async () => {
					await server.reset({ latencyMs: LATENCY_MS });
					const run = await runChecked(engines.ours, engineWorkflow(server, nodes), cases);
					const { requests, maxInFlight, maxOpenSockets } = await server.traffic();
					most.requests = Math.max(most.requests, requests.length);
					most.inFlight = Math.max(most.inFlight, maxInFlight);
					most.sockets = Math.max(most.sockets, maxOpenSockets);
					return run;
				},
				peers: async () => {
					await server.reset({ latencyMs: LATENCY_MS });
					const workflow = engineWorkflow(server, peerNodes(server));
					return await runChecked(engines.peers, workflow, cases);
				},
				overHttps: async () => {
					await httpsServer.reset({ latencyMs: LATENCY_MS });
					const workflow = engineWorkflow(httpsServer, nodes);
					return await runChecked(engines.overHttps, workflow, cases);
				},
			}),
	);

	const what = `Return All, ${formatCount(cases)} cases at ${LATENCY_MS} ms a request`;
	const [ms, peerMs, httpsMs] = [ours, peers, overHttps].map((runs) =>
		medianOf(runs, (run) => run.ms),
	);
	const [block, peerBlock] = [ours, peers].map((runs) =>
		medianOf(runs, (run) => run.longestBlockMs),
	);
	const leastBlock = Math.min(...ours.map((run) => run.longestBlockMs));
	const seen = 'most in any run, seen by the server';
	return [
		{
			...againstLimit(ms, pages, ' pages'),
			id: 'returnAll',
			what,
			// The same build took 1.24 to 1.66 times the least time on different days of a shared machine.
			floor: 1.7,
			goal: 1.2,
		},
		{
			id: 'returnAllPeer',
			what,
			against: PEER,
			measured: peerMs / ms,
			unit: '× faster',
			floor: 6,
			goal: 8,
			better: 'higher',
			detail: `${formatMs(ms)} : ${formatMs(peerMs)}`,
			bar: { label: what, ours: ms, peers: peerMs, unit: 'ms' },
		},
		{
			...againstLimit(httpsMs, pages, ' pages'),
			id: 'returnAllHttps',
			what: `${what}, over HTTPS`,
			// n8n keeps no connection, so each request makes a TLS handshake of its own.
			floor: 2.3,
			goal: 1.3,
		},
		{
			id: 'requests',
			what: 'Return All, requests in addition to its pages',
			against: 'two to check that the list was stable, one behind its full last page',
			measured: most.requests - pages,
			unit: '',
			floor: 3,
			detail: `${most.requests} requests for ${pages} pages; ${seen}`,
		},
		{
			id: 'inFlight',
			what: 'Return All, requests in flight',
			against: 'Concurrency',
			measured: most.inFlight,
			unit: '',
			floor: CONCURRENCY,
			detail: seen,
		},
		{
			id: 'sockets',
			what: 'Return All, open sockets',
			against: 'Concurrency + 1',
			measured: most.sockets,
			unit: '',
			floor: CONCURRENCY + 1,
			detail: seen,
		},
		{
			id: 'eventLoop',
			what: `Longest block of the event loop while ${formatCount(cases)} cases are read`,
			against: 'none; n8n serves its editor from the same loop',
			measured: block,
			unit: ' ms',
			floor: 50,
			goal: 20,
			detail: `${formatMs(leastBlock)} in the best run; HTTP Request + Split Out ${formatMs(peerBlock)}`,
		},
	];
};
