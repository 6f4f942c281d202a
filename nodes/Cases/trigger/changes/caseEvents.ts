import { closedAt } from './eventId';
import { secondOf } from './state';
import { sinceOf, type Poll, type TriggerEvent } from './watch';
import type { Edit } from './watchedCases';
import type { Seconds } from './window';

/** The key of a version of a case. */
export const versionKey = ({ id, edited }: Edit): string => `${id} ${edited}`;

/**
 * What a version of a case means: created and closed, each once, where the date isn't older than what the trigger calls
 * new; otherwise updated. Of a version that was seen before only a closing is new: another one within the same second.
 * Where neither a creation nor a closing is watched, an edit after them counts.
 */
export function eventsOf(poll: Poll, { row, id, edited }: Edit, isKnown: boolean): TriggerEvent[] {
	const { before, seen } = poll;
	const note = (event: string, at: Seconds | undefined, key: string) => {
		if (at === undefined || at < before.since || seen.has(at, key)) return [];
		seen.add(at, key);
		return [{ event, at }];
	};
	const closed = closedAt(row);
	const found = [
		...(isKnown ? [] : note('caseCreated', secondOf(row.created_at), `created ${id}`)),
		...note('caseClosed', closed, `closed ${id} ${closed}`),
	];
	const watched = found.filter(({ event, at }) => at >= sinceOf(poll, event));
	const isExplained = watched.length > 0 || found.some(({ at }) => at >= edited);
	const isUpdate = !isKnown && !isExplained && edited >= sinceOf(poll, 'caseUpdated');
	const events = [...watched.map(({ event }) => event), ...(isUpdate ? ['caseUpdated'] : [])];
	return events.map((event) => ({ at: edited, event, row }));
}
