import { openRun, setClock } from '../../nodes/Cases/trigger/changes/run';
import { startingState, type ServiceClock } from '../../nodes/Cases/trigger/changes/state';
import type { Watch } from '../../nodes/Cases/trigger/changes/watch';

/** A poll after answers with these Date headers. */
function runAfter(answers: Array<number | undefined>, clock?: ServiceClock) {
	const run = openRun({} as Watch, { ...startingState(0), clock });
	for (const servedAt of answers) setClock(run, servedAt);
	return run;
}

/** What a poll takes for the time of the service. */
function clockAfter(answers: Array<number | undefined>, before?: ServiceClock) {
	const { now, clock } = runAfter(answers, before);
	return { now, clock };
}

describe('the clock of the service', () => {
	it('is the first Date header of a poll', () => {
		expect(clockAfter([undefined, 100, 105])).toEqual({
			now: 100,
			clock: { at: 100, still: 0 },
		});
		expect(clockAfter([undefined])).toEqual({ now: undefined, clock: undefined });
	});

	it.each([
		['moves on', 101, { now: 101, clock: { at: 101, still: 0 } }],
		['stands still', 100, { now: 100, clock: { at: 100, still: 4 } }],
		['steps back', 99, { now: 99, clock: { at: 99, still: 4 } }],
	])('%s', (_what, servedAt, expected) => {
		expect(clockAfter([servedAt], { at: 100, still: 3 })).toEqual(expected);
	});

	it('is none after it stood still for five polls', () => {
		expect(clockAfter([100], { at: 100, still: 4 })).toEqual({
			now: undefined,
			clock: { at: 100, still: 5 },
		});
	});

	it.each([
		['the last answer', [100, 170], 170],
		['none where the last answer has no Date', [100, undefined], undefined],
		['the last answer, also where the first has no Date', [undefined, 170], 170],
	])('says when reading ended: %s', (_what, answers, readAt) => {
		expect(runAfter(answers).readAt).toBe(readAt);
	});

	it('does not say when reading ended where it stands still', () => {
		expect(runAfter([100, 101], { at: 100, still: 4 }).readAt).toBeUndefined();
	});
});
