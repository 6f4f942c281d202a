import { hasOneOf } from '../../api/contradictions';
import { caseIdentity } from '../../api/identity';
import type { Case } from '../../api/types';
import type { Memory, Version } from './memory';
import { secondOf, type Seconds, type TriggerState } from './state';

export type CaseEvent = 'caseCreated' | 'caseUpdated' | 'caseClosed';

/** The mark of a closing. */
const closingOf = (row: Case, resolved: Seconds) => `closed ${caseIdentity(row)} ${resolved}`;

const isClosed = hasOneOf('status', 'CLOSED');

/** When a case was closed, if it is closed; undefined also where the time is missing. */
export function closedAt(row: Case): Seconds | undefined {
	return isClosed(row) ? secondOf(row.resolved_at) : undefined;
}

/**
 * The time since which something counts as new: for a case that wasn't seen yet, as far as the trigger remembers; for
 * others, as far as it remembers in detail.
 */
export function newFrom(state: TriggerState, isKnown: boolean): Seconds {
	return isKnown ? state.floor : state.since;
}

/**
 * What a version that wasn't seen yet means: created (no version of the case was seen, and it is new), closed (its
 * `resolved_at` is new), both in this order, otherwise updated. A creation and a closing count once: they are marked.
 * Where neither is an event that was chosen, but an edit came after them, that edit counts.
 */
export function eventsOf(
	row: Case,
	{ id, edited }: Version,
	state: TriggerState,
	memory: Memory,
	chosen: readonly string[],
): CaseEvent[] {
	const isKnown = memory.knows(id);
	const created = secondOf(row.created_at);
	const resolved = closedAt(row);
	const events: CaseEvent[] = [];
	const isCreated =
		created !== undefined &&
		!isKnown &&
		created >= state.since &&
		created >= state.start &&
		!memory.isAhead(id);
	if (isCreated) events.push('caseCreated');
	// A creation dated ahead of its edit would look new again with the next one.
	if (created !== undefined && created > edited) memory.addAhead(id);
	if (resolved !== undefined && resolved >= newFrom(state, isKnown)) {
		const isNew = !memory.marks.has(resolved, closingOf(row, resolved));
		if (isNew && resolved >= state.start) events.push('caseClosed');
		memory.marks.add(resolved, closingOf(row, resolved));
	}
	if (events.length === 0) return ['caseUpdated'];
	const explained = Math.max(
		isCreated ? created : 0,
		events.includes('caseClosed') ? resolved! : 0,
	);
	const isNoneChosen = !events.some((event) => chosen.includes(event));
	return isNoneChosen && edited > explained ? [...events, 'caseUpdated'] : events;
}
