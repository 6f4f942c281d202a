import type { IDataObject } from 'n8n-workflow';
import type { Case } from '../sandbox/types';
import {
	AGENT_EXAMPLE,
	CREDENTIAL_ID,
	CREDENTIAL_NAME,
	CREDENTIAL_TYPE,
	credentialData,
	EXAMPLE_FILES,
	readExample,
	withCredential,
} from './examples';
import { startFakeModel } from './fake-model';
import { type Installed, SETUP_TIMEOUT_MS, startInstalled } from './fixture';
import { type Execution, outputOf } from './n8n-api';
import { type N8nCli, n8nCli } from './n8n-cli';
import { manualTrigger, START, startedBy, triggerOf } from './workflows';

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

	'react-to-changes.json': (run) => {
		const { store } = installed.sandbox;
		// A run by hand shows the trigger's newest cases as if they had just changed.
		const events = outputOf(run, 'Case closed or commented').map(({ json }) => json);
		const caseIds = [...new Set(events.map(({ case_id }) => Number(case_id)))];
		expect(new Set(events.map(({ event }) => event))).toEqual(
			new Set(['caseClosed', 'commentAdded']),
		);
		expect(outputOf(run, 'Look the case up').map(({ json }) => json.case_id)).toEqual(caseIds);
		expect(outputOf(run, 'Replace actions').map(({ json }) => json.case_id)).toEqual(caseIds);
		for (const case_id of caseIds) {
			const { status, actions } = store.getCase(case_id);
			const [label, page] =
				status === 'CLOSED' ? ['Review closed case', 'review'] : ['Answer comment', 'answer'];
			expect(actions().map((action) => [action.label, action.url, action.action_type])).toEqual([
				[label, `https://example.com/${page}?case=${case_id}`, 'page'],
			]);
		}
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

test(`examples/${AGENT_EXAMPLE} lets a model find cases and read comments`, async () => {
	const { sandbox, n8n, credentialId } = installed;
	const { case_id, name } = sandbox.store.createCase({ name: 'Unpaid invoice of a lighthouse' });
	const { value } = sandbox.store.addComment(case_id, 'The keeper has paid');
	const model = await startFakeModel([
		{ tool: 'Find_cases', args: { Search: 'lighthouse', Status: '', Priority: '' } },
		{ tool: 'Read_comments', args: { Case_ID: String(case_id) } },
	]);
	try {
		const modelCredential = await n8n.api.createCredential('Model', 'openAiApi', {
			apiKey: 'not-checked',
			url: model.url,
		});
		const example = withCredential(readExample(AGENT_EXAMPLE), {
			id: credentialId,
			name: CREDENTIAL_NAME,
		});
		const nodes = example.nodes.map((each) =>
			each.name === 'Model'
				? { ...each, credentials: { openAiApi: { id: modelCredential.id, name: 'Model' } } }
				: each,
		);
		const asked = startedBy({ ...example, nodes }, manualTrigger(), {
			chatInput: 'What was said about the lighthouse?',
		});
		const { id } = await n8n.api.createWorkflow(asked);
		sandbox.clearRequests();

		const run = await n8n.api.runManually(id, START);

		expect(run.data.resultData.error).toBeUndefined();
		expect(outputOf(run, 'Agent')[0].json.output).toBe('Done.');
		expect(model.tools.map((tool) => tool.function.name).sort()).toEqual([
			'Find_cases',
			'Read_comments',
		]);
		const [cases, comments] = model.toolAnswers;
		expect(cases).toContain(`"case_id":${case_id}`);
		expect(cases).toContain(name);
		expect(comments).toContain(value);
		expect(sandbox.rejected).toEqual([]);
		expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	} finally {
		await model.stop();
	}
});

/** The command line starts Manual Triggers only; others are started as by the editor's button. */
async function execute(workflow: ReturnType<typeof readExample>) {
	const { id } = workflow;
	const trigger = triggerOf(workflow);
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
