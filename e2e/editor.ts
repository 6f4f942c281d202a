import type { Browser, Locator, Page } from 'playwright-core';
import { OWNER } from './n8n-api';

const SIZE = { width: 1440, height: 900 };

/** n8n's editor in a browser, signed in as the owner; nothing but that n8n can be reached from it. */
export class Editor {
	/** What the editor printed to the console as errors since it was opened. */
	readonly errors: string[] = [];

	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	static async open(browser: Browser, url: string): Promise<Editor> {
		const page = await browser.newPage({ viewport: SIZE });
		await page.route(
			(target) => !target.href.startsWith(url),
			async (route) => await route.abort(),
		);
		await page.goto(`${url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(OWNER.email);
		await page.locator('input[type=password]').fill(OWNER.password);
		await page.keyboard.press('Enter');
		await page.waitForURL((target) => !target.pathname.includes('signin'));

		const editor = new Editor(page, url);
		page.on('pageerror', ({ message }) => editor.errors.push(message));
		page.on('console', (message) => {
			// What was kept from leaving for other hosts is an error of the test's own making.
			const isOurs = message.location().url.startsWith(url);
			if (message.type() === 'error' && isOurs) {
				editor.errors.push(`${message.text()} ${message.location().url}`);
			}
		});
		return editor;
	}

	/** The canvas of a stored workflow. */
	async openWorkflow(workflowId: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** A node's form, with its input on the left and its output on the right. */
	async openNode(workflowId: string, nodeId: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}/${nodeId}`);
		await this.page.getByTestId('ndv').waitFor();
		await this.page.getByTestId('parameter-input').first().waitFor();
	}

	/** The names of the nodes that the node panel of a new workflow finds. */
	async searchNodes(text: string): Promise<string[]> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').first().click();
		await this.page.getByPlaceholder('Search nodes...').fill(text);
		const names = this.page.getByTestId('node-creator-item-name');
		await names.first().waitFor();
		return await names.allTextContents();
	}

	/** The field of a parameter, by its internal name. */
	field(parameter: string): Locator {
		return this.page.getByTestId(`parameter-input-${parameter}`);
	}

	/** Opens a field's dropdown. */
	async openDropdown(parameter: string): Promise<void> {
		await this.field(parameter).click();
	}

	/** Presses Execute step and waits until the node has output or an error. */
	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').first().click();
		const { page } = this;
		await page
			.getByTestId('node-run-status-success')
			.or(page.getByTestId('node-error-message'))
			.first()
			.waitFor();
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	get input(): Locator {
		return this.page.getByTestId('ndv-input-panel');
	}

	async close(): Promise<void> {
		await this.page.close();
	}
}
