import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '.';
import { ACCESS, type KeyKind } from './auth';
import { GROWN_TRAITS, parseTraits } from './grown';
import { mayRead } from './query';
import { ERROR_SHAPES, type ArrayFormat } from './types';

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
  --array-format <f>   brackets (default), indices, repeat or comma
  --error-shape <s>    error (default), message, errors, text, details,
                       detailsList or fields
  --precision <p>      seconds (default) or milliseconds in timestamps
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
			'rate-limit': { type: 'string' },
			'array-format': { type: 'string' },
			'error-shape': { type: 'string' },
			precision: { type: 'string' },
			'comments-touch-case': { type: 'boolean' },
			grown: { type: 'string' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return;
	}
	const perSecond = values['rate-limit'];
	const sandbox = await startSandbox({
		port: wholeNumber('port', values.port),
		cases: wholeNumber('cases', values.cases),
		seed: wholeNumber('seed', values.seed),
		seedUntil: values.until ? new Date(values.until) : new Date(),
		latencyMs: wholeNumber('latency', values.latency),
		prefix: values.prefix,
		https: values.https,
		strict: !values.lenient,
		rateLimit: perSecond ? { perSecond: wholeNumber('rate-limit', perSecond) } : undefined,
		arrayFormat: oneOf<ArrayFormat>('array-format', values['array-format'], [
			'brackets',
			'indices',
			'repeat',
			'comma',
		]),
		errorShape: oneOf('error-shape', values['error-shape'], ERROR_SHAPES),
		timestampPrecision: oneOf('precision', values.precision, ['seconds', 'milliseconds']),
		commentsTouchCase: values['comments-touch-case'],
		grown: values.grown === undefined ? undefined : parseTraits(values.grown),
	});
	console.log(greeting(sandbox));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			console.log('Stopping.');
			void sandbox.stop();
		});
	}
}

function wholeNumber(name: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not '${text}'`);
	return Number(text);
}

function oneOf<T extends string>(name: string, text: string | undefined, values: readonly T[]) {
	const value = values.find((candidate) => candidate === text);
	if (text !== undefined && value === undefined) {
		throw new Error(`--${name} takes ${values.join(', ')}, not '${text}'`);
	}
	return value;
}

function greeting({ url, controlUrl, keys, store, certificate }: Sandbox): string {
	const visible = (kind: KeyKind) =>
		[...store.cases()].filter(({ team }) => mayRead(ACCESS[kind], team.id)).length;
	const line = (label: string, kind: KeyKind, sees: string) =>
		`  ${label.padEnd(13)}${keys[kind].padEnd(40)}${sees} (${visible(kind)} cases)`;
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
