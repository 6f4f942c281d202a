import { type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_ID, CREDENTIAL_NAME, CREDENTIAL_TYPE, credentialData } from './examples';
import { installedFolder, type InstalledFolder, SETUP_TIMEOUT_MS } from './fixture';
import { startN8n } from './n8n';
import { outputOf } from './n8n-api';
import { n8nCli } from './n8n-cli';
import { runtimes } from './runtime';
import { casesNode, CASES_NODE, manualWorkflow } from './workflows';

let folder: InstalledFolder;
let sandbox: Sandbox;

beforeAll(async () => {
	folder = await installedFolder(runtimes.oldest);
	sandbox = await startSandbox({ cases: 120 });
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
	await sandbox?.stop();
	await folder?.remove();
});

describe('the oldest supported n8n, 1.123', () => {
	test('loads the package', async () => {
		const n8n = await startN8n(folder);
		try {
			await n8n.api.setUpOwner();
			const names = (await n8n.api.nodeTypes()).map(({ name }) => name);
			expect(names).toContain(CASES_NODE);
			expect(n8n.process.lines.join('\n')).not.toMatch(/n8n-nodes-cases.*(error|fail)/i);
		} finally {
			await n8n.process.stop();
		}
	});

	test('runs Get Many with Return All', async () => {
		const cli = n8nCli(folder.runtime, folder.userFolder);
		await cli.importCredential({
			id: CREDENTIAL_ID,
			name: CREDENTIAL_NAME,
			type: CREDENTIAL_TYPE,
			data: credentialData(sandbox.url, sandbox.keys.tenantOwner),
		});
		const parameters = { resource: 'case', operation: 'getAll', returnAll: true };
		const workflow = manualWorkflow('Get Many', [casesNode('Cases', CREDENTIAL_ID, parameters)]);
		await cli.importWorkflow({ id: 'getMany120', ...workflow });

		const run = await cli.execute('getMany120');

		const ids = outputOf(run, 'Cases').map(({ json }) => json.case_id);
		const expected = [...sandbox.store.cases()].map(({ case_id }) => case_id);
		expect(new Set(ids)).toEqual(new Set(expected));
		expect(ids).toHaveLength(120);
	});
});
