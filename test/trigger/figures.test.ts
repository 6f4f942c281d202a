import { findEvents } from '../../nodes/Cases/trigger/changes/poll';
import type { TriggerState } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { CaseStore } from '../../sandbox';
import { simulate, type Step } from '../api/simulation';
import { START } from './world';

/**
 * What polls cost. BULK_CASES sets the size of the edit of many cases, for example `BULK_CASES=50000 npx jest
 * test/trigger/figures`.
 */
const BULK = Number(process.env.BULK_CASES ?? 5000);

/** What the service takes for a request, in ms. */
const REQUEST_MS = 250;

const silent = { debug: () => {}, info: () => {}, warn: () => {} };

async function setUp(...chosen: string[]) {
	const clock = { now: START };
	const store = new CaseStore({ now: () => new Date(clock.now), commentsTouchCase: true });
	const step: Step<never> = { advanceMs: 0, changes: [], pick: 0, answerMs: REQUEST_MS };
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: 8,
		steps: Array<Step<never>>(100_000).fill(step),
		apply: () => {},
	});
	for (let case_id = 1; case_id <= BULK; case_id++) {
		const at = START - 3_600_000 - case_id * 1000;
		store.createCase({ case_id, created_at: at, updated_at: at });
	}
	const watch = (isTimeUp: () => boolean): Watch => ({
		cases: watchCases(client, { filters: {} }, 50, false),
		what: '',
		chosen,
		activityTypes: [],
		isIgnored: () => false,
		maxCases: Infinity,
		isTimeUp,
		now: () => Math.floor(clock.now / 1000),
		log: silent,
	});
	let { state } = await findEvents(watch(() => false));
	const poll = async (budgetMs = Infinity) => {
		const began = clock.now;
		const before = answered.length;
		const found = await findEvents(
			watch(() => clock.now - began > budgetMs),
			state,
		);
		state = JSON.parse(JSON.stringify(found.state)) as TriggerState;
		const requests = answered.length - before;
		return { requests, ms: clock.now - began, events: found.events };
	};
	const later = (seconds: number) => {
		clock.now += seconds * 1000;
	};
	return { store, poll, later };
}

describe('a poll costs', () => {
	it('at most 45 requests with twenty changes a minute and their comments', async () => {
		const { store, poll, later } = await setUp('caseUpdated', 'commentAdded');
		const requests: number[] = [];
		for (let minute = 0; minute < 30; minute++) {
			for (let change = 1; change <= 20; change++) {
				later(2);
				store.updateCase(((minute * 20 + change) % BULK) + 1, { name: `${minute} ${change}` });
			}
			later(10);
			requests.push((await poll()).requests);
		}
		const mean = requests.slice(10).reduce((sum, count) => sum + count) / 20;
		process.stdout.write(`requests a minute: ${mean}\n`);
		expect(mean).toBeLessThanOrEqual(45);
	}, 120_000);

	it('none for activities that the cases carry', async () => {
		const { store, poll, later } = await setUp('activityAdded');
		for (let minute = 0; minute < 4; minute++) {
			later(60);
			await poll();
		}
		store.addComment(1, 'Seen');
		later(30);
		const { requests, events } = await poll();
		expect(events.map(({ event }) => event)).toEqual(['activityAdded']);
		expect(requests).toBe(1);
	});
});

it('works off an edit of many cases in little more than its requests take', async () => {
	const { store, poll, later } = await setUp('caseUpdated');
	later(60);
	for (let id = 1; id <= BULK; id++) store.updateCase(id, { name: 'Edited' });
	later(10);
	let found = 0;
	let ms = 0;
	let polls = 0;
	while (found < BULK) {
		const result = await poll(150_000);
		found += result.events.length;
		ms += result.ms;
		polls++;
		expect(polls).toBeLessThan(100);
	}
	const least = (BULK / 50) * REQUEST_MS;
	process.stdout.write(`${BULK} cases: ${polls} polls, ${Math.round((100 * least) / ms)} %\n`);
	expect(least / ms).toBeGreaterThan(0.9);
}, 600_000);
