import { caseIdentity, commentIdentity } from '../../api/identity';
import { formatTimestamp } from '../../api/timestamps';
import type { Activity, Case, Comment } from '../../api/types';
import { hashOf, secondOf } from './state';
import type { Seconds } from './window';

/** Something that happened: which event, of which case, and the comment or activity that is new. */
export interface Happening {
	event: string;
	row: Case;
	comment?: Comment;
	activity?: Activity;
	/** Where the case has no time of edit: when that was noticed, by n8n's clock. */
	seenAt?: Seconds;
}

const timeOf = (value: unknown): string | null => {
	const second = secondOf(value);
	return second === undefined ? null : formatTimestamp(second * 1000);
};

/** When a case was closed, if it is closed; undefined also where the time is missing. */
export function closedAt(row: Case): Seconds | undefined {
	const isClosed = String(row.status).toUpperCase() === 'CLOSED';
	return isClosed ? secondOf(row.resolved_at) : undefined;
}

/** An ID as it is; what has none gets a hash of its content. */
export const nameOf = (identity: string) =>
	/^[\w-]{1,40}$/.test(identity) ? identity : hashOf(identity);

/**
 * The ID and the time of an event. The ID is the same whenever the same event is found again, also after a crash: a case
 * is created once, and closed once at a time; a comment or an activity is added once; another event of a case is told
 * from others by the time of the edit.
 */
export function identifyEvent({ event, row, comment, activity, seenAt }: Happening): {
	event_id: string;
	event_time: string | null;
} {
	const id = (...parts: Array<string | null>) =>
		[event, nameOf(caseIdentity(row)), ...parts.map((part) => part ?? 'undated')].join('-');
	const entry = comment ?? activity;
	if (entry !== undefined) {
		return { event_id: id(nameOf(commentIdentity(entry))), event_time: timeOf(entry.created_at) };
	}
	if (event === 'caseCreated') return { event_id: id(), event_time: timeOf(row.created_at) };
	const edited = timeOf(row.updated_at);
	if (event === 'caseClosed') {
		const closed = closedAt(row) === undefined ? edited : timeOf(row.resolved_at);
		return { event_id: id(closed), event_time: closed };
	}
	const seen = seenAt === undefined ? null : formatTimestamp(seenAt * 1000);
	return { event_id: id(edited ?? seen), event_time: edited };
}
