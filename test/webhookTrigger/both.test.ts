import type { INodeExecutionData } from 'n8n-workflow';
import { randomOf } from '../../sandbox/random';
import { post, useWebhookTriggers } from './support';

const start = useWebhookTriggers();
const EVENTS = ['caseCreated', 'caseClosed', 'commentAdded', 'activityAdded'];

/** A random history, and what both triggers report of it. */
async function tryHistory(seed: number) {
	const { sandbox, store, published, poller, settled, later } = await start({
		commentsTouchCase: true,
	});
	const { int } = randomOf(seed);
	const draw = (limit: number) => int(0, limit - 1);
	const polling = await poller({ events: EVENTS, filters: { team_id: '1' } });
	await polling.poll();
	const node = await published({ events: EVENTS });
	const webhooks = [...store.webhooks];
	const polled: INodeExecutionData[] = [];
	const poll = async () => void polled.push(...((await polling.poll()) ?? []));
	const expected: string[] = [];
	const log = (caseId: number) => {
		const { id } = store.getCase(caseId).activities().at(-1)!;
		expected.push(`activityAdded-${caseId}-${id}`);
	};
	const open: number[] = [];
	for (let step = 0; step < 60; step++) {
		// The service posts only part of what happens.
		store.webhooks.splice(0, Infinity, ...(draw(3) > 0 ? webhooks : []));
		const caseId = open[draw(open.length)];
		const what = caseId === undefined ? 0 : draw(5);
		if (what === 0) {
			const { case_id } = store.createCase();
			open.push(case_id);
			expected.push(`caseCreated-${case_id}`);
			log(case_id);
		} else if (what === 1) {
			const { resolved_at } = store.closeCase(caseId);
			open.splice(open.indexOf(caseId), 1);
			expected.push(`caseClosed-${caseId}-${resolved_at}`);
			log(caseId);
		} else if (what === 2) {
			store.updateCase(caseId, { tags: [`tag ${step}`] });
			for (const { id, created_at } of store.getCase(caseId).activities().slice(-2)) {
				const entry = `activityAdded-${caseId}-${id}`;
				if (!expected.includes(entry) && created_at) expected.push(entry);
			}
		} else {
			const { id } = store.addComment(caseId, `Comment ${step}`);
			expected.push(`commentAdded-${caseId}-${id}`);
			log(caseId);
		}
		if (draw(8) === 0) {
			// Polls are a minute apart; what happens within the last two seconds waits for the next one.
			await later(2100);
			await poll();
		}
		const again = sandbox.deliveries[draw(sandbox.deliveries.length)];
		if (draw(6) === 0 && again !== undefined) await post(node, again.body);
		if (draw(4) === 0) await later(draw(200));
	}
	await settled();
	for (let last = 0; last < 3; last++) {
		await later(2100);
		await poll();
	}
	const instant = node.executions.flat();
	const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => String(json.event_id));
	// In one process none comes twice by either, and Remove Duplicates joins them.
	expect(new Set(idsOf(instant)).size).toBe(instant.length);
	expect(instant.length).toBeGreaterThan(0);
	expect(instant.length).toBeLessThan(expected.length);
	const once = [...new Set([...idsOf(instant), ...idsOf(polled)])];
	expect(once.sort()).toEqual([...new Set(expected)].sort());
}

it('Both triggers with Remove Duplicates by event_id give each event once, where posts are lost and come again', async () => {
	for (const seed of [1, 2, 3, 4]) await tryHistory(seed);
});
