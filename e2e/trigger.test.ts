import { type RecordedRequest, type Sandbox, startSandbox } from '../sandbox';
import { CREDENTIAL_TYPE, credentialData } from '../tools/n8n/examples';
import { installedFolder, type InstalledFolder } from '../tools/n8n/fixture';
import { holdRequests } from './hold';
import {
	firstFailure,
	type Poller,
	type Polling,
	reactingWorkflow,
	reportedBy,
	republish,
	requestsOf,
	restart,
	startPoller,
	successes,
} from './pollers';
import { waitFor } from '../tools/n8n/processes';

let folder: InstalledFolder;
let sandbox: Sandbox;
let pollers: Poller[] = [];

beforeAll(async () => {
	folder = await installedFolder();
	sandbox = await startSandbox({ cases: 60, commentsTouchCase: true });
	pollers = await Promise.all([
		startPoller(folder, sandbox, 'timers in memory', 'tenantOwner'),
		startPoller(folder, sandbox, 'durable cursors', 'service'),
	]);
});

afterAll(async () => {
	await Promise.all(pollers.map(async ({ n8n }) => await n8n.process.stop()));
	await sandbox?.stop();
	await folder?.remove();
});

/** What the steps have made each n8n report, in words like `caseCreated 61`. */
const expected: string[] = [];

describe('The Cases Trigger, with timers in memory and with durable cursors,', () => {
	test('reports a case that was created between publishing and the first poll', async () => {
		const firstPoll = secondIn(30);
		const waiting = await Promise.all(
			pollers.map(async ({ n8n, credentialId }) => {
				const definition = reactingWorkflow(credentialId, [firstPoll]);
				const workflow = await n8n.api.createWorkflow(definition);
				await n8n.api.publish(workflow);
				return { n8n, workflow };
			}),
		);

		const { case_id } = sandbox.store.createCase({ name: 'Right after publishing' });
		expected.push(`caseCreated ${case_id}`);

		for (const { n8n, workflow } of waiting) {
			await waitFor('the case to be reported', async () =>
				(await reportedBy(n8n.api, workflow.id)).length > 0 ? true : undefined,
			);
			expect(await reportedBy(n8n.api, workflow.id)).toEqual([`caseCreated ${case_id}`]);
			await n8n.api.unpublish(workflow.id);
		}
		await allReported();
	});

	test.each([
		[
			'created',
			() => {
				const { case_id } = sandbox.store.createCase({ name: 'New' });
				return [`caseCreated ${case_id}`];
			},
		],
		[
			'edited',
			() => {
				sandbox.store.updateCase(1, { name: 'Edited' });
				return ['caseUpdated 1'];
			},
		],
		[
			// In this sandbox a comment counts as an edit, without which no poll could see it.
			'commented',
			() => {
				const { id } = sandbox.store.addComment(2, 'A new comment');
				return ['caseUpdated 2', `commentAdded 2 ${id}`];
			},
		],
		[
			'closed',
			() => {
				const { case_id } = [...sandbox.store.cases()].find(({ status }) => status === 'OPEN')!;
				sandbox.store.closeCase(case_id);
				return [`caseClosed ${case_id}`];
			},
		],
	])('starts the workflow once when a case is %s', async (_what, change) => {
		const before = await Promise.all(pollers.map(successes));

		expected.push(...change());
		await allReported();

		const after = await Promise.all(pollers.map(successes));
		expect(after).toEqual(before.map((count) => count + 1));
	});

	test('loses nothing and reports nothing twice when n8n is killed between two polls', async () => {
		await nextPolls();
		const edited = [...sandbox.store.cases()][20].case_id;
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		await waitFor('open requests to end', () => (sandbox.stats.inFlight === 0 ? true : undefined));
		await Promise.all(pollers.map(async ({ n8n }) => await n8n.process.kill()));

		sandbox.store.updateCase(edited, { name: 'Meanwhile' });
		expected.push(`caseUpdated ${edited}`);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Meanwhile' }).case_id}`);
		await Promise.all(pollers.map(restart));

		await allReported();
		await nextPolls();
		await nextPolls();
		await allReported();
	});

	test('loses nothing and reports nothing twice when n8n is killed during a poll', async () => {
		await nextPolls();
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		const { waiting, letGo } = await pollsUnderWay();
		await Promise.all(pollers.map(async ({ n8n }) => await n8n.process.kill()));
		await waitFor('both answers to be lost', () =>
			waiting.every(({ status }) => status === 0) ? true : undefined,
		);
		letGo();

		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Meanwhile' }).case_id}`);
		await Promise.all(pollers.map(restart));

		await allReported();
		await nextPolls();
		await nextPolls();
		await allReported();
	});

	test('loses nothing and reports nothing twice when a new version is published during a poll', async () => {
		// Polls so far apart that none starts beside one that waits for its answer.
		await publishEverywhere('In the middle of a poll', [secondIn(20)]);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		const { waiting, letGo } = await pollsUnderWay();
		await publishEverywhere('After the middle of a poll', [secondIn(30)]);
		expect(waiting.map(({ status }) => status)).toEqual([undefined, undefined]);
		letGo();
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'After' }).case_id}`);

		await allReported();
		await publishEverywhere('React');
		await nextPolls();
		await allReported();
	});

	test('reports a service that is down as a failed execution, and later the events of that time', async () => {
		const { store } = sandbox;
		const port = Number(new URL(sandbox.url).port);
		await sandbox.stop();
		expected.push(`caseCreated ${store.createCase({ name: 'While it is down' }).case_id}`);
		const failures = await Promise.all(pollers.map(firstFailure));
		sandbox = await startSandbox({ port, store });

		for (const message of failures) expect(message).toMatch(/^Could not connect to/);
		await allReported();
	});

	test('continues from the same place when the published workflow is changed', async () => {
		await nextPolls();
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		await publishEverywhere('Changed');
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'After' }).case_id}`);

		await allReported();
	});

	test('continues from the same place when it was unpublished for a while', async () => {
		await Promise.all(
			pollers.map(async ({ n8n, workflow }) => await n8n.api.unpublish(workflow.id)),
		);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Meanwhile' }).case_id}`);
		await Promise.all(pollers.map(async ({ n8n, workflow }) => await n8n.api.publish(workflow)));

		await allReported();
	});

	test('continues from the same place when its node is renamed', async () => {
		await nextPolls();
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'Before' }).case_id}`);
		await Promise.all(
			pollers.map(async (poller) => {
				await republish(poller, reactingWorkflow(poller.credentialId, undefined, 'Renamed'));
			}),
		);
		expected.push(`caseCreated ${sandbox.store.createCase({ name: 'After' }).case_id}`);

		await allReported();
	});

	test('reports which cases start to match and no longer match, once, also when n8n is killed', async () => {
		const watched = {
			events: ['caseMatched', 'caseUnmatched'],
			filters: { search: 'Urgent' },
		};
		const workflows = await Promise.all(
			pollers.map(async ({ n8n, credentialId }) => {
				const definition = reactingWorkflow(credentialId, undefined, 'Matches', watched);
				const workflow = await n8n.api.createWorkflow(definition);
				await n8n.api.publish(workflow);
				return workflow;
			}),
		);
		const [first, second] = [...sandbox.store.cases()].slice(30).map(({ case_id }) => case_id);
		const rename = (id: number, name: string) => {
			sandbox.store.updateCase(id, { name });
			expected.push(`caseUpdated ${id}`);
		};
		const reported = async (events: string[]) => {
			for (const [index, { n8n, polling }] of pollers.entries()) {
				const soFar = async () => await reportedBy(n8n.api, workflows[index].id);
				await waitFor(`${polling}: ${events.join(', ')}`, async () =>
					(await soFar()).length >= events.length ? true : undefined,
				);
				expect((await soFar()).sort()).toEqual([...events].sort());
			}
		};

		rename(first, 'Urgent');
		await reported([`caseMatched ${first}`]);
		await allReported();
		await Promise.all(pollers.map(async ({ n8n }) => await n8n.process.kill()));
		rename(first, 'Done');
		rename(second, 'Urgent');
		await Promise.all(pollers.map(restart));
		await reported([`caseMatched ${first}`, `caseUnmatched ${first}`, `caseMatched ${second}`]);
		await allReported();
		await Promise.all(
			pollers.map(async ({ n8n }, index) => await n8n.api.unpublish(workflows[index].id)),
		);
	});

	test('cannot be published with a wrong key, and says why', async () => {
		await Promise.all(
			pollers.map(async ({ n8n }) => {
				const data = credentialData(sandbox.url, 'wrong-key');
				const wrong = await n8n.api.createCredential('Wrong key', CREDENTIAL_TYPE, data);
				const workflow = await n8n.api.createWorkflow(reactingWorkflow(wrong.id));

				await expect(n8n.api.publish(workflow)).rejects.toThrow(/refused the API key/);
			}),
		);
	});

	test('has reported everything exactly once in the end', async () => {
		await nextPolls();
		await nextPolls();
		await allReported();
	});
});

/** The second of the minute that comes in this many seconds. */
const secondIn = (seconds: number) => new Date(Date.now() + seconds * 1000).getSeconds();

/** Publishes a new version with this name in each n8n. */
async function publishEverywhere(name: string, seconds?: number[]): Promise<void> {
	await Promise.all(
		pollers.map(async (poller) => {
			await republish(poller, { ...reactingWorkflow(poller.credentialId, seconds), name });
		}),
	);
}

/** Waits until each n8n is in the middle of a poll. @returns the requests that are held, and what lets them go */
async function pollsUnderWay(): Promise<{ waiting: RecordedRequest[]; letGo: () => void }> {
	const before = pollers.map((poller) => requestsOf(sandbox, poller).length);
	const letGo = holdRequests(sandbox);
	const waiting = await Promise.all(
		pollers.map(
			async (poller, index) =>
				await waitFor(
					`${poller.polling}: a poll`,
					() => requestsOf(sandbox, poller)[before[index]],
				),
		),
	);
	sandbox.faults.clear(); // for the requests to come
	return { waiting, letGo };
}

/** Waits until every n8n has polled once more. */
async function nextPolls(): Promise<void> {
	const polls = (poller: Poller) => requestsOf(sandbox, poller).length;
	const before = pollers.map(polls);
	await waitFor('each n8n to poll', () =>
		pollers.every((poller, index) => polls(poller) > before[index]) ? true : undefined,
	);
}

/** Waits until each n8n has reported as much as is expected, then compares. */
async function allReported(): Promise<void> {
	const reported: Partial<Record<Polling, string[]>> = {};
	for (const { polling, n8n, workflow } of pollers) {
		await waitFor(`${polling}: ${expected.length} items`, async () => {
			reported[polling] = await reportedBy(n8n.api, workflow.id);
			return reported[polling].length >= expected.length ? true : undefined;
		}).catch(() => undefined); // the comparison then shows what is missing
		reported[polling]?.sort();
	}
	const all = [...expected].sort();
	expect(reported).toEqual({ 'timers in memory': all, 'durable cursors': all });
}
