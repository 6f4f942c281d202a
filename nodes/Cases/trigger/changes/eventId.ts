import { caseIdentity, commentIdentity } from '../../api/identity';
import { formatTimestamp } from '../../api/timestamps';
import type { Activity, Case, Comment } from '../../api/types';
import { digestOf, numberOfText } from './digest';
import { secondOf, type Seconds } from './state';
import { closedAt } from './versions';

/** Something that happened: which event, of which case, and the comment or activity that is new. */
export interface Happening {
	event: string;
	row: Case;
	comment?: Comment;
	activity?: Activity;
	/** Where the case has no time of edit: when it was seen last. */
	seenAt?: Seconds;
}

const timeOf = (value: unknown): string | null => {
	const second = secondOf(value);
	return second === undefined ? null : formatTimestamp(second * 1000);
};

/** An ID as it is; what has none gets a hash of its content. */
const nameOf = (identity: string) =>
	/^[\w-]{1,40}$/.test(identity) ? identity : numberOfText(identity).toString(36);

/**
 * The ID and the time of an event. The ID is the same whenever the same event is found again, also after a crash, and
 * another for each other event: a case is created once, and closed once at a time; a comment or an activity is added
 * once; an edit is identified by its time and by what the API document says of the case, except lists that grow.
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
	// A case that vanished is unmatched once since it was seen.
	const seen = seenAt === undefined ? edited : (edited ?? formatTimestamp(seenAt * 1000));
	return { event_id: id(seen, digestOf(row).toString(36)), event_time: edited };
}
