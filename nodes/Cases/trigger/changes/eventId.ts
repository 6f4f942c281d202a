import { caseIdentity, rowIdentity } from '../../api/identity';
import { formatTimestamp } from '../../api/timestamps';
import type { Activity, Case } from '../../api/types';
import { hashOf, secondOf } from './state';
import type { Seconds } from './window';

/** Something that happened: which event, of which case, and the comment or activity that is new. */
export interface Happening {
	event: string;
	row: Case;
	entry?: Activity;
	/** When the event was noticed, by n8n's clock. Used for the ID if the case has no time of edit. */
	seenAt?: Seconds;
}

/** Who did it. The service says so of comments, activities and creations only. */
export const doerOf = ({ event, row, entry }: Happening): unknown =>
	event === 'caseCreated' ? row.author : entry?.user;

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
export function identifyEvent({ event, row, entry, seenAt }: Happening) {
	const identified = (event_time: string | null, ...parts: string[]) => ({
		event_id: [event, shortId(caseIdentity(row)), ...parts].join('-'),
		event_time,
	});
	if (entry !== undefined) {
		return identified(timestampOf(entry.created_at), shortId(rowIdentity(entry)));
	}
	if (event === 'caseCreated') return identified(timestampOf(row.created_at));
	const closed = event === 'caseClosed' ? closedAt(row) : undefined;
	const time = timestampOf(closed === undefined ? row.updated_at : row.resolved_at);
	const seen = seenAt === undefined ? 'undated' : formatTimestamp(seenAt * 1000);
	return identified(time, time ?? seen);
}
