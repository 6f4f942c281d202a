import { parseArgs } from 'node:util';
import { ALL_GROWN, GROWN_TRAITS, startSandbox, type GrownTrait, type Sandbox } from '.';
import { summaryOf } from './control';
import { ARRAY_FORMATS } from './params';

const USAGE = `Starts a local Case service with made-up cases.

  --port <n>           TCP port on 127.0.0.1 (default 8090; 0 for any free one)
  --cases <n>          how many cases (default 500)
  --seed <n>           which cases (default 1)
  --until <timestamp>  when the newest case was created (default now)
  --latency <ms>       wait before each answer (default 0)
  --prefix <path>      path before /api/v2, e.g. /tenant-a
  --https              with a self-signed certificate
  --lenient            accept what is outside the document
  --rate-limit <n>     429 beyond n requests a second
  --array-format <f>   ${ARRAY_FORMATS.join(', ')}
  --comments-touch-case
  --grown[=<traits>]   what the service has learned since the document: all of
                       it, or the named traits, with commas between:
${Object.entries(GROWN_TRAITS)
	.map(([name, what]) => `    ${name.padEnd(18)} ${what}`)
	.join('\n')}
  --help`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		// parseArgs has no options whose value may be missing.
		args: process.argv.slice(2).map((arg) => (arg === '--grown' ? '--grown=all' : arg)),
		options: {
			port: { type: 'string', default: '8090' },
			cases: { type: 'string', default: '500' },
			seed: { type: 'string', default: '1' },
			until: { type: 'string' },
			latency: { type: 'string', default: '0' },
			prefix: { type: 'string' },
			https: { type: 'boolean' },
			lenient: { type: 'boolean' },
			'rate-limit': { type: 'string', default: '0' },
			'array-format': { type: 'string', default: 'brackets' },
			'comments-touch-case': { type: 'boolean' },
			grown: { type: 'string', default: '' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return;
	}
	const number = (name: 'port' | 'cases' | 'seed' | 'latency' | 'rate-limit') => {
		if (/^\d+$/.test(values[name])) return Number(values[name]);
		throw new Error(`--${name} must be a whole number, not '${values[name]}'`);
	};
	const grown = values.grown === 'all' ? ALL_GROWN : values.grown.split(',').filter(Boolean);
	const perSecond = number('rate-limit');
	const sandbox = await startSandbox({
		port: number('port'),
		cases: number('cases'),
		seed: number('seed'),
		seedUntil: values.until ? new Date(values.until) : new Date(),
		latencyMs: number('latency'),
		prefix: values.prefix,
		https: values.https,
		strict: !values.lenient,
		rateLimit: perSecond > 0 ? { perSecond } : undefined,
		arrayFormat: oneOf('array-format', values['array-format'], ARRAY_FORMATS),
		commentsTouchCase: values['comments-touch-case'],
		grown: grown.map((name) => oneOf<GrownTrait>('grown', name, ALL_GROWN)),
	});
	console.log(greeting(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			console.log('Stopping.');
			void sandbox.stop();
		});
	}
}

function oneOf<T extends string>(name: string, text: string, values: readonly T[]): T {
	const value = values.find((candidate) => candidate === text);
	if (value) return value;
	throw new Error(`--${name} must be one of ${values.join(', ')}, not '${text}'`);
}

function greeting({ url, controlUrl, keys, store, certificate }: Sandbox): string {
	const { visible } = summaryOf({ store, baseUrl: url });
	const line = (label: string, kind: keyof typeof keys, sees: string) =>
		`  ${label.padEnd(13)}${keys[kind].padEnd(40)}${sees} (${visible[kind] ?? 0} cases)`;
	return [
		`Case service with ${store.size} cases`,
		'',
		`  Base URL     ${url}`,
		`  Control API  ${controlUrl}/summary`,
		`  In a browser ${url}/cases`,
		'',
		'API keys (made up)',
		line('personal', 'personal', 'the teams SOC and IT'),
		line('service', 'service', 'every team'),
		line('tenant owner', 'tenantOwner', 'every team'),
		line('team', 'team', 'the team SOC'),
		'',
		'Try',
		`  curl ${certificate ? '-k ' : ''}-g -H 'content-type: application/json' -H 'x-user-token: ${keys.tenantOwner}' '${url}/api/v2/cases?filters[status]=OPEN&order=CREATED_DESC&per_page=2'`,
		'',
		'Ctrl+C stops it.',
	].join('\n');
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
