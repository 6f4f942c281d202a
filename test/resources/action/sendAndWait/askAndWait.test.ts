import type { INodeExecutionData } from 'n8n-workflow';
import type { FaultRule } from '../../../../sandbox';
import { waitFor } from '../../../../tools/n8n/processes';
import { useLog } from '../../../support/log';
import { byId, failureOf, hintsOf, itemsWith, OF_ITEM } from '../../../support/runs';
import { runAsTool } from '../../../support/tool';
import { pressButton, type PressOptions } from '../../../support/waiting';
import { useCases } from '../support';

const { service, put } = useCases(20);
const log = useLog();
const ask = { resource: 'action', operation: 'sendAndWait', message: 'Isolate web-7?' };
const DOUBLE = { values: { approvalType: 'double', approveLabel: 'Isolate' } };
const OTHER = { url: 'https://example.com/other', label: 'Other', action_type: 'page' as const };

const actionsOf = (caseId: number) => service.sandbox.store.getCase(caseId).actions();
const labelsOf = (caseId: number) => actionsOf(caseId).map(({ label }) => label);
const warnings = () => log.filter(({ message }) => message.includes('may still be on the case.'));
/** The buttons are taken off after the answer. */
const untilSo = async (isSo: () => boolean) =>
	await waitFor('the buttons to be taken off', () => (isSo() ? true : undefined));
/** The service refuses a request. */
const refuse = (match: FaultRule['match']) =>
	service.sandbox.faults.add({ match, fault: { kind: 'status', status: 422 } });
/** An answer that approves. */
const APPROVED = [{ data: { approved: true } }];

/** Asks in a case, and returns functions that press its buttons. */
async function asking(caseId: number, parameters: Record<string, unknown> = {}, name = 'Node') {
	const all = { ...ask, caseId: byId(caseId), ...parameters };
	const run = await service.run(all, { mode: 'trigger', name });
	const buttons = actionsOf(caseId).filter(({ url }) => url.includes('key='));
	const { data } = run.run;
	const press = async (index: number, options?: PressOptions, credential = service.credential()) =>
		await pressButton(buttons[index].url, data, all, credential, { name, ...options });
	return { run, buttons, press };
}

const outputOf = ({ workflowData }: { workflowData?: INodeExecutionData[][] }) =>
	workflowData?.[0].map(({ json, pairedItem }) => ({ ...json, pairedItem }));

describe('Ask and Wait', () => {
	it('puts a button for each answer behind the actions of the case, and waits', async () => {
		put(1, OTHER);
		const { run, buttons } = await asking(1, { approvalOptions: DOUBLE });
		expect(run.status).toBe('waiting');
		expect(run.run.waitTill).toEqual(new Date('3000-01-01T00:00:00.000Z'));
		expect(labelsOf(1)).toEqual(['Other', 'Isolate web-7?', 'Isolate web-7?']);
		expect(buttons).toMatchObject([
			{ label: ask.message, action_type: 'webhook', action_text: 'Isolate' },
			{ action_type: 'webhook', action_text: 'Decline' },
		]);
		expect(service.paths()).toEqual(Array(2).fill('POST /api/v2/cases/1/actions'));
	});

	it('returns the answer, and takes its buttons off the case again', async () => {
		put(2);
		const { press } = await asking(2, { approvalOptions: DOUBLE });
		service.sandbox.store.addAction(2, { ...OTHER, action_text: 'Run' });
		const body = { user: { email: 'a@b.example' }, button: 'Decline', case: { id: 2 } };
		const isAnsweredFirst = async () => {
			const read = { resource: 'action', operation: 'getAll', caseId: byId(2) };
			expect((await service.run(read)).items).toHaveLength(3);
		};
		const reply = await press(1, { body, beforeReply: isAnsweredFirst });
		expect(outputOf(reply)).toEqual([
			{
				case_id: 2,
				data: {
					approved: false,
					choice: 'decline',
					text: 'Decline',
					responded_at: expect.stringMatching(/^\d{4}-.*Z$/),
					responder: body.user,
					message: null,
				},
				body,
				pairedItem: { item: 0 },
			},
		]);
		expect(reply.webhookResponse).toContain('Answer received');
		await untilSo(() => labelsOf(2).length === 1);
		expect(actionsOf(2)).toMatchObject([{ ...OTHER, action_text: 'Run' }]);
	});

	it('says to a second click while the first is worked on that nothing more is needed', async () => {
		put(2);
		const { press } = await asking(2);
		const second = async () => {
			for (const [index, method] of [[1], [0], [0, 'GET']] as Array<[number, 'GET'?]>) {
				const reply = await press(index, { method });
				expect(reply.webhookResponse).toContain('No answer needed');
				expect(reply.workflowData).toBeUndefined();
			}
		};
		expect(outputOf(await press(0, { beforeReply: second }))).toMatchObject(APPROVED);
	});

	it('says so too while the buttons are taken off, as after the first of a double click is broken off', async () => {
		put(2);
		const { press } = await asking(2);
		const fault = { kind: 'latency', ms: 300 } as const;
		service.sandbox.faults.add({ match: { method: 'DELETE' }, fault });
		expect(outputOf(await press(0))).toMatchObject(APPROVED);
		expect(await press(1)).not.toHaveProperty('workflowData');
		await untilSo(() => labelsOf(2).length === 0);
	});

	it('keeps its buttons, and takes a later click, where n8n did not take the first', async () => {
		put(2);
		const { press } = await asking(2);
		await press(1, { status: 500 });
		expect(outputOf(await press(0))).toMatchObject(APPROVED);
		await untilSo(() => labelsOf(2).length === 0);
	});

	it('returns the value of a choice, and null for approved', async () => {
		put(3);
		const { press } = await asking(3, {
			responseType: 'choice',
			choices: { choice: [{ text: 'Ours', value: 'ours' }, { text: 'Not ours' }] },
		});
		expect(outputOf(await press(1))).toMatchObject([
			{ data: { approved: null, choice: 'Not ours', text: 'Not ours', responder: null } },
		]);
	});

	it('shows for a long message a page with all answers, and takes the one that it posts', async () => {
		put(4);
		const message = `<b>Isolate?</b> ${'Because. '.repeat(30)}`;
		const { buttons, press } = await asking(4, { message, approvalOptions: DOUBLE });
		expect(buttons).toMatchObject([{ action_type: 'page', action_text: 'Review' }]);
		expect(buttons[0].label).toHaveLength(100);
		const shown = await press(0, { method: 'GET' });
		expect(shown.workflowData).toBeUndefined();
		expect(shown.webhookResponse).toContain('&#60;b&#62;Isolate?&#60;/b&#62; Because.');
		expect(shown.webhookResponse).toContain('value="1">Decline<');
		const posted = { answer: '1' };
		expect(outputOf(await press(0, { body: posted }))).toMatchObject([
			{ data: { approved: false, responder: null } },
		]);
	});

	it.each([
		['a message that fits the label', 100, {}, 'webhook'],
		['a longer message', 101, {}, 'page'],
		['a longer message and a type', 101, { buttonType: 'webhook' }, 'webhook'],
		['a short message and a type', 5, { buttonType: 'page' }, 'page'],
	])('has the right type of buttons for %s', async (_what, length, options, action_type) => {
		put(4);
		const { buttons } = await asking(4, { message: 'x'.repeat(length), options });
		expect(buttons[0]).toMatchObject({ action_type });
	});

	it('decides nothing when a button is only opened', async () => {
		put(5);
		const { press } = await asking(5);
		const shown = await press(0, { method: 'GET', body: { answer: '0' } });
		expect(shown.workflowData).toBeUndefined();
		expect(shown.webhookResponse).toContain('<button name="answer" value="0">Approve</button>');
	});

	it('takes no answer from a button of another question', async () => {
		put(6);
		const { press } = await asking(6);
		const reply = await press(0, { parameters: { key: 'of-another-question' } });
		expect(reply.workflowData).toBeUndefined();
		expect(reply.webhookResponse).toContain('Nothing was changed');
		expect(labelsOf(6)).toHaveLength(2);
	});

	it('keeps its buttons on the case with Keep Buttons', async () => {
		put(7);
		const { press } = await asking(7, { options: { keepButtons: true } });
		expect(outputOf(await press(0))).toHaveLength(1);
		expect(labelsOf(7)).toEqual(Array(2).fill('Isolate web-7?'));
	});

	it('counts the answer and leaves a button, and the log says so, where the service refuses to delete it', async () => {
		put(8);
		const { press } = await asking(8);
		refuse({ method: 'DELETE' });
		expect(outputOf(await press(0))).toMatchObject(APPROVED);
		await untilSo(() => warnings().length > 0);
		expect(labelsOf(8)).toEqual(['Isolate web-7?']);
	});

	it('is clean where somebody has deleted a button already', async () => {
		put(8, OTHER);
		const { buttons, press } = await asking(8);
		service.sandbox.store.deleteAction(8, buttons[1].id);
		await press(0);
		await untilSo(() => labelsOf(8).length === 1);
		expect(labelsOf(8)).toEqual(['Other']);
		expect(warnings()).toEqual([]);
	});

	it('counts the answer where the credential is gone', async () => {
		put(9);
		const { press } = await asking(9);
		const reply = await press(0, {}, { baseUrl: 'nowhere', apiKey: '' });
		expect(outputOf(reply)).toMatchObject(APPROVED);
		await untilSo(() => warnings().length > 0);
	});

	it('fails where a button could not be put up, and takes down the others', async () => {
		put(10, OTHER);
		refuse({ method: 'POST', nth: 2 });
		const { run } = await asking(10);
		expect(failureOf(run)).toMatchObject({ status: 'error', httpCode: '422' });
		expect(labelsOf(10)).toEqual(['Other']);
	});

	it('says where buttons of a failed question could not be taken down', async () => {
		put(11);
		refuse({ method: 'POST', nth: 2 });
		refuse({ method: 'DELETE' });
		const { run } = await asking(11);
		expect(failureOf(run).description).toContain(
			'Buttons of the question are still on case 11; pressing them does nothing.',
		);
	});

	it.each(['}} {{ $json', 'Ask "why"\\ ', "a'b`c${1}", 'Fräge 🔥', '$&'])(
		'takes the answer in a node called %s',
		async (name) => {
			put(12);
			const { press } = await asking(12, {}, name);
			expect(outputOf(await press(0))).toMatchObject(APPROVED);
		},
	);

	it('hints that the service can’t reach an n8n whose public URL is localhost', async () => {
		const parameters = { ...ask, caseId: byId(12) };
		const { port } = new URL(service.sandbox.url);
		// An address of this machine that isn't known as one.
		const elsewhere = { baseUrl: `http://0.0.0.0:${port}`, allowHttp: true };
		const run = await service.run(parameters, { mode: 'trigger', credential: elsewhere });
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(
				/^The buttons call localhost:\d+, .* N8N_WEBHOOK_URL \(before n8n 2\.30: WEBHOOK_URL\)/,
			),
		]);
	});

	it('asks with any input where the wait has no limit, without a hint on the same machine', async () => {
		const run = await service.run({ ...ask, caseId: byId(14) }, { items: [{ data: 'x' }] });
		expect(run.status).toBe('waiting');
		expect(hintsOf(run)).toEqual([]);
	});

	it('limits the wait', async () => {
		put(13);
		const { run } = await asking(13, { options: { limitWaitTime: 2880 } });
		const days = ((run.run.waitTill?.getTime() ?? 0) - Date.now()) / 86_400_000;
		expect(Math.round(days)).toBe(2);
	});

	it.each([45, '90'])('waits %s minutes from the beginning of the run', async (limitWaitTime) => {
		put(13);
		const before = Date.now();
		const { run } = await asking(13, { options: { limitWaitTime } });
		const startedAt = (run.run.waitTill?.getTime() ?? 0) - Number(limitWaitTime) * 60_000;
		expect(startedAt).toBeGreaterThanOrEqual(before);
		expect(startedAt).toBeLessThanOrEqual(Date.now());
	});

	it('refuses an input with data before any request where the wait has a limit', async () => {
		const limited = { ...ask, caseId: byId(14), options: { limitWaitTime: 45 } };
		const run = await service.run(limited, { items: [{ data: { approved: true } }] });
		expect(failureOf(run).message).toMatch(/field named data$/);
		expect(service.sandbox.requests).toEqual([]);
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
});
