import { createHash, randomBytes } from 'node:crypto';
import type { Sandbox } from '../sandbox';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { outputOf } from '../tools/n8n/n8nApi';
import { casesNode, itemsNode, manualWorkflow, START } from '../tools/n8n/workflows';

// Files of a case are downloaded into n8n's store, and uploaded from there to another case.

const FILES: Array<[name: string, content: Buffer]> = [
	['empty.txt', Buffer.alloc(0)],
	['Größe "1".html', Buffer.from('<script>alert(1)</script>')],
	['mail.eml', Buffer.from('From: ada@acme.example.com\r\n\r\nHello 🔥\r\n')],
	['image.png', Buffer.from([0, 255, 137, 80, 78, 71, 10, 13])],
	['disk.img', randomBytes(50 * 1024 * 1024)],
];
const [SOURCE, TARGET] = [1, 2];

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const filesOf = ({ store }: Sandbox, id: number) =>
	store
		.getCase(id)
		.activities()
		.flatMap(({ file }) => (file ? [[file.filename, file.bytes.length, hash(file.bytes)]] : []));

describe.each(['default', 'filesystem'])('With files in the store %s', (mode) => {
	let installed: Installed;
	beforeAll(async () => {
		installed = await startInstalled({ cases: 2 }, { N8N_DEFAULT_BINARY_DATA_MODE: mode });
	});
	afterAll(async () => await installed?.stop());

	test('files are downloaded, uploaded, listed and deleted, byte for byte', async () => {
		const { n8n, sandbox, credentialId } = installed;
		for (const [filename, bytes] of FILES)
			sandbox.store.addActivity(SOURCE, 'FILE_ATTACHED', { file: { filename, bytes } });
		const ofFiles = (name: string, operation: string, parameters: object) =>
			casesNode(name, credentialId, { resource: 'file', operation, ...parameters });
		const workflow = await n8n.api.createWorkflow(
			manualWorkflow('Files', [
				itemsNode('Item', [{}]),
				ofFiles('List', 'getAll', { caseId: byId(String(SOURCE)), returnAll: true }),
				ofFiles('Download', 'download', {
					caseId: byId('={{ $json.case_id }}'),
					fileId: '={{ $json.file_id }}',
					outputBinaryField: 'evidence',
				}),
				ofFiles('Upload', 'upload', {
					caseId: byId(String(TARGET)),
					inputBinaryField: 'evidence',
				}),
				ofFiles('Delete', 'delete', {
					caseId: byId('={{ $json.case_id }}'),
					fileId: '={{ $json.file_id }}',
				}),
			]),
		);
		const before = filesOf(sandbox, TARGET);
		const uploaded: unknown[][] = [];
		const { addActivity } = sandbox.store;
		sandbox.store.addActivity = (id, type, entry) => {
			const { file } = entry ?? {};
			if (file) uploaded.push([file.filename, file.bytes.length, hash(file.bytes)]);
			return addActivity.call(sandbox.store, id, type, entry);
		};
		const run = await n8n.api.runManually(workflow.id, START);
		expect(run.status).toBe('success');
		const expected = FILES.map(([name, bytes]) => [name, bytes.length, hash(bytes)]);
		expect(filesOf(sandbox, SOURCE)).toEqual(expected);
		expect(uploaded).toEqual(expected);
		expect(outputOf(run, 'Download').map(({ json }) => json.size)).toEqual(
			FILES.map(([, bytes]) => bytes.length),
		);
		expect(filesOf(sandbox, TARGET)).toEqual(before);
		expect(sandbox.rejected).toEqual([]);
	});
});
