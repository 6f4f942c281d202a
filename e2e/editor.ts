import type { Browser, Locator, Page } from 'playwright-core';
import { OWNER } from '../tools/n8n/n8nApi';
import { PATIENCE_MS } from '../tools/n8n/processes';

/** The size of the browser's window. */
export const EDITOR_SIZE = { width: 1440, height: 900 };

/** n8n's editor in a browser, signed in as the owner. Requests to other hosts are blocked. */
export class Editor {
	/** The errors that the editor wrote to the console since it was opened. */
	readonly errors: string[] = [];

	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	static async open(browser: Browser, url: string): Promise<Editor> {
		const page = await browser.newPage({ viewport: EDITOR_SIZE });
		page.setDefaultTimeout(PATIENCE_MS);
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
			const { url: source } = message.location();
			// Blocked requests to other hosts are errors that this class itself caused, and n8n's nodes lack some previews.
			const isOurs = source.startsWith(url) && !source.includes('/schemas/n8n-nodes-base.');
			if (message.type() === 'error' && isOurs) {
				editor.errors.push(`${message.text()} ${source}`);
			}
		});
		return editor;
	}

	/** Opens the canvas of a stored workflow. */
	async openWorkflow(workflowId: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Closes the open form, if there is one. */
	async closeNode(): Promise<void> {
		const close = this.page.getByTestId('ndv-close-button').or(this.backToCanvas);
		if (await close.isVisible()) await close.click();
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	/** Opens a node's form in the open workflow, with its input and output panels. */
	async openNode(name: string): Promise<void> {
		const form = this.page.getByTestId('ndv');
		await this.closeNode();
		const nodes = this.page.getByTestId('canvas-node');
		await nodes.and(this.page.locator(`[data-node-name="${name}"]`)).dblclick();
		await form.waitFor();
		await this.page.getByTestId('tab-params').waitFor();
	}

	/** The link that closes a form in n8n 1. */
	private get backToCanvas(): Locator {
		return this.page.getByTestId('back-to-canvas');
	}

	/** Opens the node panel of a new workflow. */
	async openNodePanel(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').first().click();
	}

	/** Searches in the open node panel, after waiting until results of an earlier search are gone. */
	async searchNodes(text: string): Promise<void> {
		const search = this.page.getByPlaceholder('Search nodes...');
		await search.fill('');
		await this.foundNode('Trigger manually').waitFor();
		await search.fill(text);
	}

	/** A node in the results of the node panel. */
	foundNode(name: string): Locator {
		return this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	}

	/** The field of a parameter, by its internal name. */
	field(parameter: string): Locator {
		return this.page.getByTestId(`parameter-input-${parameter}`);
	}

	/** Opens the list of the Case field. */
	async openCaseList(): Promise<void> {
		await this.chosenCase.click();
		await this.cases.first().waitFor();
	}

	/** The box that shows the chosen case. */
	get chosenCase(): Locator {
		return this.page.getByTestId('rlc-input');
	}

	/** Opens the dropdown of a field with choices. @returns its entries */
	async openChoices(parameter: string): Promise<Locator> {
		const field = this.field(parameter).first();
		// Chosen values of a field with several fill its box: only what is behind them opens the list.
		const several = field.locator('.el-select__input');
		const box = (await several.count()) > 0 ? several : field.locator('.el-select');
		await box.click();
		// A list that is opened while n8n loads its entries can stay closed.
		return await this.openedList(15_000).catch(async () => {
			await box.click();
			return await this.openedList();
		});
	}

	/** Opens the list of what can be added to a collection, by the text of its button. @returns its entries */
	async openEntries(button: string): Promise<Locator> {
		await this.entriesButton(button).click();
		return await this.openedList();
	}

	/** The button that opens the list of what can be added to a collection, by its text. */
	entriesButton(button: string): Locator {
		return this.page.getByPlaceholder(button, { exact: true });
	}

	/** The open list. */
	get openList(): Locator {
		return this.page.locator('.el-select-dropdown').filter({ visible: true });
	}

	/** The fields of the open node. */
	get form(): Locator {
		return this.page.locator('.parameter-input-list-wrapper').filter({ visible: true });
	}

	private async openedList(timeout?: number): Promise<Locator> {
		const entries = this.openList.locator('.el-select-dropdown__item').filter({ visible: true });
		await entries.first().waitFor({ timeout });
		return entries;
	}

	/** Closes the open list. */
	async closeList(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.openList.waitFor({ state: 'hidden' });
	}

	/** The labels of the open form, or of the open credential, in their order. */
	async labels(
		form: 'node-parameters' | 'editCredential-modal' = 'node-parameters',
	): Promise<string[]> {
		const labels = this.page
			.getByTestId(form)
			.locator('.n8n-input-label')
			.filter({ visible: true });
		const texts = await labels.locator('.n8n-text').allInnerTexts();
		return texts.map((text) => text.replace('*', '').trim()).filter((text) => text !== '');
	}

	/** The cases in the open list. */
	get cases(): Locator {
		return this.page.getByTestId('rlc-item');
	}

	async caseCount(): Promise<number> {
		return await this.cases.count();
	}

	/** Scrolls the open list to its end, which makes the editor load the next page. */
	async scrollCaseList(): Promise<void> {
		await this.cases.last().scrollIntoViewIfNeeded();
	}

	async searchCase(text: string): Promise<void> {
		await this.page.getByTestId('rlc-search').fill(text);
	}

	/** Presses Execute step, or Fetch Test Event. */
	async startExecution(): Promise<void> {
		await this.page.getByTestId('node-execute-button').first().click();
	}

	/** As {@link startExecution}, and waits until the node has output or an error. */
	async execute(): Promise<void> {
		await this.startExecution();
		const { page } = this;
		await page
			.getByTestId('node-run-status-success')
			.or(page.getByTestId('node-error-message'))
			.first()
			.waitFor();
	}

	/** Presses Execute workflow on the canvas and waits until it has run. */
	async executeWorkflow(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').first().waitFor();
	}

	/** Zooms so that the workflow fills the canvas. */
	async zoomToFit(): Promise<void> {
		await this.page.getByTestId('zoom-to-fit').click();
	}

	/** Hides the buttons and tabs that lie over the canvas, until another page is opened. */
	async hideControls(): Promise<void> {
		const controls = [
			'[data-test-id=canvas-controls]',
			'[class*=_executionButtons_]',
			'[class*=_nodeButtonsWrapper_]',
			'.tab-bar-container',
			'[data-test-id^=execute-workflow-button]',
		].join();
		await this.page.addStyleTag({ content: `${controls} { display: none !important }` });
		await this.page.mouse.move(0, 0); // away from the nodes, which show more buttons under it
	}

	/** The texts under the names of the nodes that the canvas truncates. */
	async truncatedSubtitles(): Promise<string[]> {
		return await truncated(this.page.getByTestId('canvas-node').locator('[class*=_subtitle_]'));
	}

	/** The descriptions in the open list that n8n truncates, after two lines. */
	async truncatedDescriptions(): Promise<string[]> {
		return await truncated(this.openList.locator('.option-description'));
	}

	/** Opens the credential of the open node and waits for its test. */
	async openCredential(): Promise<void> {
		await this.page.getByTestId('credential-edit-button').click();
		await this.read('Connection tested successfully');
	}

	/** Opens the credential of the open node and shows why its test fails. */
	async openFailingCredential(): Promise<void> {
		await this.page.getByTestId('credential-edit-button').click();
		await this.page.getByText('More details').click();
	}

	/** Closes the form of a credential. */
	async closeCredential(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('editCredential-modal').waitFor({ state: 'hidden' });
	}

	/** Waits until a text is to be seen. */
	async read(text: string | RegExp): Promise<void> {
		await this.page.getByText(text).filter({ visible: true }).first().waitFor();
	}

	/** Forgets the last run: after a failed one, n8n's editor can't run a node of another branch. */
	async clearRun(): Promise<void> {
		await this.closeNode();
		// A message in the corner would cover the button.
		await this.page.addStyleTag({ content: '.el-notification { pointer-events: none }' });
		const clear = this.page.getByTestId('clear-execution-data-button');
		if (await clear.isVisible()) await clear.click({ force: true });
	}

	/** Closes the messages that pop up in the corner after a run. */
	async dismissMessages(): Promise<void> {
		const close = this.page.locator('.el-notification__closeBtn');
		await close.first().waitFor();
		while ((await close.count()) > 0) {
			await close.first().click();
			await close.first().waitFor({ state: 'hidden' });
		}
		await this.page.mouse.move(0, 0); // away from the button, which would look pressed
	}

	/** Waits until nothing loads or moves, for a picture. */
	async settle(): Promise<void> {
		await this.page.waitForLoadState('networkidle');
		await this.page.waitForTimeout(1000);
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

/** What the browser knows of a text. */
interface Shown {
	scrollWidth: number;
	clientWidth: number;
	scrollHeight: number;
	clientHeight: number;
	textContent: string;
}

/** The texts that don't fit where they are shown. */
async function truncated(texts: Locator): Promise<string[]> {
	return await texts.evaluateAll((all: Shown[]) =>
		all
			.filter(
				({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
					scrollWidth > clientWidth || scrollHeight > clientHeight,
			)
			.map(({ textContent }) => textContent),
	);
}
