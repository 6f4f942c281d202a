import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '.';
import { ACCESS, type KeyKind } from './auth';
import { mayRead } from './query';

const USAGE = `Starts a local Case service with made-up cases.

  --port <n>   TCP port on 127.0.0.1 (default 8090; 0 for any free one)
  --cases <n>  how many cases (default 500)
  --seed <n>   which cases (default 1)
  --grown      with what the service has learned since the API document
  --help`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8090' },
			cases: { type: 'string', default: '500' },
			seed: { type: 'string', default: '1' },
			grown: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return;
	}
	const sandbox = await startSandbox({
		port: Number(values.port),
		cases: Number(values.cases),
		seed: Number(values.seed),
		seedUntil: new Date(),
		grown: values.grown,
	});
	console.log(greeting(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.stop());
	}
}

function greeting({ url, keys, store }: Sandbox): string {
	const line = (kind: KeyKind) => {
		const seen = [...store.cases()].filter(({ team }) => mayRead(ACCESS[kind], team.id));
		return `  ${kind.padEnd(13)}${keys[kind].padEnd(40)}sees ${seen.length} cases`;
	};
	return `Case service with ${store.size} cases

  Base URL     ${url}
  In a browser ${url}/cases

API keys (made up)
${(Object.keys(keys) as KeyKind[]).map(line).join('\n')}

Try
  curl -g -H 'content-type: application/json' -H 'x-user-token: ${keys.tenantOwner}' '${url}/api/v2/cases?filters[status]=OPEN&order=CREATED_DESC&per_page=2'

Ctrl+C stops it.`;
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
