import { createAsk, type TenantAccess } from './ask';
import { checkTenant, type Finding } from './checks';

const USAGE = `Set the environment variables CASES_BASE_URL and CASES_API_KEY; CASES_AUTH_SCHEME is header (default) or bearer.`;

/** @throws Error where a variable is missing */
function accessOf(env: NodeJS.ProcessEnv): TenantAccess {
	const {
		CASES_BASE_URL: baseUrl = '',
		CASES_API_KEY: apiKey = '',
		CASES_AUTH_SCHEME: scheme,
	} = env;
	const isKnown = scheme === undefined || scheme === 'header' || scheme === 'bearer';
	if (!/^https?:\/\//.test(baseUrl) || apiKey === '' || !isKnown) throw new Error(USAGE);
	return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey, authScheme: scheme ?? 'header' };
}

/** The findings as a table in Markdown. */
export function tableOf(findings: Finding[]): string {
	const lines = findings.map(
		({ assumption, verdict, seen }) => `| ${assumption} | ${verdict} | ${seen} |`,
	);
	return ['| Assumption | Verdict | What was seen |', '| --- | --- | --- |', ...lines].join('\n');
}

async function main(): Promise<void> {
	const { ask, sent } = createAsk(accessOf(process.env));
	console.log(tableOf(await checkTenant(ask)));
	console.log(`\n${sent()} requests, all of them read.`);
}

if (require.main === module) {
	main().catch((error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}
