import type { IDataObject } from 'n8n-workflow';
import type { Case } from '../sandbox/types';
import {
	CREDENTIAL_ID,
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	readExample,
} from './examples';
import { type Installed, SETUP_TIMEOUT_MS, startInstalled } from './fixture';
import { type Execution, outputOf } from './n8n-api';
import { type N8nCli, n8nCli } from './n8n-cli';

let installed: Installed;
let cli: N8nCli;

beforeAll(async () => {
	installed = await startInstalled({ cases: 400 });
	const { runtime, userFolder, sandbox } = installed;
	cli = n8nCli(runtime, userFolder);
	await cli.importCredential({
		id: CREDENTIAL_ID,
		name: CREDENTIAL_NAME,
		type: CREDENTIAL_TYPE,
		data: credentialData(sandbox.url, sandbox.keys.tenantOwner),
	});
}, SETUP_TIMEOUT_MS);

afterAll(async () => await installed?.stop());

/** What a run of each example must have put out and done, judged by what the sandbox holds. */
const EXPECTATIONS: Record<string, (run: Pick<Execution, 'data'>) => void> = {
	'open-critical-cases.json': (run) => {
		const cases = outputOf(run, 'Get open critical cases').map(({ json }) => json);
		const expected = casesWhere(
			({ status, priority }) => status === 'OPEN' && priority === 'CRITICAL',
		);
		expect(byCaseId(cases)).toEqual(expected.map(simplified));
		const created = cases.map(({ created_at }) => String(created_at));
		expect(created).toEqual([...created].sort().reverse());
	},

	'comments-of-a-search.json': (run) => {
		const { store } = installed.sandbox;
		const found = casesWhere(({ name, description }) =>
			/phishing/i.test(`${name} ${description ?? ''}`),
		);
		const expected = found.flatMap(({ case_id }) =>
			store.comments(case_id).map(({ id, value }) => ({ case_id, id, value })),
		);
		const comments = outputOf(run, 'Get comments').map(({ json }) => json);
		expect(comments.map(({ case_id, id, value }) => ({ case_id, id, value })).sort(byIds)).toEqual(
			expected.sort(byIds),
		);
	},

	'scheduled-actions.json': (run) => {
		const changed = casesWhere(
			({ status, tags }) => status === 'OPEN' && tags.some(({ name }) => name === 'malware'),
		);
		const output = outputOf(run, 'Replace actions').map(({ json }) => json.case_id);
		expect([...output].sort()).toEqual(changed.map(({ case_id }) => case_id).sort());
		for (const { case_id, actions } of changed) {
			expect(actions().map(({ label, url }) => [label, url])).toEqual([
				['Isolate host', `https://example.com/webhook/isolate?case=${case_id}`],
				['Open runbook', 'https://example.com/runbooks/malware'],
			]);
		}
		const written = installed.sandbox.requests.filter(({ method }) => method === 'PUT');
		expect(written.map(({ path }) => path).sort()).toEqual(
			changed.map(({ case_id }) => `/api/v2/cases/${case_id}/actions/batch`).sort(),
		);
	},
};

test('every example has its expectation here', () => {
	expect(Object.keys(EXPECTATIONS).sort()).toEqual(EXAMPLE_FILES);
});

test.each(EXAMPLE_FILES)('examples/%s imports and does what it says', async (file) => {
	const workflow = readExample(file);
	installed.sandbox.clearRequests();
	await cli.importWorkflow(workflow);

	const run = await execute(workflow);

	expect(run.data.resultData.error).toBeUndefined();
	expect(installed.sandbox.rejected).toEqual([]);
	EXPECTATIONS[file](run);
});

/** The command line starts Manual Triggers only; others are started as by the editor's button. */
async function execute({ id, nodes }: ReturnType<typeof readExample>) {
	const trigger = nodes.find(({ type }) => /trigger$/i.test(type))!;
	if (trigger.type === 'n8n-nodes-base.manualTrigger') return await cli.execute(id);
	return await installed.n8n.api.runManually(id, trigger.name);
}

/** Cases of the sandbox in the order of their ids. */
function casesWhere(matches: (each: Case) => boolean): Case[] {
	return [...installed.sandbox.store.cases()].filter(matches).sort((a, b) => a.case_id - b.case_id);
}

/** A case as the node's simplified output has it. */
function simplified(each: Case): IDataObject {
	return {
		case_id: each.case_id,
		name: each.name,
		status: each.status,
		priority: each.priority,
		team: each.team.name,
		assignees: each.assignees.map(({ email }) => email),
		tags: each.tags.map(({ name }) => name),
		url: `${installed.sandbox.url}/cases/${each.case_id}`,
		created_at: each.created_at,
		updated_at: each.updated_at,
	};
}

const byCaseId = (cases: IDataObject[]) =>
	[...cases].sort((a, b) => Number(a.case_id) - Number(b.case_id));

const byIds = (a: IDataObject, b: IDataObject) =>
	Number(a.case_id) - Number(b.case_id) || Number(a.id) - Number(b.id);
