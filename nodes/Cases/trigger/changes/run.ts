import { openMemory, type Memory } from './memory';
import type { Seconds, TriggerState } from './state';
import type { TriggerEvent, Watch } from './watch';

/** What one poll has come to so far. */
export interface Run {
	watch: Watch;
	/** The state that the last poll stored. */
	before: TriggerState;
	/** Its own copy, of which the start may move back. */
	state: TriggerState;
	memory: Memory;
	events: TriggerEvent[];
	/** New versions of cases. */
	taken: number;
	/** Pages of the list of edits. */
	pages: number;
	/** When reading began, by the service's clock. */
	now?: Seconds;
	/** When cases were edited that were read, each second once. */
	times: Set<Seconds>;
	/** How many cases contradict a filter, by its name. */
	contradicting: Map<string, number>;
}

export function openRun(watch: Watch, before: TriggerState): Run {
	return {
		watch,
		before,
		state: { ...before },
		memory: openMemory(before),
		events: [],
		taken: 0,
		pages: 0,
		times: new Set(),
		contradicting: new Map(),
	};
}
