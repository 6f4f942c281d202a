import { type Installed, startInstalled } from '../tools/n8n/fixture';
import { waitFor } from '../tools/n8n/processes';
import { casesNode, casesTrigger, casesWebhookTrigger, workflowOf } from '../tools/n8n/workflows';

/** Every ten seconds. */
const POLLS = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};
const IGNORING = { ignoreServiceAccounts: true };

let installed: Installed;

beforeAll(async () => {
	installed = await startInstalled({ cases: 3, commentsTouchCase: true });
});

afterAll(async () => await installed?.stop());

/** Publishes a workflow that comments on each case that gets a comment. */
async function publish(kind: 'polling' | 'webhook', options: object) {
	const { n8n, credentialId } = installed;
	const watched = { events: ['commentAdded'], options };
	const trigger =
		kind === 'polling'
			? casesTrigger('Trigger', credentialId, { ...watched, pollTimes: POLLS })
			: casesWebhookTrigger('Trigger', credentialId, watched);
	const comment = casesNode('Comment', credentialId, {
		resource: 'comment',
		operation: 'create',
		caseId: { __rl: true, mode: 'id', value: '={{ $json.case_id }}' },
		text: 'Thank you',
	});
	const workflow = await n8n.api.createWorkflow(workflowOf(kind, [trigger, comment]));
	await n8n.api.publish(workflow);
	return workflow;
}

/** How many comments of workflows a case has. */
const answers = (caseId: number) =>
	installed.sandbox.store.comments(caseId).filter(({ value }) => value === 'Thank you').length;

const answered = async (caseId: number, count: number) =>
	await waitFor(`${count} comments of workflows`, () =>
		answers(caseId) >= count ? true : undefined,
	);

describe('A workflow that comments on each case that gets a comment', () => {
	test.each(['polling', 'webhook'] as const)(
		'comments once with Ignore Service Accounts, with the %s trigger',
		async (kind) => {
			const { sandbox, n8n } = installed;
			const workflow = await publish(kind, IGNORING);
			const caseId = kind === 'polling' ? 1 : 2;
			const ended = async (rounds: number) =>
				await waitFor(`${rounds} rounds`, async () =>
					(await n8n.api.executions(workflow.id)).count >= rounds ? true : undefined,
				);
			for (const round of [1, 2]) {
				// The second comment comes when the first one of the workflow was seen, or else would have been.
				sandbox.store.addComment(caseId, `Hello ${round}`);
				await answered(caseId, round);
				await ended(round);
			}
			const requests = sandbox.requests.length;
			sandbox.store.addComment(caseId, 'Hello 3');
			await answered(caseId, 3);
			await waitFor('what follows the last comment', () =>
				sandbox.requests.length >= requests + 4 ? true : undefined,
			);
			expect(answers(caseId)).toBe(3);
			expect((await n8n.api.executions(workflow.id)).count).toBe(3);
			await n8n.api.unpublish(workflow.id);
		},
	);

	test('continues for ever without it', async () => {
		const { sandbox, n8n } = installed;
		const workflow = await publish('webhook', {});
		sandbox.store.addComment(3, 'Hello');
		await answered(3, 5);
		await n8n.api.unpublish(workflow.id);
	}, 400_000);
});
