const { Agent, request } = require('node:http');

/** Sends a GET with Node alone. */
async function sendBare(url, key, agent) {
	return await new Promise((resolve, reject) => {
		const headers = { 'content-type': 'application/json', 'X-User-Token': key };
		const sent = request(url, { agent, headers }, (response) => {
			const chunks = [];
			response.on('data', (chunk) => chunks.push(chunk));
			response.on('end', () => resolve(Buffer.concat(chunks).toString()));
		});
		sent.on('error', reject);
		sent.end();
	});
}

/** The ways to send a request, from the fastest in Node to n8n's default. */
function waysToSend(context, url, key) {
	const keepAlive = new Agent({ keepAlive: true });
	const options = (headers = {}) => ({
		url,
		headers: { 'content-type': 'application/json', ...headers },
		encoding: 'text',
		returnFullResponse: true,
	});
	const withCredential = async (type, decrypted) =>
		await context.helpers.httpRequestWithAuthentication.call(context, type, options(), decrypted);
	const saved = context.getNode().credentials.benchFunction;
	const once = () => ({
		credentialsDecrypted: { id: saved.id, name: saved.name, type: 'benchFunction', data: { key } },
	});
	return {
		keptConnection: async () => await sendBare(url, key, keepAlive),
		newConnection: async () => await sendBare(url, key, false),
		helper: async () => await context.helpers.httpRequest(options({ 'X-User-Token': key })),
		credentialOnce: async () => await withCredential('benchFunction', once()),
		credentialEachTime: async () => await withCredential('benchFunction'),
		expression: async () => await withCredential('benchExpression'),
	};
}

/** Measures all ways in turns; outputs the ms and the CPU ms per request for each round. */
class Bench {
	description = {
		displayName: 'Bench',
		name: 'bench',
		group: ['input'],
		version: 1,
		description: 'Measures what requests cost',
		defaults: { name: 'Bench' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'benchExpression' }, { name: 'benchFunction' }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Key', name: 'key', type: 'string', default: '' },
			{ displayName: 'Requests', name: 'requests', type: 'number', default: 100 },
			{ displayName: 'Rounds', name: 'rounds', type: 'number', default: 5 },
		],
	};

	async execute() {
		const parameter = (name) => this.getNodeParameter(name, 0);
		const ways = Object.entries(waysToSend(this, parameter('url'), parameter('key')));
		const measured = [];
		for (let round = 0; round <= parameter('rounds'); round++) {
			for (const [way, send] of ways) {
				const cpuBefore = process.cpuUsage();
				const start = performance.now();
				for (let count = 0; count < parameter('requests'); count++) await send();
				const ms = (performance.now() - start) / parameter('requests');
				const { user, system } = process.cpuUsage(cpuBefore);
				const cpuMs = (user + system) / 1000 / parameter('requests');
				// The first round warms up.
				if (round > 0) measured.push({ json: { way, ms, cpuMs } });
			}
		}
		return [measured];
	}
}
module.exports = { Bench };
