import { interleave, median } from '../measure';
import { startNodeAlone } from '../nodeAlone';
import {
	againstLimit,
	CONCURRENCY,
	formatCount,
	LATENCY_MS,
	PAGE_SIZE,
	type Measurement,
} from '../setup';

/** Reads the pages of Return All with Node alone, to show how much time the platform takes. */
export const nodeAlone: Measurement = async ({ cases, rounds, server, httpsServer }) => {
	const pages = Math.ceil(cases / PAGE_SIZE);
	const reader = startNodeAlone();
	const read = (target: typeof server, keepAlive: boolean) => async () => {
		await target.reset({ latencyMs: LATENCY_MS });
		return await reader.calls.read({ url: target.url, key: target.key, pages, keepAlive });
	};
	const runs = await interleave(rounds, {
		newConnections: read(server, false),
		keptConnections: read(server, true),
		newTlsConnections: read(httpsServer, false),
		keptTlsConnections: read(httpsServer, true),
	}).finally(reader.stop);

	const what = `Node alone, without n8n: ${formatCount(pages)} pages at ${LATENCY_MS} ms, ${CONCURRENCY} at a time`;
	const figure = (name: keyof typeof runs, how: string) => ({
		...againstLimit(median(runs[name]), pages, ' pages'),
		id: name,
		what: `${what}, ${how}`,
	});
	return [
		figure('newConnections', 'a new connection for each, as n8n’s helper makes'),
		figure('keptConnections', 'connections kept open'),
		figure('newTlsConnections', 'over HTTPS, a new connection for each, as n8n’s helper makes'),
		figure('keptTlsConnections', 'over HTTPS, connections kept open'),
	];
};
