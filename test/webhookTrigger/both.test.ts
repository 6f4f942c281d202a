import type { INodeExecutionData } from 'n8n-workflow';
import { SERVICE_USER_ID } from '../../sandbox/directory';
import { randomOf } from '../../sandbox/random';
import { post, useWebhookTriggers } from './support';

const start = useWebhookTriggers();
const EVENTS = ['caseCreated', 'caseClosed', 'commentAdded', 'activityAdded'];
const MINUTE = 60_000;
/** The first case, whose comments can never be read. */
const FAILING = 1;

type Clock = Awaited<ReturnType<typeof start>>['clock'];

/**
 * A random history of one tenant, and what both triggers report of it: part of what happens is posted, some posts come
 * again, rows show up to five seconds late, closings are set back, cases are created closed, and service accounts, which
 * both triggers ignore, write as well.
 */
async function openHistory(seed: number, beside?: Clock) {
	const late = { seconds: seed % 6, share: 0.5 };
	const status = [302, 403, 404, 500, 502, 503, 504][seed % 7];
	const failing = [{ list: 'comments' as const, status, cases: [FAILING] }];
	const deviations = { rows: { lateEdits: late, lateComments: late, failing } };
	const options = { commentsTouchCase: true, deviations };
	const { clock, sandbox, store, published, poller, settled, later, now } = await start(
		options,
		beside,
	);
	const { int } = randomOf(seed);
	const draw = (limit: number) => int(0, limit - 1);
	const parameters = { events: EVENTS, options: { ignoreServiceAccounts: true } };
	const polling = await poller({ ...parameters, filters: { team_id: '1' } });
	await polling.poll();
	const node = await published(parameters);
	const webhooks = [...store.webhooks];
	const polled: INodeExecutionData[] = [];
	const poll = async () => void polled.push(...((await polling.poll()) ?? []));
	const expected: string[] = [];
	const log = (caseId: number) => {
		for (const { id, user, activity_type } of store.getCase(caseId).activities()) {
			if (user.is_service_account) continue;
			expected.push(`activityAdded-${caseId}-${id}`);
			const isComment = activity_type === 'COMMENTED' && caseId !== FAILING;
			if (isComment) expected.push(`commentAdded-${caseId}-${id}`);
		}
	};
	const open: number[] = [];
	const closed = (caseId: number) => {
		expected.push(`caseClosed-${caseId}-${store.getCase(caseId).resolved_at}`);
	};
	const setBack = () => now() - (draw(2) === 0 ? 0 : draw(4 * MINUTE));

	return {
		clock,
		later,
		poll,
		settled,
		step: async (step: number) => {
			// The service posts only part of what happens.
			store.webhooks.splice(0, Infinity, ...(draw(3) > 0 ? webhooks : []));
			const caseId = open[draw(open.length)];
			const what = caseId === undefined ? 0 : draw(6);
			const by = draw(3) === 0 ? SERVICE_USER_ID : undefined;
			if (what === 0) {
				const { case_id } = store.createCase({ author: by });
				open.push(case_id);
				if (by === undefined) expected.push(`caseCreated-${case_id}`);
				log(case_id);
			} else if (what === 1) {
				store.closeCase(caseId, { resolved_at: setBack() });
				open.splice(open.indexOf(caseId), 1);
				closed(caseId);
				log(caseId);
			} else if (what === 2) {
				store.updateCase(caseId, { tags: [`tag ${step}`], by });
				log(caseId);
			} else if (what === 3) {
				const { case_id } = store.createCase({ status: 'CLOSED', resolved_at: setBack() });
				expected.push(`caseCreated-${case_id}`);
				closed(case_id);
				log(case_id);
			} else {
				store.addComment(caseId, `Comment ${step}`, { user_id: by });
				log(caseId);
			}
			const again = sandbox.deliveries[draw(sandbox.deliveries.length)];
			if (draw(6) === 0 && again !== undefined) await post(node, again.body);
			if (draw(4) === 0) await later(draw(200));
			if (draw(8) !== 0) return;
			// Polls are a minute apart; what happens within the last two seconds waits for the next one.
			await later(2100);
			await poll();
		},
		check: () => {
			const instant = node.executions.flat();
			const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => String(json.event_id));
			const wanted = [...new Set(expected)];
			// In one process none comes twice by either, and Remove Duplicates joins them.
			expect(new Set(idsOf(instant)).size).toBe(instant.length);
			expect(new Set(idsOf(polled)).size).toBe(polled.length);
			expect(instant.length).toBeGreaterThan(0);
			expect(instant.length).toBeLessThan(wanted.length);
			const once = [...new Set([...idsOf(instant), ...idsOf(polled)])];
			expect({ seed, once: once.sort() }).toEqual({ seed, once: wanted.sort() });
		},
	};
}

/** Tries histories of two tenants in one process. */
async function tryHistories(seed: number) {
	const one = await openHistory(seed);
	const other = await openHistory(seed + 100, one.clock);
	const both = [one, other];
	// A closing that is set back to before the publishing is not polled.
	await one.later(10 * MINUTE);
	for (const { poll } of both) await poll();
	for (let step = 0; step < 60; step++) for (const history of both) await history.step(step);
	await one.settled();
	for (let last = 0; last < 4; last++) {
		await one.later(5000);
		for (const { poll } of both) await poll();
	}
	for (const { check } of both) check();
}

/** BOTH_RUNS sets the number of histories. */
const RUNS = Number(process.env.BOTH_RUNS ?? 4);

it(
	'Both triggers with Remove Duplicates by event_id give each event once, where posts are lost and come again',
	async () => {
		for (let seed = 1; seed <= RUNS / 2; seed++) await tryHistories(seed);
	},
	60_000 + RUNS * 30_000,
);
