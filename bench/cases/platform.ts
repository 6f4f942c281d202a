import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { node } from '../../tools/n8n/workflows';
import { formatMs, formatNumber } from '../figures';
import { startN8nUnderTest } from '../inN8n';
import type { Server } from '../server';
import { PAGE_SIZE, pageRequest, type Measurement } from '../setup';

const PACKAGE = join(__dirname, '../platform-package');

interface Sent {
	way: string;
	ms: number;
	cpuMs: number;
}

/** The least CPU time, in ms, to parse a received page of fifty cases. */
async function costOfParsing(server: Server, rounds: number, pages: number): Promise<number> {
	const bodies: Buffer[] = [];
	for (let page = 1; page <= pages; page++) {
		const { address, headers } = pageRequest(server, page);
		const response = await fetch(address, { headers });
		bodies.push(Buffer.from(await response.arrayBuffer()));
	}
	const costs: number[] = [];
	for (let round = 0; round <= rounds; round++) {
		const before = process.cpuUsage();
		for (const body of bodies) JSON.parse(body.toString());
		const { user, system } = process.cpuUsage(before);
		costs.push((user + system) / 1000 / pages);
	}
	return Math.min(...costs);
}

/**
 * What a request costs beyond what Node needs for it, in a real n8n with its database. A node made for
 * this sends small requests one after another, in several ways.
 */
export const platform: Measurement = async ({ rounds, server, scaled }) => {
	const n8n = await startN8nUnderTest();
	try {
		await cp(PACKAGE, join(n8n.userFolder, '.n8n/nodes/node_modules/n8n-nodes-bench'), {
			recursive: true,
		});
		const names = ['benchExpression', 'benchFunction'];
		await n8n.storeCredentials(
			Object.fromEntries(names.map((name) => [name, { type: name, data: { key: server.key } }])),
		);
		const bench = node('Bench', 'n8n-nodes-bench.bench', 1, {
			url: `${server.url}/api/v2/cases?per_page=1&order=CREATED_ASC`,
			key: server.key,
			requests: Math.max(20, scaled(400)),
			rounds,
		});
		const credentials = Object.fromEntries(names.map((name) => [name, { id: name, name }]));
		await n8n.storeWorkflow('benchPlatform', [{ ...bench, credentials }]);
		await server.reset({ latencyMs: 0 });
		const sent = (await n8n.executeForItems('benchPlatform')) as Sent[];

		const costOf = (way: string) => {
			const runs = sent.filter((run) => run.way === way);
			// The minimum, because other work on the machine can only make a run slower.
			return {
				ms: Math.min(...runs.map((run) => run.ms)),
				cpuMs: Math.min(...runs.map((run) => run.cpuMs)),
			};
		};
		const fullRequest = costOf('credentialOnce').ms;
		const row = (id: string, what: string, way: string, without: string, remark: string) => {
			const [cost, base] = [costOf(way), costOf(without)];
			const ms = cost.ms - base.ms;
			return {
				id,
				section: 'platform' as const,
				what,
				against: remark,
				measured: ms,
				unit: ' ms',
				detail: `${formatNumber(ms / fullRequest)} × a request as the node sends it (${formatMs(fullRequest)}); CPU ${formatMs(cost.cpuMs - base.cpuMs)}`,
			};
		};
		const parsing = await costOfParsing(server, rounds, Math.max(20, scaled(400)));
		return [
			{
				id: 'parsing',
				section: 'platform' as const,
				what: `The JSON of a page of ${PAGE_SIZE} cases: bytes to text to objects`,
				against: 'paid: once for each page',
				measured: parsing,
				unit: ' ms',
				detail: 'CPU',
			},
			row(
				'newConnection',
				'A new connection for each request',
				'newConnection',
				'keptConnection',
				'paid: n8n’s helper keeps none open',
			),
			row(
				'helper',
				'n8n’s HTTP helper on top of Node’s own',
				'helper',
				'newConnection',
				'paid: it is the only way that is allowed',
			),
			row(
				'helperAuth',
				'Authentication with a credential that was already read',
				'credentialOnce',
				'helper',
				'paid',
			),
			row(
				'credentialRead',
				'Reading and decrypting the credential for each request',
				'credentialEachTime',
				'credentialOnce',
				'saved: the node reads it once per run',
			),
			row(
				'headerExpression',
				'The header as an expression',
				'expression',
				'credentialEachTime',
				'saved: the credential adds it by a function',
			),
		];
	} finally {
		await n8n.remove();
	}
};
