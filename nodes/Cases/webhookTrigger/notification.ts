import { isObject } from '../api/http/json';
import type { Activity } from '../api/types';
import { secondOf } from '../trigger/changes/state';
import type { EventName } from '../trigger/events';
import type { Settings } from '../trigger/settings';

const textOf = (value: unknown) => (typeof value === 'object' ? '' : String(value));

/** Reads which case, and which entry of the case, a post of version 2.0 is about; undefined for other posts. */
export function parseNotification(body: unknown) {
	if (!isObject(body) || Number(textOf(body.version)) !== 2) return undefined;
	const { activity, case: row } = body;
	const caseId = isObject(row) ? textOf(row.id) : '';
	if (!isObject(activity) || !/^[1-9]\d{0,14}$/.test(caseId)) return undefined;
	const { id, activity_type, created_at } = activity;
	const [entryId, type, postedAt] = [id, activity_type, created_at].map(textOf);
	return { caseId, entryId, type: type.toUpperCase(), postedAt };
}

export type Notification = NonNullable<ReturnType<typeof parseNotification>>;

/** Finds the posted entry by its ID; if no entry has the ID, all entries that were created in the same second. */
export function postedEntries<T extends Activity>(posted: Notification, entries: T[]): T[] {
	const same = entries.filter(({ id }) => String(id) === posted.entryId);
	if (same.length > 0) return same;
	return entries.filter((one) => secondOf(one.created_at) === secondOf(posted.postedAt));
}

/** The types of notifications that the service may post for an event. */
function typesOf(event: EventName, { activityTypes }: Settings): string[] {
	if (event === 'caseCreated') return ['CREATED'];
	if (event === 'caseClosed') return ['STATUS_UPDATED'];
	if (event === 'commentAdded') return ['COMMENTED', 'FILE_ATTACHED_AND_COMMENTED'];
	return event === 'activityAdded' && activityTypes.length > 0 ? activityTypes : ['ALL'];
}

/** The types of notifications that the webhook must have for the chosen events. */
export function neededTypes(settings: Settings): string[] {
	const types = settings.events.flatMap((event) => typesOf(event, settings));
	return types.includes('ALL') ? ['ALL'] : [...new Set(types)];
}

/** The chosen events that a notification may stand for. */
export function eventsOfPost({ type }: Notification, settings: Settings): EventName[] {
	return settings.events.filter((event) => {
		const isComment = event === 'caseUpdated' && type === 'COMMENTED';
		return !isComment && ['ALL', type].some((one) => typesOf(event, settings).includes(one));
	});
}
