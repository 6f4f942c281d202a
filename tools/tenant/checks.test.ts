import {
	startSandbox,
	WITH_WRITES,
	type Deviations,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox';
import { createAsk, MOST_REQUESTS } from './ask';
import { tableOf } from './check';
import { checkTenant, type Finding } from './checks';

const started: Sandbox[] = [];
afterAll(async () => await Promise.all(started.map(async (sandbox) => await sandbox.stop())));

/** A service in which all assumptions hold. */
const RIGHT: SandboxOptions = {
	cases: 120,
	grown: WITH_WRITES,
	defaultEnd: 'endOfToday',
	commentsTouchCase: true,
};

interface Setup {
	options?: SandboxOptions;
	deviations?: Deviations;
	prepare?: (sandbox: Sandbox) => void;
	hasMetadataEdits?: boolean;
}

async function check({ options, deviations, prepare, hasMetadataEdits = true }: Setup = {}) {
	const sandbox = await startSandbox({ ...RIGHT, ...options });
	started.push(sandbox);
	const newest = Math.max(...[...sandbox.store.cases()].map(({ case_id }) => case_id));
	sandbox.store.addComment(newest, 'A comment with a secret');
	const file = { filename: 'a.txt', bytes: Buffer.from('A secret') };
	sandbox.store.addActivity(newest - 1, 'FILE_ATTACHED', { file });
	if (hasMetadataEdits) sandbox.store.addActivity(newest - 1, 'METADATA_UPDATED');
	if (deviations) sandbox.deviate(deviations);
	prepare?.(sandbox);
	const { ask, sent } = createAsk({
		baseUrl: sandbox.url,
		apiKey: sandbox.keys.tenantOwner,
		authScheme: 'header',
	});
	return { sandbox, sent, findings: await checkTenant(ask) };
}

/** The findings at services that no test changes or counts at. */
const known = new Map<Setup, Promise<Finding[]>>();
async function findingsAt(setup: Setup): Promise<Finding[]> {
	if (!known.has(setup))
		known.set(
			setup,
			check(setup).then(({ findings }) => findings),
		);
	return await known.get(setup)!;
}

const differing = (findings: Finding[]) =>
	findings.filter(({ verdict }) => verdict !== 'holds').map(({ assumption }) => assumption);
const without = (trait: string) => (RIGHT.grown as string[]).filter((one) => one !== trait);
const grown = (...traits: string[]): Setup => ({
	options: { grown: [...(RIGHT.grown as string[]), ...traits] as SandboxOptions['grown'] },
});
type ListName =
	| 'comments'
	| 'activities'
	| 'records'
	| 'actions'
	| 'tasks'
	| 'linked_cases'
	| 'fields';
const failing = (list: ListName): Setup => ({
	deviations: { rows: { failing: [{ list, status: 404, share: 1 }] } },
});

it('All assumptions hold at a service as the nodes take it to be, with few requests that only read', async () => {
	const { sandbox, sent, findings } = await check();
	expect(differing(findings)).toEqual([]);
	expect(sent()).toBeLessThanOrEqual(MOST_REQUESTS);
	expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

const ORDER_IGNORED: Setup = { deviations: { list: { orderIgnored: true } } };
const lacking = (trait: string): Setup => ({
	options: { grown: without(trait) as SandboxOptions['grown'] },
});
const NO_TEAMS_AND_TAGS = lacking('teams-and-tags');

const TURNED_OVER: Array<[assumption: string, setup: Setup, verdict?: 'unknown']> = [
	['Answers have a Date header', { deviations: { clock: { noDate: true } } }],
	['Timestamps are ISO 8601', { deviations: { clock: { format: 'offset' } } }],
	['A page has the size', { deviations: { list: { pageSize: 20 } } }],
	['Larger pages than 50', grown('page-size')],
	['Page counts agree', { deviations: { list: { meta: { pages: 4 } } } }],
	['The page behind the last', { deviations: { list: { notFoundBehindLast: true } } }],
	['count is the number', grown('meta-total')],
	['Lists are sent', { options: { arrayFormat: 'comma' } }],
	['The filter status', { deviations: { filters: { ignored: ['status'] } } }],
	['An unknown filter', grown('unknown-ignored')],
	['The filter excluded_tags', { deviations: { filters: { ignored: ['excluded_tags'] } } }],
	...[
		...['CREATED_ASC', 'CREATED_DESC', 'OPENED_ASC', 'OPENED_DESC'],
		...['PRIORITY_ASC', 'PRIORITY_DESC', 'LEAST_RECENTLY_EDITED'],
	].map((order): [string, Setup] => [`The order ${order} `, ORDER_IGNORED]),
	[
		'The order RECENTLY_EDITED',
		{
			deviations: {
				rows: { fields: [{ path: 'updated_at', value: '2031-01-01T00:00:00Z', share: 0.5 }] },
			},
		},
	],
	['Ranges of dates compare', grown('by-day')],
	['Ranges of dates begin', { deviations: { filters: { startExclusive: true } } }],
	[
		'A range without an end',
		{
			options: { defaultEnd: 'startOfToday' },
		},
	],
	['A comment changes', { options: { commentsTouchCase: false } }],
	['Cases have a list of comments', failing('comments')],
	['Cases have a list of activities', failing('activities')],
	['Cases have a list of records', failing('records')],
	['Records are grouped', grown('flat-records')],
	['Cases have a list of actions', failing('actions')],
	['A case can be read', lacking('case-writes')],
	['Cases have a list of tasks', failing('tasks')],
	['Cases have a list of linked cases', failing('linked_cases')],
	['Cases have a list of fields', failing('fields')],
	['There is a list of record types', lacking('case-writes')],
	['There is a list of case inputs', lacking('case-writes')],
	[
		'Cases show the values',
		{ deviations: { rows: { fields: [{ path: 'fields', value: [{ value: 1 }] }] } } },
	],
	['An edit of metadata', { hasMetadataEdits: false }, 'unknown'],
	[
		'A file is downloaded',
		{
			prepare: ({ faults }) =>
				faults.add({
					match: { path: 'download' },
					fault: { kind: 'redirect', status: 302, to: 'https://elsewhere.example/' },
				}),
		},
	],
	['There is a list of teams', NO_TEAMS_AND_TAGS],
	['There is a list of tags', NO_TEAMS_AND_TAGS],
	['There are webhooks of cases', lacking('case-webhooks')],
];

it.each(
	TURNED_OVER.map(
		([assumption, setup, verdict = 'differs']) => [assumption, setup, verdict] as const,
	),
)('A service where it is otherwise is told: %s', async (assumption, setup, verdict) => {
	const findings = await findingsAt(setup);
	const found = findings.filter((one) => one.assumption.startsWith(assumption));
	expect(found.map(({ verdict }) => verdict)).toEqual([verdict]);
});

it('A key that is accepted in one of the headers only is told', async () => {
	const { sandbox } = await check();
	// What is refused anyway doesn't count.
	const lists = sandbox.requests.filter(
		({ path, rejected }) => path === '/api/v2/cases' && rejected === undefined,
	).length;
	const { findings } = await check({
		prepare: ({ faults }) =>
			faults.add({
				match: { path: '/api/v2/cases$', nth: lists },
				fault: { kind: 'status', status: 401 },
			}),
	});
	expect(findings.at(-1)).toEqual({
		assumption: 'The key is accepted in both headers',
		verdict: 'differs',
		seen: 'X-User-Token: status 200, Bearer: status 401',
	});
});

it('Each assumption is turned over once', async () => {
	const findings = await findingsAt(ORDER_IGNORED);
	const tried = [...TURNED_OVER.map(([assumption]) => assumption), 'The key is accepted'];
	const countOf = (assumption: string) =>
		tried.filter((one) => `${assumption} `.startsWith(one)).length;
	expect(findings.filter(({ assumption }) => countOf(assumption) !== 1)).toEqual([]);
	expect(tried).toHaveLength(findings.length);
});

it('The table has nothing of the cases, nor the key or the address', async () => {
	const { sandbox, findings } = await check();
	const table = tableOf(findings);
	const { store } = sandbox;
	const words = [...store.cases()].flatMap((one) => [
		one.name,
		one.description ?? '',
		...one.tags.map(({ name }) => name),
		...one.assignees.flatMap(({ email, last_name }) => [email, last_name]),
		...Object.values(one.metadata),
		...store.comments(one.case_id).map(({ value }) => value),
		one.team.name,
	]);
	const secrets = [...new Set([...words, ...Object.values(sandbox.keys), sandbox.url])];
	expect(secrets.filter((word) => word.length > 3 && table.includes(word))).toEqual([]);
});

it('A service that does not answer with cases ends the check', async () => {
	const ask = createAsk({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x', authScheme: 'bearer' });
	await expect(checkTenant(ask.ask)).rejects.toThrow(/can't be read \(no answer\)/);
});

it('A service with no cases leaves open what only cases show', async () => {
	const { findings } = await check({
		prepare: ({ store }) => [...store.cases()].forEach(({ case_id }) => store.deleteCase(case_id)),
	});
	expect(findings.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
	expect(findings.filter(({ verdict }) => verdict === 'unknown').length).toBeGreaterThan(10);
});
