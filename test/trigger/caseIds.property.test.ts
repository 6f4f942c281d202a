import fc from 'fast-check';
import { findEvents } from '../../nodes/Cases/trigger/changes/findEvents';
import { startNow } from '../../nodes/Cases/trigger/changes/startNow';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';
import { OVERLAP, type TriggerState } from '../../nodes/Cases/trigger/changes/state';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';
import { CaseStore } from '../../sandbox';
import { simulate, type Clock, type Step } from '../api/simulation';
import { START } from './world';

/**
 * A user edits Case IDs between two polls, and the time of polls is up before the comments of all these cases were read.
 * Each comment that was made on a case after it was added to Case IDs is an event, once, if the case stays there.
 *
 * TRIGGER_RUNS sets the number of histories, e.g. `TRIGGER_RUNS=10000 npx jest test/trigger/caseIds`.
 */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 40);
const LIMIT_MS = 20_000 + RUNS * 100;

const CASES = [1, 2, 3, 4, 9, 10];

/** A comment on a case. */
interface CommentMade {
	caseId: number;
	/** How long before it becomes visible it is dated, in ms. */
	lagMs: number;
}

/** One poll and what comes before it. */
interface Tick {
	/** Cases that the user adds to Case IDs or, where they are there, removes; the last one stays. */
	edited: number[];
	comments: CommentMade[];
	advanceMs: number;
	/** How often the poll may ask whether its time is up until it is. */
	looksUntilTimeUp: number;
}

interface History {
	caseIds: number[];
	concurrency: number;
	tellsTime: boolean;
	ticks: Tick[];
	/** What happens before each request, from the first of all polls on. */
	steps: Array<Step<CommentMade>>;
}

const timePasses = fc.oneof(fc.nat(4000), fc.nat(90_000));
const comment: fc.Arbitrary<CommentMade> = fc.record({
	caseId: fc.constantFrom(...CASES),
	lagMs: fc.oneof(fc.constant(0), fc.nat(OVERLAP * 1000)),
});

const histories: fc.Arbitrary<History> = fc.record({
	caseIds: fc.shuffledSubarray(CASES, { minLength: 1 }),
	concurrency: fc.integer({ min: 1, max: 2 }),
	tellsTime: fc.boolean(),
	ticks: fc.array(
		fc.record({
			edited: fc.oneof(fc.constant<number[]>([]), fc.subarray(CASES, { maxLength: 2 })),
			comments: fc.array(comment, { maxLength: 3 }),
			advanceMs: timePasses,
			looksUntilTimeUp: fc.oneof(
				{ weight: 4, arbitrary: fc.nat(3) },
				{ weight: 1, arbitrary: fc.constant(Infinity) },
			),
		}),
		{ minLength: 1, maxLength: 10, size: 'max' },
	),
	steps: fc.array(
		fc.record({
			advanceMs: fc.oneof(fc.constant(0), fc.nat(3000)),
			changes: fc.array(comment, { maxLength: 1 }),
			pick: fc.nat(3),
			answerMs: fc.oneof(fc.constant(0), fc.nat(3000)),
		}),
		{ maxLength: 20, size: 'max' },
	),
});

const QUIET: Tick = { edited: [], comments: [], advanceMs: 10_000, looksUntilTimeUp: Infinity };

/** Case IDs with a case added in front, or without it. */
function edit(caseIds: number[], caseId: number): number[] {
	if (!caseIds.includes(caseId)) return [caseId, ...caseIds];
	return caseIds.length === 1 ? caseIds : caseIds.filter((other) => other !== caseId);
}

/** Runs the trigger through a history; returns what was wrong. */
async function runHistory(history: History): Promise<string[]> {
	const clock: Clock = { now: START };
	const store = new CaseStore({ now: () => new Date(clock.now), commentsTouchCase: false });
	for (const case_id of CASES) store.createCase({ case_id });
	let watched = history.caseIds;
	/** Comments that the trigger must report: those on watched cases, as long as these stay watched. */
	let owed: Array<{ caseId: number; id: number }> = [];
	const add = ({ caseId, lagMs }: CommentMade) => {
		const { id } = store.addComment(caseId, 'Looking into it', { created_at: clock.now - lagMs });
		if (watched.includes(caseId)) owed.push({ caseId, id });
	};
	let isOver = false;
	let hasStarted = false;
	const { client } = simulate<CommentMade>({
		store,
		clock,
		concurrency: history.concurrency,
		tellsTime: history.tellsTime,
		steps: history.steps,
		apply: (made) => {
			if (hasStarted && !isOver) add(made);
		},
	});
	const watch = (isTimeUp: () => boolean): Watch => ({
		cases: watchCases(client, { filters: {}, caseIds: watched.map(String) }, 50, () => {}),
		chosen: ['commentAdded'],
		withComments: true,
		maxCases: Infinity,
		isTimeUp,
		log: { debug: () => {}, info: () => {}, warn: () => {} },
	});

	let state = await startNow(watch(() => false));
	hasStarted = true;
	clock.now += 10_000;
	const reported: number[] = [];
	const runTick = async ({ edited, comments, advanceMs, looksUntilTimeUp }: Tick) => {
		for (const caseId of edited) watched = edit(watched, caseId);
		owed = owed.filter(({ caseId }) => watched.includes(caseId));
		comments.forEach(add);
		clock.now += advanceMs;
		let looks = 0;
		const found = await findEvents(
			watch(() => looks++ >= looksUntilTimeUp),
			state,
		);
		for (const event of found.events) {
			if (event.event === 'commentAdded') reported.push(Number(event.comment.id));
		}
		state = JSON.parse(JSON.stringify(found.state)) as TriggerState;
	};
	for (const tick of history.ticks) await runTick(tick);
	isOver = true;
	await runTick(QUIET);
	await runTick(QUIET);

	const lost = owed.filter(({ id }) => !reported.includes(id));
	const repeated = reported.filter((id, index) => reported.indexOf(id) < index);
	return [
		...lost.map(({ caseId, id }) => `lost: comment ${id} on case ${caseId}`),
		...repeated.map((id) => `repeated: comment ${id}`),
	];
}

describe('a trigger whose Case IDs change between polls', () => {
	it(
		'reports each comment on a watched case once, wherever polls run out of time',
		async () => {
			await fc.assert(
				fc.asyncProperty(histories, async (history) => {
					expect(await runHistory(history)).toEqual([]);
				}),
				// Shrinking a failure ends in time too.
				{ numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true },
			);
		},
		LIMIT_MS + 30_000,
	);
});
