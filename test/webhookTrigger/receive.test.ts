import { SERVICE_USER_ID } from '../../sandbox/directory';
import type { WebhookNode } from '../../tools/engine/webhookNode';
import { useLog } from '../support/log';
import { range } from '../support/runs';
import { expectNoKey } from '../support/service';
import { ALL_EVENTS, post, reported, useWebhookTriggers } from './support';

const start = useWebhookTriggers();
const log = useLog();
const OLD = '2026-01-01T00:00:00Z';
const jsonOf = ({ executions }: WebhookNode) => executions.flat().map(({ json }) => json);
const notices = () => log.filter(({ level }) => level === 'info').map(({ message }) => message);

describe('A change of a case', () => {
	it('starts one execution with each of its events, with the items that the Cases Trigger finds', async () => {
		const { store, published, settled, poller, later } = await start({ commentsTouchCase: true });
		const parameters = { events: ALL_EVENTS, output: 'raw' };
		const polling = await poller({ ...parameters, filters: { team_id: '1' } });
		await polling.poll();
		const node = await published(parameters);
		const changes: Array<[string, () => unknown]> = [
			['caseCreated', () => store.createCase({ case_id: 1, assignees: [1], tags: ['vip'] })],
			['caseUpdated', () => store.updateCase(1, { priority: 'HIGH' })],
			['commentAdded', () => store.addComment(1, 'Hello')],
			['caseClosed', () => store.closeCase(1)],
		];
		for (const [event, change] of changes) {
			change();
			await settled();
			// The newest seconds may wait for the next poll.
			await later(3000);
			const polled = ((await polling.poll()) ?? []).map(({ json }) => json);
			const [items, ...others] = node.executions.splice(0);
			expect(others).toEqual([]);
			expect(items.map(({ json }) => json.event)).toEqual([event, 'activityAdded']);
			for (const { json } of items) expect(polled).toContainEqual(json);
		}
	});

	it('of another team, or that does not match the filters, starts nothing', async () => {
		const { store, published, settled } = await start();
		const filters = { priority: ['HIGH'], case_ids: '1, 2, 3' };
		const node = await published({ events: ['caseCreated'], filters });
		store.createCase({ case_id: 1, priority: 'HIGH' });
		store.createCase({ case_id: 2, priority: 'LOW' });
		store.createCase({ case_id: 3, priority: 'HIGH', team_id: 2 });
		store.createCase({ case_id: 4, priority: 'HIGH' });
		await settled();
		expect(reported(node)).toEqual(['caseCreated 1']);
	});

	it('is read with its comments and activities from the lists of the service', async () => {
		const { store, published, settled } = await start();
		store.createCase({ case_id: 1 });
		const events = ['commentAdded', 'activityAdded'];
		const node = await published({ events, activityTypes: ['TAGS_ADDED'] });
		for (let count = 0; count < 60; count++) store.addActivity(1, 'SLA_WARNING');
		for (let count = 0; count < 60; count++) store.addComment(1, `Comment ${count}`);
		store.updateCase(1, { tags: ['vip'] });
		await settled();
		const texts = jsonOf(node).map(
			({ comment, activity }) => comment?.['text' as never] ?? activity?.['value' as never],
		);
		expect(texts.sort()).toEqual([...range(0, 59).map((at) => `Comment ${at}`), 'vip'].sort());
	});

	it('that is reported as updated has all edits of its second', async () => {
		const { store, published, settled, now } = await start();
		store.createCase({ case_id: 1, created_at: OLD });
		const node = await published({ events: ['caseUpdated'] });
		const at = now();
		store.updateCase(1, { priority: 'HIGH', updated_at: at });
		store.updateCase(1, { name: 'Renamed', tags: ['vip'], updated_at: at });
		await settled();
		expect(jsonOf(node)).toMatchObject([
			{ event: 'caseUpdated', priority: 'HIGH', name: 'Renamed', tags: ['vip'] },
		]);
	});

	it('within the second that the read of another one shows is not lost', async () => {
		const { store, published, settled, later } = await start();
		store.createCase({ case_id: 1, created_at: OLD });
		const node = await published({ events: ['caseUpdated'] });
		await later(100);
		store.updateCase(1, { priority: 'LOW' });
		await later(1920);
		store.updateCase(1, { tags: ['first'] });
		await later(580);
		store.updateCase(1, { priority: 'CRITICAL' });
		await settled();
		expect(jsonOf(node)).toMatchObject([
			{ event: 'caseUpdated', priority: 'CRITICAL', tags: ['first'] },
		]);
	});

	it('in the same edit as a creation or a closing is not also an update, as when polled', async () => {
		const { store, published, settled, poller, now, later, notification } = await start();
		const events = ['caseCreated', 'caseUpdated', 'caseClosed'];
		const polling = await poller({ events, filters: { team_id: '1' } });
		await polling.poll();
		const node = await published({ events });
		store.createCase({ case_id: 1 });
		const assigned = { activity_type: 'assigned', value: '1' };
		await post(node, notification(1, assigned));
		await settled();
		await later(1100);
		const at = now();
		store.updateCase(1, { status: 'CLOSED', resolved_at: at, updated_at: at, tags: ['done'] });
		await settled();
		expect(reported(node)).toEqual(['caseCreated 1', 'caseClosed 1']);
		await later(2100);
		const polled = (await polling.poll()) ?? [];
		expect(polled.map(({ json }) => json.event)).toEqual(['caseCreated', 'caseClosed']);
	});

	it('that is a closing with resolved_at set back is a closing', async () => {
		const { store, published, settled, now } = await start();
		store.createCase({ case_id: 1, created_at: OLD });
		const node = await published({ events: ['caseUpdated', 'caseClosed'] });
		const { resolved_at } = store.closeCase(1, { resolved_at: now() - 3_600_000 });
		await settled();
		expect(jsonOf(node)).toMatchObject([
			{ event: 'caseClosed', event_id: `caseClosed-1-${resolved_at}`, event_time: resolved_at },
		]);
	});

	it('that creates a closed case is also a closing', async () => {
		const { store, published, settled, paths } = await start();
		const node = await published({ events: ['caseCreated', 'caseClosed'] });
		store.createCase({ case_id: 1, status: 'CLOSED' });
		await settled();
		expect(reported(node)).toEqual(['caseCreated 1', 'caseClosed 1']);
		const other = await published({ events: ['caseClosed'] }, { webhookId: 'other' });
		store.createCase({ case_id: 2 });
		await settled();
		expect(reported(other)).toEqual([]);
		// The post says that the case is open. Only the other node reads it.
		expect(paths()).toHaveLength(1);
	});

	it.each([
		[{ ignoreServiceAccounts: true }, { user_id: SERVICE_USER_ID }],
		[{ ignoredUsers: 'Bruno.Okafor@example.com, x@example.com' }, { user_id: 2 }],
	])('with %j starts nothing by them', async (options, { user_id }) => {
		const { store, published, settled } = await start();
		const events = ['caseCreated', 'commentAdded', 'activityAdded'];
		const node = await published({ events, options });
		for (const [id, user] of [undefined, user_id].entries()) {
			store.createCase({ case_id: 10 + id, author: user });
			store.addComment(10, 'Hello', { user_id: user });
		}
		await settled();
		const created = ['caseCreated 10', 'activityAdded 10'];
		expect(reported(node)).toEqual([...created, 'commentAdded 10', 'activityAdded 10']);
	});

	it.each([
		['comment', 'commentAdded', { lateComments: { seconds: 5 } }],
		['activity', 'activityAdded', { lateComments: { seconds: 5 } }],
		['edit', 'caseUpdated', { lateEdits: { seconds: 5 } }],
		['closing', 'caseClosed', { lateEdits: { seconds: 5 } }],
	])('whose %s shows five seconds later is read again', async (what, event, rows) => {
		const { store, published, settled, later } = await start({ deviations: { rows } });
		store.createCase({ case_id: 1, created_at: OLD });
		const node = await published({ events: [event] });
		await later(10_000);
		if (what === 'closing') store.closeCase(1);
		else if (what === 'edit') store.updateCase(1, { priority: 'HIGH' });
		else store.addComment(1, 'Late');
		await settled();
		expect(reported(node)).toEqual([`${event} 1`]);
	});

	it('that never shows is read three times, and is a line in the log', async () => {
		const rows = { lateComments: { seconds: 9 } };
		const { store, published, settled, paths } = await start({ deviations: { rows } });
		store.createCase({ case_id: 1, created_at: OLD });
		const node = await published({ events: ['commentAdded'] });
		store.addComment(1, 'Late');
		await settled();
		expect(node.executions).toEqual([]);
		expect(paths().filter((path) => path.endsWith('/cases'))).toHaveLength(3);
		expect(notices().at(-1)).toContain('Case 1 does not show what the service has posted of it');
	});

	it('of a case that does not come is read twice', async () => {
		const { store, published, settled, paths } = await start();
		const node = await published({ events: ['caseCreated'], filters: { priority: ['HIGH'] } });
		store.createCase({ case_id: 1, priority: 'LOW' });
		await settled();
		expect(node.executions).toEqual([]);
		expect(paths()).toHaveLength(2);
	});

	it('that leaves the case as it was is not an update', async () => {
		const { store, published, settled, now, notification } = await start();
		const hoursAgo = now() - 2 * 3_600_000;
		store.createCase({ case_id: 1, created_at: OLD });
		store.updateCase(1, { priority: 'HIGH', updated_at: hoursAgo });
		const node = await published({ events: ['caseUpdated'] });
		await post(node, notification(1, { activity_type: 'sla_warning' }));
		await settled();
		expect(node.executions).toEqual([]);
	});

	it('that matches the filters a moment later is read again', async () => {
		const { store, published, settled, later } = await start();
		const node = await published({ events: ['caseCreated'], filters: { priority: ['CRITICAL'] } });
		store.createCase({ case_id: 1, priority: 'LOW' });
		await later(300);
		store.updateCase(1, { priority: 'CRITICAL' });
		await settled();
		expect(reported(node)).toEqual(['caseCreated 1']);
	});

	it('is not a closing where the case is reopened before it is read', async () => {
		const { store, published, settled } = await start();
		store.createCase({ case_id: 1 });
		const node = await published({ events: ['caseClosed'] });
		store.closeCase(1);
		store.reopenCase(1);
		await settled();
		expect(node.executions).toEqual([]);
		expect(notices()).toContainEqual(expect.stringContaining('nothing new of case 1'));
	});
});

describe('A post', () => {
	it('is answered before anything is read', async () => {
		const { sandbox, store, published, settled, notification } = await start();
		const node = await published({ events: ['caseCreated'] });
		store.webhooks.length = 0;
		store.createCase({ case_id: 1 });
		const answer = post(node, notification(1, { activity_type: 'created' }));
		// The read waits for the answer: if the answer waited for the read, neither would come.
		sandbox.faults.add({ fault: { kind: 'change', run: async () => void (await answer) } });
		expect(await answer).toBe(200);
		await settled();
		expect(reported(node)).toEqual(['caseCreated 1']);
	});

	it('that is forged brings about reads at most, and nothing of it is output', async () => {
		const { store, published, paths, settled, notification } = await start();
		const old = { created_at: OLD, updated_at: OLD };
		store.createCase({ case_id: 1, ...old });
		store.createCase({ case_id: 2, ...old, status: 'CLOSED', resolved_at: old.updated_at });
		store.createCase({ case_id: 3, ...old, team_id: 2 });
		store.addComment(1, 'Old', { created_at: '2026-01-02T00:00:00Z' });
		const node = await published();
		store.webhooks.length = 0;
		const types = ['created', 'commented', 'tags_added', 'status_updated'];
		const posts = [1, 2, 3, 999].flatMap((caseId) =>
			types.map((activity_type) => notification(caseId, { activity_type, value: 'closed' })),
		);
		const answers = await Promise.all(posts.map(async (body) => await post(node, body)));
		await settled();
		expect(new Set(answers)).toEqual(new Set([200]));
		expect(node.executions).toEqual([]);
		expect(node.failures).toEqual([]);
		expect(paths().filter((path) => !path.startsWith('GET '))).toEqual([]);
	});

	it.each([
		['of another version', { version: 3 }],
		['without a case', { case: undefined }],
		['with a path for an ID', { case: { id: '1/../2' } }],
		['with a list for an activity', { activity: [] }],
	])('%s is answered with 200 and a line in the log', async (_what, more) => {
		const { published, paths, settled, notification } = await start();
		const node = await published();
		const body = notification(1, { activity_type: 'created' }, more as never);
		expect(await post(node, body)).toBe(200);
		expect(await post(node, 'text')).toBe(200);
		await settled();
		expect(notices()).toHaveLength(2);
		expect(notices()[0]).toContain('not a notification of version 2.0');
		expect(paths()).toEqual([]);
		expect(node.failures).toEqual([]);
	});

	it('that comes again within ten minutes starts nothing more', async () => {
		const { sandbox, store, published, settled } = await start();
		const node = await published({ events: ['caseCreated', 'commentAdded'] });
		store.createCase({ case_id: 1 });
		store.addComment(1, 'Hello');
		await settled();
		const before = reported(node);
		for (const { body } of sandbox.deliveries) await post(node, body);
		await settled();
		expect(before).toHaveLength(2);
		expect(reported(node)).toEqual(before);
	});

	it('that is forged ahead does not keep the real event from being reported', async () => {
		const { store, published, settled, notification } = await start();
		const node = await published({ events: ['caseCreated'] });
		await post(node, notification(1, { activity_type: 'created' }));
		await settled();
		expect(reported(node)).toEqual([]);
		store.createCase({ case_id: 1 });
		await settled();
		expect(reported(node)).toEqual(['caseCreated 1']);
	});

	it('whose activity has another ID than the entry stands for all entries of its second', async () => {
		const { store, published, settled, now, notification } = await start();
		store.createCase({ case_id: 1, created_at: OLD });
		const node = await published({ events: ['commentAdded'] });
		store.webhooks.length = 0;
		const created_at = now();
		const ids = ['One', 'Two'].map((text) => store.addComment(1, text, { created_at }).id);
		await post(node, notification(1, { id: 'x-1', activity_type: 'commented' }));
		await settled();
		expect(jsonOf(node)).toMatchObject(
			ids.map((id) => ({ event: 'commentAdded', comment: { comment_id: id } })),
		);
	});

	it('of a case that cannot be read makes a failed execution, without the key', async () => {
		const { sandbox, store, published, settled } = await start();
		const node = await published({ events: ['caseCreated'] });
		const body = { error: `No right for ${sandbox.keys.tenantOwner}` };
		sandbox.faults.add({ fault: { kind: 'status', status: 403, body } });
		store.createCase({ case_id: 1 });
		await settled();
		expect(node.executions).toEqual([]);
		expect(node.failures).toMatchObject([{ httpCode: '403' }]);
		expectNoKey([node.failures, log], [sandbox.keys.tenantOwner]);
	});

	it('is read again where the service fails five times', async () => {
		const { sandbox, store, published, settled } = await start();
		const node = await published({ events: ['caseCreated'] });
		sandbox.faults.add({ times: 5, fault: { kind: 'status', status: 503 } });
		store.createCase({ case_id: 1 });
		await settled();
		expect(reported(node)).toEqual(['caseCreated 1']);
	});

	it('of a bulk edit is read with at most eight others at the same time', async () => {
		const { sandbox, store, published, settled } = await start();
		const node = await published({ events: ['caseCreated'] });
		sandbox.faults.add({ fault: { kind: 'latency', ms: 20 } });
		for (let count = 0; count < 60; count++) store.createCase();
		await settled();
		expect(reported(node)).toHaveLength(60);
		expect(sandbox.stats.maxInFlight).toBeLessThanOrEqual(8);
	});

	it('of one tenant does not wait for those of another', async () => {
		const one = await start();
		const other = await start({}, one.clock);
		const [slow, quick] = [
			await one.published({ events: ['caseCreated'] }),
			await other.published({ events: ['caseCreated'] }),
		];
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		const run = async () => await held;
		one.sandbox.faults.add({ times: 99, fault: { kind: 'change', run } });
		for (let count = 0; count < 9; count++) one.store.createCase();
		while (one.sandbox.requests.length < 8) await new Promise((resolve) => setTimeout(resolve, 1));
		other.store.createCase({ case_id: 1 });
		while (quick.executions.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
		expect(reported(quick)).toEqual(['caseCreated 1']);
		expect(one.sandbox.requests).toHaveLength(8);
		expect(reported(slow)).toEqual([]);
		release();
		await one.settled();
		expect(reported(slow)).toHaveLength(9);
	});
});
