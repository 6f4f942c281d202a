import type { Matches } from './matches';
import { openMemory, type Memory, type Version } from './memory';
import type { Seconds, ServiceClock, TriggerState } from './state';
import type { OfCase, TriggerEvent, Watch } from './watch';

/** If the Date of a service stands still for this many polls, it is not a clock. */
const POLLS_STANDING_STILL = 5;

/** What one poll has come to so far. */
export interface Run {
	watch: Watch;
	/** The state that the last poll stored. */
	before: TriggerState;
	/** Its own copy, of which the start may move back. */
	state: TriggerState;
	memory: Memory;
	/** The cases that match the filters, where that is watched. */
	matches?: Matches;
	/** Cases that start to match, or no longer match, by ID: at most one event for each case and poll. */
	matchEvents: Map<number, OfCase>;
	events: TriggerEvent[];
	/** New versions of cases. */
	taken: number;
	/** Pages of the list of edits. */
	pages: number;
	/** When reading began, by the service's clock; undefined where it sends none that moves on. */
	now?: Seconds;
	/** When the last page of edits was read, by the same clock; undefined where that answer doesn't say it. */
	readAt?: Seconds;
	/** What its first answer with a Date header said. */
	clock?: ServiceClock;
	/** When cases were edited that were read, and which, by second. */
	times: Map<Seconds, Set<number>>;
	/** How many cases contradict a filter, by what messages call it. */
	contradicting: Map<string, number>;
}

export function openRun(watch: Watch, before: TriggerState): Run {
	return {
		watch,
		before,
		state: { ...before },
		memory: openMemory(before),
		matchEvents: new Map(),
		events: [],
		taken: 0,
		pages: 0,
		times: new Map(),
		contradicting: new Map(),
	};
}

/** Notes when a case was edited. */
export function noteTime({ times }: Run, { id, edited }: Version): void {
	times.set(edited, (times.get(edited) ?? new Set()).add(id));
}

/** Takes the time of the service from the answer with a page of edits; `now` from the first one that has it. */
export function setClock(run: Run, servedAt: Seconds | undefined): void {
	if (run.clock === undefined && servedAt !== undefined) {
		const { at, still } = run.before.clock ?? { at: -Infinity, still: 0 };
		run.clock = { at: servedAt, still: servedAt > at ? 0 : still + 1 };
		if (run.clock.still < POLLS_STANDING_STILL) run.now = servedAt;
	}
	run.readAt = run.now === undefined ? undefined : servedAt;
}
