import { isObject } from '../api/json';
import type { Activity } from '../api/types';
import { secondOf } from '../trigger/changes/state';
import type { EventName } from '../trigger/events';
import type { Settings } from '../trigger/settings';

const textOf = (value: unknown) => (typeof value === 'object' ? '' : String(value));

/** Reads which case, and which entry of the case, a post of version 2.0 is about; undefined for other posts. */
export function parseNotification(body: unknown) {
	if (!isObject(body) || Number(textOf(body.version)) !== 2) return undefined;
	const { activity, case: row } = body;
	if (!isObject(activity) || !isObject(row)) return undefined;
	const { id, activity_type, created_at } = activity;
	const [caseId, entryId, type, postedAt] = [row.id, id, activity_type, created_at].map(textOf);
	if (!/^[1-9]\d{0,14}$/.test(caseId)) return undefined;
	return { caseId, entryId, type: type.toUpperCase(), postedAt, isOpen: row.status === 'open' };
}

export type Notification = NonNullable<ReturnType<typeof parseNotification>>;

/** Finds the posted entry by its ID. If the last read has no such entry, all that were created in the same second count. */
export function postedEntries(posted: Notification, entries: Activity[], isLast: boolean) {
	const same = entries.filter(({ id }) => String(id) === posted.entryId);
	if (same.length > 0 || !isLast) return same;
	return entries.filter((one) => secondOf(one.created_at) === secondOf(posted.postedAt));
}

/** The types of notifications that the service may post for an event. */
function typesOf(event: EventName, { activityTypes }: Settings): string[] {
	if (event === 'caseCreated') return ['CREATED'];
	// A case may be created closed.
	if (event === 'caseClosed') return ['STATUS_UPDATED', 'CREATED'];
	if (event === 'commentAdded') return ['COMMENTED', 'FILE_ATTACHED_AND_COMMENTED'];
	return event === 'activityAdded' && activityTypes.length > 0 ? activityTypes : ['ALL'];
}

/** The types of notifications that the webhook must have for the chosen events. */
export function neededTypes(settings: Settings): string[] {
	const types = settings.events.flatMap((event) => typesOf(event, settings));
	return types.includes('ALL') ? ['ALL'] : [...new Set(types)];
}

/** The chosen events that a notification may stand for. */
export function eventsOfPost({ type, isOpen }: Notification, settings: Settings): EventName[] {
	return settings.events.filter((event) => {
		const isOther =
			event === 'caseUpdated' ? type === 'COMMENTED' : event === 'caseClosed' && isOpen;
		return !isOther && ['ALL', type].some((one) => typesOf(event, settings).includes(one));
	});
}
