import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { animatedPng } from './apng';
import { startBrowser } from './browser';
import { waitForQuestion } from './buttons';
import { Editor } from './editor';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import type { WorkflowDefinition } from '../tools/n8n/n8nApi';
import { casesNode, manualWorkflow, node } from '../tools/n8n/workflows';

const FOLDER = join(__dirname, '../docs/images');

/** The size of the editor and of the case page; the picture has both side by side, smaller. */
const EDITOR = { width: 1040, height: 620 };
const CASE_PAGE = { width: 640, height: 620 };
const SCALE = 0.62;

const QUESTION = 'Isolate host web-7?';
const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];

/** Asks in the case, and goes one of two ways. */
function askingWorkflow({ credentialId }: Installed, caseId: number): WorkflowDefinition {
	const condition = {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [
			{
				id: '1',
				leftValue: '={{ $json.data.approved }}',
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
		combinator: 'and',
	};
	const labels = { approveLabel: 'Isolate', disapproveLabel: 'Leave' };
	const workflow = manualWorkflow('Ask before isolating', [
		casesNode('Ask in the case', credentialId, {
			resource: 'action',
			operation: 'sendAndWait',
			caseId: { __rl: true, mode: 'id', value: String(caseId) },
			message: QUESTION,
			approvalOptions: { values: { approvalType: 'double', ...labels } },
		}),
		node('Approved?', 'n8n-nodes-base.if', 2.2, { conditions: condition, options: {} }),
	]);
	const end = (name: string, y: number) => ({
		...node(name, 'n8n-nodes-base.noOp', 1),
		position: [660, y] as [number, number],
	});
	return {
		...workflow,
		nodes: [...workflow.nodes, end('Isolate the host', -100), end('Leave the host', 100)],
		connections: {
			...workflow.connections,
			'Approved?': { main: [to('Isolate the host'), to('Leave the host')] },
		},
	};
}

/** One picture of both pages under a line of text. */
async function picture(composer: Page, caption: string, pages: Page[]): Promise<Buffer> {
	const images = await Promise.all(
		pages.map(async (page) => (await page.screenshot()).toString('base64')),
	);
	const sizes = [EDITOR, CASE_PAGE].map(({ width }) => Math.round(width * SCALE));
	await composer.setContent(
		`<body style="margin:0;background:#fff"><p style="font:600 20px system-ui;margin:12px 16px">${caption}</p>
		<div style="display:flex;gap:8px;padding:0 16px">${images
			.map(
				(image, index) =>
					`<img width="${sizes[index]}" style="border:1px solid #ddd;border-radius:8px" src="data:image/png;base64,${image}">`,
			)
			.join('')}</div></body>`,
	);
	await composer.locator('img').last().waitFor();
	await composer.waitForTimeout(300);
	return await composer.screenshot();
}

/** Makes the picture of Ask and Wait in the README: a question in a case, a click, and the workflow continues. */
async function main() {
	const installed = await startInstalled({ cases: 20, seedUntil: new Date() });
	const browser = await startBrowser();
	try {
		const { sandbox, n8n } = installed;
		const { case_id } = sandbox.store.createCase({
			name: 'Malware on web-7',
			description: 'The scanner found a trojan in /tmp.',
			priority: 'CRITICAL',
			tags: ['malware'],
		});
		const editor = await Editor.open(browser, n8n.url);
		await editor.page.setViewportSize(EDITOR);
		const { id } = await n8n.api.createWorkflow(askingWorkflow(installed, case_id));
		await editor.openWorkflow(id);
		await editor.zoomToFit();
		const casePage = await browser.newPage({ viewport: CASE_PAGE });
		await casePage.goto(`${sandbox.url}/cases/${case_id}`);
		const composer = await browser.newPage({
			viewport: {
				width: Math.round((EDITOR.width + CASE_PAGE.width) * SCALE) + 44,
				height: Math.round(EDITOR.height * SCALE) + 64,
			},
		});
		const pictures: Array<{ png: Buffer; seconds: number }> = [];
		const shoot = async (caption: string, seconds: number) => {
			await editor.settle();
			const png = await picture(composer, caption, [editor.page, casePage]);
			pictures.push({ png, seconds });
			return png;
		};

		await shoot('A case, and a workflow that is about to isolate its host', 2.5);
		await editor.page.getByTestId('execute-workflow-button').click();
		await waitForQuestion(n8n.api, sandbox, case_id, { count: 2 });
		await casePage.reload();
		const still = await shoot('The workflow asks in the case, and waits', 3.5);
		await casePage.getByRole('button', { name: 'Isolate', exact: false }).first().hover();
		await shoot('Somebody presses a button', 1.5);
		await casePage.getByRole('button', { name: 'Isolate', exact: false }).first().click();
		await editor.page.getByText('Workflow executed successfully').first().waitFor();
		await editor.dismissMessages();
		await casePage.reload();
		await shoot('The workflow continues with the answer, and the buttons are gone', 4);

		await writeFile(join(FOLDER, 'ask-and-wait.png'), animatedPng(pictures));
		await writeFile(join(FOLDER, 'ask-and-wait-still.png'), still);
		console.log('docs/images/ask-and-wait.png, docs/images/ask-and-wait-still.png');
	} finally {
		await browser.close();
		await installed.stop();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
