import { closedAt, doerOf } from './eventId';
import { secondOf } from './state';
import { sinceOf, type Poll, type TriggerEvent } from './watch';
import type { Edit } from './watchedCases';
import type { Seconds } from './window';

/** The key of an edit. The case as that edit left it is called a version. */
export const versionKey = ({ id, edited }: Edit): string => `${id} ${edited}`;

/**
 * The events that a version of a case stands for. A creation and a closing are each reported once, if their dates aren't
 * before `since`. Any other version is an update, unless its edit was the creation or the closing itself.
 * @param isKnown whether the version was seen before. Then only a closing can be new, in the same second as the edit.
 */
export function eventsOf(poll: Poll, { row, id, edited }: Edit, isKnown: boolean): TriggerEvent[] {
	const { before, seen, watch } = poll;
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
	const watched = found.filter(
		({ event, at }) => at >= sinceOf(poll, event) && !watch.isIgnored(doerOf({ event, row })),
	);
	const isExplained = watched.length > 0 || found.some(({ at }) => at >= edited);
	const isUpdate = !isKnown && !isExplained && edited >= sinceOf(poll, 'caseUpdated');
	const events = [...watched.map(({ event }) => event), ...(isUpdate ? ['caseUpdated'] : [])];
	return events.map((event) => ({ at: edited, event, row }));
}
