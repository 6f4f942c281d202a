import { caseIdentity, rowIdentity } from '../../api/identity';
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
	/** When the event was noticed, by n8n's clock. Used for the ID if the case has no time of edit. */
	seenAt?: Seconds;
}

/** Who did it. The service says so of comments, activities and creations only. */
export const doerOf = ({ event, row, comment, activity }: Happening): unknown =>
	event === 'caseCreated' ? row.author : (comment ?? activity)?.user;

const timestampOf = (value: unknown): string | null => {
	const second = secondOf(value);
	return second === undefined ? null : formatTimestamp(second * 1000);
};

export const isClosed = ({ status }: Case) => String(status).toUpperCase() === 'CLOSED';

/** When a case was closed, if it is closed; undefined also where the time is missing. */
export const closedAt = (row: Case): Seconds | undefined =>
	isClosed(row) ? secondOf(row.resolved_at) : undefined;

/** Returns a short ID as it is, and a hash of any other text, such as the content of a row without an ID. */
export const shortId = (identity: string) =>
	/^[\w-]{1,40}$/.test(identity) ? identity : hashOf(identity);

/**
 * The ID and the time of an event. The ID is the same if the event is found again, as after a crash. It has the names of
 * event and case. A comment or activity adds its ID, a closing its time, and any other event but a creation the time of the
 * edit.
 */
export function identifyEvent({ event, row, comment, activity, seenAt }: Happening): {
	event_id: string;
	event_time: string | null;
} {
	const id = (...parts: Array<string | null>) =>
		[event, shortId(caseIdentity(row)), ...parts.map((part) => part ?? 'undated')].join('-');
	const entry = comment ?? activity;
	if (entry !== undefined) {
		return {
			event_id: id(shortId(rowIdentity(entry))),
			event_time: timestampOf(entry.created_at),
		};
	}
	if (event === 'caseCreated') return { event_id: id(), event_time: timestampOf(row.created_at) };
	const edited = timestampOf(row.updated_at);
	if (event === 'caseClosed') {
		const closed = closedAt(row) === undefined ? edited : timestampOf(row.resolved_at);
		return { event_id: id(closed), event_time: closed };
	}
	const seen = seenAt === undefined ? null : formatTimestamp(seenAt * 1000);
	return { event_id: id(edited ?? seen), event_time: edited };
}
