import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { animatedPng, type Frame } from './apng';
import { startBrowser } from './browser';
import { waitForQuestion } from './buttons';
import { Editor } from './editor';
import { type Installed, startInstalled } from '../tools/n8n/fixture';
import type { WorkflowDefinition } from '../tools/n8n/n8nApi';
import { casesNode, manualWorkflow, node } from '../tools/n8n/workflows';

const FILE = join(__dirname, '../docs/images/ask-and-wait.png');

/** The canvas alone, in a window of the editor that has it in this size. */
const EDITOR = { width: 664, height: 586 };
const CANVAS = { x: 43, y: 66, width: 620, height: 482 };

const CASE_PAGE = { width: 390, height: 482 };
const FILL_WINDOW = 'body { zoom: 0.8 } main { margin: 0; border: 0; border-radius: 0 }';

const PICTURE = { width: 1058, height: 570 };

const QUESTION = 'Isolate web-7?';

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
		position: [580, y] as [number, number],
	});
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	return {
		...workflow,
		nodes: [...workflow.nodes, end('Isolate host', -100), end('Leave host', 100)],
		connections: {
			...workflow.connections,
			'Approved?': { main: [to('Isolate host'), to('Leave host')] },
		},
	};
}

interface Point {
	x: number;
	y: number;
}

/** The mouse, which a picture of a browser lacks. */
const pointerAt = ({ x, y }: Point) =>
	`<svg style="left:${x}px;top:${y}px" width="20" height="28"><path d="M1 1v20l5-5 4 9 4-2-4-8h7z" stroke="#fff" stroke-width="1.5"/></svg>`;

/** One picture of the workflow and the case under a line of text, with the mouse over the case. */
async function compose(
	composer: Page,
	caption: string,
	canvas: Buffer,
	casePage: Buffer,
	mouse?: Point,
): Promise<Buffer> {
	const panel = (title: string, png: Buffer, over = '') =>
		`<figure><figcaption>${title}</figcaption><div><img src="data:image/png;base64,${png.toString('base64')}">${over}</div></figure>`;
	await composer.setContent(`<style>
		body { margin: 0; padding: 14px 16px; background: #fff; color: #1c2430; font-family: system-ui, sans-serif; }
		h1 { margin: 0 0 10px; font-size: 20px; }
		main { display: flex; gap: 12px; }
		figure { margin: 0; border: 1px solid #d5d9e2; border-radius: 8px; overflow: hidden; }
		figcaption { padding: 4px 12px; border-bottom: 1px solid #d5d9e2; color: #667085; font-size: 13px; }
		div { position: relative; }
		img { display: block; }
		svg { position: absolute; }
	</style><h1>${caption}</h1>
	<main>${panel('n8n', canvas)}${panel('The case', casePage, mouse && pointerAt(mouse))}</main>`);
	await composer.waitForFunction('[...document.images].every((image) => image.complete)');
	return await composer.screenshot();
}

/** Makes the moving picture of Ask and Wait: a question in a case, a click, and the workflow continues. */
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
		await editor.hideControls();
		const casePage = await browser.newPage({ viewport: CASE_PAGE });
		await casePage.goto(`${sandbox.url}/cases/${case_id}`);
		const composer = await browser.newPage({ viewport: PICTURE });
		const frames: Frame[] = [];
		const shoot = async (caption: string, seconds: number, mouse?: Point) => {
			await editor.settle();
			await casePage.addStyleTag({ content: FILL_WINDOW });
			const canvas = await editor.page.screenshot({ clip: CANVAS });
			const png = await compose(composer, caption, canvas, await casePage.screenshot(), mouse);
			frames.push({ png, seconds });
			return png;
		};

		await shoot('A workflow is about to isolate a host', 2);
		await editor.page.getByTestId('execute-workflow-button').dispatchEvent('click'); // it is hidden
		await waitForQuestion(n8n.api, sandbox, case_id, { count: 2 });
		await casePage.reload();
		const still = await shoot('It asks in the case, and waits', 3);

		const button = casePage.getByRole('button', { name: /Isolate$/ });
		const { x, y, width, height } = (await button.boundingBox())!;
		const target = { x: x + width * 0.7, y: y + height * 0.6 };
		for (const away of [0.8, 0.5, 0.2]) {
			const mouse = { x: target.x + 120 * away, y: target.y + 60 * away };
			await shoot('Somebody presses a button', 0.15, mouse);
		}
		await button.hover();
		await shoot('Somebody presses a button', 1.2, target);
		await button.click();
		await editor.page.getByText('Workflow executed successfully').first().waitFor();
		await editor.dismissMessages();
		await shoot('The workflow continues with the answer, and the buttons are gone', 4);

		await writeFile(FILE, animatedPng(still, frames));
		console.log('docs/images/ask-and-wait.png');
	} finally {
		await browser.close();
		await installed.stop();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
