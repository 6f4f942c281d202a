import { isObject } from '../api/http/json';
import { parseTimestamp } from '../api/timestamps';
import type { Activity, Row } from '../api/types';
import type { EventName } from '../trigger/events';
import type { Settings } from '../trigger/settings';

/** What a service posts: which case to read, and which entry of its history may be new. None of it is believed. */
export interface Notification {
	caseId: string;
	activity: Row;
	/** Of the activity, in capitals. */
	type: string;
}

/** Reads what a service posts in version 2.0; undefined for anything else. */
export function parseNotification(body: unknown): Notification | undefined {
	if (!isObject(body) || Number(body.version) !== 2) return undefined;
	const { activity, case: row } = body;
	const caseId = String(isObject(row) ? row.id : '');
	if (!isObject(activity) || !/^[1-9]\d{0,14}$/.test(caseId)) return undefined;
	return { caseId, activity, type: String(activity.activity_type).toUpperCase() };
}

const secondOf = ({ created_at }: Row) => Math.floor(parseTimestamp(created_at) / 1000);

/** The entry of the service that was posted: the one with its ID, otherwise the last one of its second. */
export const postedEntry = <T extends Activity>({ activity }: Notification, entries: T[]) =>
	entries.find(({ id }) => String(id) === String(activity.id)) ??
	entries.filter((entry) => secondOf(entry) === secondOf(activity)).at(-1);

/** The types of notifications that may be an event. */
function typesOf(event: EventName, { activityTypes }: Settings): string[] {
	if (event === 'caseCreated') return ['CREATED'];
	if (event === 'caseClosed') return ['STATUS_UPDATED'];
	if (event === 'commentAdded') return ['COMMENTED', 'FILE_ATTACHED_AND_COMMENTED'];
	return event === 'activityAdded' && activityTypes.length > 0 ? activityTypes : ['ALL'];
}

/** The types of notifications that the chosen events need. */
export function neededTypes(settings: Settings): string[] {
	const types = settings.events.flatMap((event) => typesOf(event, settings));
	return types.includes('ALL') ? ['ALL'] : [...new Set(types)];
}

/** The chosen events that a notification may be. */
export function eventsOf({ type, activity }: Notification, settings: Settings): EventName[] {
	const isClosing = type === 'STATUS_UPDATED' && /^closed$/i.test(String(activity.value));
	return settings.events.filter((event) => {
		if (event === 'caseClosed') return isClosing;
		if (event === 'caseUpdated') return !isClosing && !['CREATED', 'COMMENTED'].includes(type);
		return typesOf(event, settings).some((one) => one === type || one === 'ALL');
	});
}
