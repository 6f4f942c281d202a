import { createPoller } from '../../tools/engine/poll';
import { formatMs } from '../figures';
import { median } from '../measure';
import { formatCount, PAGE_SIZE, type Measurement } from '../setup';

/** What a slow service takes for a page, in ms. */
const SLOW_MS = 250;

/** Max Cases per Poll, as it is by default. */
const MAX_CASES = 2000;

/** Long before the first edit of any case. */
const START_FROM = '2000-01-01T00:00:00Z';

/**
 * A batch of the backlog that a bulk edit leaves, in one poll of the trigger. Pages come one after another, because each
 * says where the next one begins.
 */
export const bulkEdit: Measurement = async ({ rounds, cases, server }) => {
	const changed = Math.min(cases, MAX_CASES);
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const poller = await createPoller({
			type: 'n8n-nodes-cases.casesTrigger',
			parameters: { events: ['caseUpdated', 'caseCreated'], options: { startFrom: START_FROM } },
			credentials: { casesApi: { baseUrl: server.url, apiKey: server.key } },
		});
		await server.reset({ latencyMs: SLOW_MS });
		const start = performance.now();
		const items = await poller.poll();
		times.push(performance.now() - start);
		if (items === null || items.length < changed) throw new Error('The batch is not complete');
	}
	const { requests } = await server.traffic();
	const ms = median(times);
	const least = requests.length * SLOW_MS;
	const pages = changed / PAGE_SIZE;
	return [
		{
			id: 'bulkEdit',
			what: `${formatCount(changed)} changed cases in one poll of the trigger at ${SLOW_MS} ms a page`,
			against: `${requests.length} requests × ${SLOW_MS} ms`,
			measured: (100 * least) / ms,
			unit: ' %',
			floor: 90,
			goal: 95,
			better: 'higher',
			detail: `${formatMs(ms)} : ${formatMs(least)}`,
		},
		{
			id: 'bulkEditRequests',
			what: `Requests of this poll`,
			against: `${pages} pages`,
			measured: requests.length / pages,
			unit: '×',
			floor: 1.1,
			goal: 1.05,
			detail: `${requests.length} : ${pages}`,
		},
	];
};
