import { readActivitiesOf, readCommentsOf, type CaseToRead } from './comments';
import { keepMatching } from './followMatches';
import { noteTime, type Run } from './run';
import type { Edit } from './scan';
import { isLookDue } from './secondLook';
import type { Seconds } from './state';
import { eventsOf, newFrom } from './versions';

/**
 * Handles the edits of a page: the events of those that are new and, where comments are watched, the new comments on
 * these cases and on those that are due for a second look.
 * @returns false where Max Cases left some of them
 */
export async function handlePage(run: Run, page: Edit[], lookTo?: Seconds): Promise<boolean> {
	const { watch, state, memory, matchEvents } = run;
	const { cases, withComments, maxCases, chosen } = watch;
	const toRead: CaseToRead[] = [];
	const known: CaseToRead[] = [];
	const kept = await keepMatching(run, page, lookTo);
	let { isComplete } = kept;
	for (const { row, version } of kept.edits) {
		const { id, edited } = version;
		noteTime(run, version);
		if (edited < state.since || !cases.includes(row)) continue;
		const contradicted = cases.contradicted(row);
		if (contradicted !== undefined) {
			run.contradicting.set(contradicted, (run.contradicting.get(contradicted) ?? 0) + 1);
			continue;
		}
		const from = newFrom(state, memory.knows(id));
		const isNew = (at: Seconds) => at >= Math.max(from, state.start);
		// It was passed before, and starts to match at its second look: the filters saw it late.
		const isLate = matchEvents.get(id)?.event === 'caseMatched' && !memory.knows(id);
		if (memory.hasVersion(version) && !isLate) {
			// It was passed before the filters changed: it matches now, but is not new.
			if (!memory.knows(id)) memory.addVersion(version);
			if (isLookDue(run, edited, lookTo)) toRead.push({ row, isNew });
			else known.push({ row, isNew });
			continue;
		}
		if (run.taken >= maxCases) {
			isComplete = false;
			break;
		}
		run.taken++;
		// A new edit is never dated before the start, unless the Date header was ahead of the data then.
		if (edited < state.start) state.start = state.since;
		for (const event of eventsOf(row, version, state, memory, chosen)) {
			run.events.push({ at: edited, event, row });
		}
		memory.addVersion(version);
		toRead.push({ row, isNew });
	}
	if (withComments && cases.ids === undefined && toRead.length > 0) {
		const found = await readCommentsOf(cases, toRead, memory.marks, watch.log.info);
		for (const event of found) run.events.push(event);
	}
	const { isActivityWanted } = watch;
	if (isActivityWanted !== undefined) {
		const all = [
			...toRead.map((one) => ({ ...one, isClose: true })),
			...known.map((one) => ({ ...one, isClose: false })),
		];
		const found = await readActivitiesOf(
			cases,
			all,
			isActivityWanted,
			memory.marks,
			watch.log.info,
		);
		for (const event of found) run.events.push(event);
	}
	return isComplete;
}
