import type { INodeExecutionData } from 'n8n-workflow';
import { useLog } from '../../../support/log';
import { byId, failureOf, hintsOf, itemsWith, OF_ITEM } from '../../../support/runs';
import { useService } from '../../../support/service';
import { runAsTool } from '../../../support/tool';
import { pressButton, type PressOptions } from '../../../support/waiting';

const service = useService({ cases: 20 });
const grown = useService({ cases: 3, grown: ['actions-list'] });
const log = useLog();
const ask = { resource: 'action', operation: 'sendAndWait', message: 'Isolate web-7?' };
const DOUBLE = { values: { approvalType: 'double', approveLabel: 'Isolate' } };
const OTHER = { url: 'https://example.com/other', label: 'Other', action_type: 'page' as const };

const put = (caseId: number, ...actions: Array<typeof OTHER>) => {
	// In the past: an edit during a read would make the node read again.
	service.sandbox.store.replaceActions(caseId, actions, { updated_at: '2026-01-20T00:00:00Z' });
};
const actionsOf = (caseId: number) => service.sandbox.store.getCase(caseId).actions();
const labelsOf = (caseId: number) => actionsOf(caseId).map(({ label }) => label);

afterEach(() => service.sandbox.deviate());

/** Asks in a case, and returns functions that press its buttons. */
async function asking(caseId: number, parameters: Record<string, unknown> = {}) {
	const all = { ...ask, caseId: byId(caseId), ...parameters };
	const run = await service.run(all, { mode: 'trigger' });
	const buttons = actionsOf(caseId).filter(({ url }) => url.includes('nonce='));
	const { data } = run.run;
	const press = async (index: number, options?: PressOptions, credential = service.credential()) =>
		await pressButton(buttons[index].url, data, all, credential, options);
	return { run, buttons, press };
}

const outputOf = ({ workflowData }: { workflowData?: INodeExecutionData[][] }) =>
	workflowData?.[0].map(({ json, pairedItem }) => ({ ...json, pairedItem }));

describe('Ask and Wait', () => {
	it('puts a button for each answer behind the actions of the case, and waits', async () => {
		put(1, OTHER);
		const { run, buttons } = await asking(1, { approvalOptions: DOUBLE, acceptTextLoss: true });
		expect(run.status).toBe('waiting');
		expect(run.run.waitTill).toEqual(new Date('3000-01-01T00:00:00.000Z'));
		expect(labelsOf(1)).toEqual(['Other', 'Isolate web-7?', 'Isolate web-7?']);
		expect(buttons).toMatchObject([
			{ action_type: 'webhook', action_text: 'Isolate' },
			{ action_type: 'webhook', action_text: 'Decline' },
		]);
		expect(service.paths()).toEqual([
			'GET /api/v2/cases',
			'PUT /api/v2/cases/1/actions/batch',
			'GET /api/v2/cases',
		]);
	});

	it('returns the answer, and takes its buttons off the case again', async () => {
		put(2);
		const { press } = await asking(2, { approvalOptions: DOUBLE });
		put(2, OTHER, ...(actionsOf(2) as never[]));
		service.sandbox.deviate({ actions: { inRows: 'texts' } });
		const body = { user: { email: 'a@b.example' }, button: 'Decline', case: { id: 2 } };
		const reply = await press(1, { body });
		expect(outputOf(reply)).toEqual([
			{
				case_id: 2,
				data: {
					approved: false,
					choice: 'decline',
					text: 'Decline',
					respondedAt: expect.stringMatching(/^\d{4}-.*Z$/),
					user: body.user,
				},
				body,
				cleaned: true,
				pairedItem: { item: 0 },
			},
		]);
		expect(reply.webhookResponse).toContain('Answer received');
		expect(labelsOf(2)).toEqual(['Other']);
	});

	it('returns the value of a choice, and null for approved', async () => {
		put(3);
		const { press } = await asking(3, {
			responseType: 'choice',
			choices: { choice: [{ text: 'Ours', value: 'ours' }, { text: 'Not ours' }] },
		});
		expect(outputOf(await press(1))).toMatchObject([
			{ data: { approved: null, choice: 'Not ours', text: 'Not ours', user: null } },
		]);
	});

	it('shows with the button type Page a page with all answers, and takes the one that it posts', async () => {
		put(4);
		const message = `<b>Isolate?</b> ${'Because. '.repeat(30)}`;
		const { buttons, press } = await asking(4, {
			message,
			approvalOptions: DOUBLE,
			options: { buttonType: 'page' },
		});
		expect(buttons).toMatchObject([{ action_type: 'page', action_text: 'Review' }]);
		expect(buttons[0].label).toHaveLength(100);
		const shown = await press(0, { method: 'GET' });
		expect(shown.workflowData).toBeUndefined();
		expect(shown.webhookResponse).toContain('&lt;b&gt;Isolate?&lt;/b&gt; Because.');
		expect(shown.webhookResponse).toContain('value="1">Decline<');
		expect(outputOf(await press(0, { body: { answer: '1' } }))).toMatchObject([
			{ data: { approved: false } },
		]);
	});

	it('decides nothing when a button is only opened, or posts no answer', async () => {
		put(5);
		const webhook = await asking(5);
		const shown = await webhook.press(0, { method: 'GET', body: { answer: '0' } });
		expect(shown.workflowData).toBeUndefined();
		expect(shown.webhookResponse).toContain('<button name="answer" value="0">Approve</button>');
		const page = await asking(5, { options: { buttonType: 'page' }, acceptTextLoss: true });
		for (const body of [{}, { answer: '7' }, { answer: 0 }, { answer: 'x' }, 'text', null]) {
			expect((await page.press(1, { body })).workflowData).toBeUndefined();
		}
	});

	it.each([
		['another question', { nonce: 'of-another-question' }],
		['another case', { case: '7' }],
	])('takes no answer from a button of %s', async (_what, parameters) => {
		put(6);
		const { press } = await asking(6);
		const reply = await press(0, { parameters });
		expect(reply.workflowData).toBeUndefined();
		expect(reply.webhookResponse).toContain('Nothing was changed');
		expect(labelsOf(6)).toHaveLength(1);
	});

	it('keeps its buttons on the case with Keep Buttons', async () => {
		put(7);
		const { press } = await asking(7, { options: { keepButtons: true } });
		expect(outputOf(await press(0))).toMatchObject([{ cleaned: false }]);
		expect(labelsOf(7)).toEqual(['Isolate web-7?']);
	});

	it.each<[string, () => void]>([
		['others could lose their texts', () => put(8, OTHER, ...(actionsOf(8) as never[]))],
		[
			'the actions are unknown',
			() => service.sandbox.deviate({ rows: { fields: [{ path: 'actions', value: null }] } }),
		],
		[
			'the write fails',
			() =>
				service.sandbox.faults.add({
					match: { method: 'PUT' },
					fault: { kind: 'status', status: 422 },
				}),
		],
		[
			'another writer puts them back',
			() => {
				const [{ url, label }] = actionsOf(8);
				const add = [{ url, label, action_type: 'webhook' as const }];
				service.sandbox.deviate({ actions: { after: { add, times: 99 } } });
			},
		],
	])(
		'counts the answer and leaves the buttons, and the log says so, where %s',
		async (_what, change) => {
			put(8);
			const { press } = await asking(8);
			change();
			expect(outputOf(await press(0))).toMatchObject([
				{ cleaned: false, data: { approved: true } },
			]);
			expect(labelsOf(8)).toContain('Isolate web-7?');
			const lines = log.filter(({ message }) => message.includes('may still be on the case.'));
			expect(lines).toMatchObject([{ level: 'warn' }]);
		},
	);

	it('counts the answer where the credential is gone', async () => {
		put(9);
		const { press } = await asking(9);
		const reply = await press(0, {}, { baseUrl: 'nowhere', apiKey: '' });
		expect(outputOf(reply)).toMatchObject([{ cleaned: false, data: { approved: true } }]);
	});

	it('puts its buttons again when another writer drops them', async () => {
		put(10);
		service.sandbox.deviate({ actions: { after: { drop: ['Isolate web-7?'], times: 2 } } });
		const { run } = await asking(10);
		expect(run.status).toBe('waiting');
		expect(labelsOf(10)).toEqual(['Isolate web-7?']);
		expect(service.paths().filter((path) => path.startsWith('PUT'))).toHaveLength(3);
	});

	it('waits all the same, with a hint, when another writer always drops them', async () => {
		put(11);
		service.sandbox.deviate({ actions: { after: { drop: ['Isolate web-7?'], times: 99 } } });
		const { run } = await asking(11);
		expect(run.status).toBe('waiting');
		expect(service.paths().filter((path) => path.startsWith('PUT'))).toHaveLength(4);
		expect(hintsOf(run)).toContain(
			'The buttons of the question may be missing on case 11. Check the case.',
		);
	});

	it('hints that the service can’t reach an n8n whose public URL is localhost', async () => {
		put(12);
		const { run } = await asking(12);
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				/^The buttons call localhost:\d+, .* N8N_WEBHOOK_URL \(before n8n 2\.30: WEBHOOK_URL\)/,
			),
		]);
	});

	it('limits the wait', async () => {
		put(13);
		const values = { limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'days' };
		const { run } = await asking(13, { options: { limitWaitTime: { values } } });
		const days = ((run.run.waitTill?.getTime() ?? 0) - Date.now()) / 86_400_000;
		expect(Math.round(days)).toBe(2);
	});

	it('refuses several items before any request, and says how to ask for each', async () => {
		const run = await service.run({ ...ask, caseId: OF_ITEM }, { items: itemsWith([1, 2]) });
		expect(failureOf(run)).toMatchObject({
			message: 'Ask and Wait asks one question at a time, but there are 2 input items',
			description: expect.stringMatching(/Loop Over Items.*Execute Sub-workflow/),
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('refuses to be a plain tool, and points to human review', async () => {
		await expect(
			runAsTool({ ...ask, caseId: byId(1) }, service.credential()),
		).rejects.toMatchObject({
			message: expect.stringContaining("can't be a tool of an AI agent"),
			description: expect.stringContaining('human review'),
		});
	});

	it('keeps the texts of other buttons, also when it cleans, with Read Button Texts', async () => {
		const { store } = grown.sandbox;
		store.replaceActions(1, [{ ...OTHER, action_text: 'Run' }]);
		const all = { ...ask, caseId: byId(1), options: { readButtonTexts: true } };
		const { run } = await grown.run(all, { mode: 'trigger' });
		const [other, button] = store.getCase(1).actions();
		expect([other.action_text, button.label]).toEqual(['Run', 'Isolate web-7?']);
		await pressButton(button.url, run.data, all, grown.credential());
		expect(store.getCase(1).actions()).toMatchObject([{ label: 'Other', action_text: 'Run' }]);
	});

	it('asks nothing where other actions may lose their texts', async () => {
		put(14, OTHER);
		const { run } = await asking(14);
		expect(failureOf(run).message).toContain('their button texts may get lost: "Other"');
		expect(labelsOf(14)).toEqual(['Other']);
	});
});
