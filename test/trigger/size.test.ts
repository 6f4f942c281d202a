import { useTrigger } from './trigger';

const setUp = useTrigger();

const EVENTS = [
	'caseCreated',
	'caseUpdated',
	'caseClosed',
	'caseMatched',
	'caseUnmatched',
	'commentAdded',
	'activityAdded',
];

/** What all static data of a trigger may take. */
const MAX_BYTES = 64 * 1024;

const MATCHING = 10_000;
const ALL_IDS = 100_000;
const EDITED = 300;

/** Distinct IDs that are scattered over all. */
const scattered = Array.from({ length: MATCHING }, (_, index) => ((index * 48_271) % ALL_IDS) + 1);

describe('all that n8n stores for a trigger with all events and ten thousand matching cases', () => {
	// With timers in memory it is kept once and takes less.
	it('stays below 64 KB with durable cursors, also after an edit of three hundred cases', async () => {
		const { store, trigger, later } = await setUp({
			commentsTouchCase: true,
			grown: ['page-size'],
		});
		const long = '2026-01-01T00:00:00Z';
		for (const case_id of scattered) {
			store.createCase({ case_id, priority: 'CRITICAL', created_at: long, updated_at: long });
		}
		// The newest edit: what is older needs no reading at the start.
		store.createCase({ case_id: ALL_IDS + 1, priority: 'LOW' });
		const options = {
			events: EVENTS,
			filters: { priority: 'CRITICAL' },
			options: { pageSize: 500 },
		};
		let poller = await trigger(options);
		expect(await poller.poll()).toBeNull();
		const sizes: number[] = [];
		const measure = () => {
			const [staticData, workflowStaticData] = [poller.snapshot(), poller.workflowSnapshot()];
			sizes.push(JSON.stringify([staticData, workflowStaticData]).length);
			return { staticData, workflowStaticData };
		};
		for (const edited of [0, EDITED, 0]) {
			const kept = measure();
			later(60);
			for (const id of scattered.slice(0, edited)) {
				store.updateCase(id, { name: 'Edited' });
				store.addComment(id, 'Seen');
			}
			poller = await trigger({ ...options, ...kept, activation: 'update' });
			expect((await poller.poll()) ?? []).toHaveLength(edited * 3);
		}
		measure();
		expect(new Set(scattered).size).toBe(MATCHING);
		expect(Math.max(...sizes)).toBeLessThan(MAX_BYTES);
	}, 120_000);
});
