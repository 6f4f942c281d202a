import fc from 'fast-check';
import { runSchedule, tally } from './runSchedule';
import { schedules } from './schedule';

/**
 * "No event is lost, none is repeated", whatever happens between any two requests of the polls, and although the service
 * differs from the document: once all has had time to show,
 * - the last version of each case was an event, each created case was once created, each case that is closed was once
 *   closed for it, each comment was there once (where comments are edits or their case is given by ID),
 * - and no event came twice, as long as n8n keeps the state as it does.
 *
 * TRIGGER_RUNS sets the number of schedules, e.g. `TRIGGER_RUNS=10000 npx jest test/trigger/simulation`.
 */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 25);
const LIMIT_MS = 120_000 + RUNS * 3000;

afterAll(() => {
	const lines = Object.entries(tally).map(([what, times]) => `${what}: ${times}`);
	process.stdout.write(`trigger simulation: ${lines.join(', ')}\n`);
});

describe('a trigger that is polled again and again', () => {
	it(
		'loses no event and repeats none, whatever happens between two requests',
		async () => {
			await fc.assert(
				// Two tenants in one process.
				fc.asyncProperty(schedules, schedules, async (one, other) => {
					expect(await Promise.all([one, other].map(runSchedule))).toEqual([[], []]);
				}),
				// Shrinking takes far longer than it helps.
				{ numRuns: Math.ceil(RUNS / 2), endOnFailure: true },
			);
		},
		LIMIT_MS + 30_000,
	);
});
