import { caseIdentity } from '../../api/identity';
import { ApiFailure, quote } from '../../api/failure';
import type { Case } from '../../api/types';

/**
 * Times in whole seconds since the epoch, as the service's data state them; n8n's clock has no part in it.
 * The service's filters are used with whole seconds too.
 */
export type Seconds = number;

/**
 * How long after its timestamp an edit may become visible. Edits are written with the time at which their writer began
 * and seen when it ends, so each poll reads this much again and leaves out what it remembers.
 */
export const OVERLAP: Seconds = 5;

/** A version of a case that was seen: when it was edited, a digest of it, and when it was resolved, if it is closed. */
export interface SeenVersion {
	edited: Seconds;
	digest: string;
	resolved?: Seconds;
}

/** A round through the cases given by ID, in the order of their IDs, of which a part is still unread. */
export interface Round {
	/** The ID of the last case that was read. The list may have changed since. */
	after: string;
	/** Comments made up to here are seen once the round is over. */
	seesTo: Seconds;
}

/** What a poll hands to the next one. n8n keeps it as JSON with the workflow, so it is small. */
export interface TriggerState {
	/** Comments made before are not events. */
	start: Seconds;
	/** The next poll reads the edits from here on. */
	editsFrom: Seconds;
	/**
	 * Cases created, or closed, from here on are new unless they were seen. It stays behind `editsFrom` while a backlog
	 * is emitted in batches.
	 */
	newFrom: Seconds;
	/** Versions edited from `newFrom` on that were seen, by case ID; as {@link packVersion} writes them. */
	seen: Record<string, string>;
	/** Comments made from here on, on the cases that are watched, are new unless they were seen. */
	commentsFrom: Seconds;
	/** Comments made from `commentsFrom` on that were seen: when they were made, by comment ID. */
	comments: Record<string, Seconds>;
	/** The round in which comments of cases given by ID are read, while the time of polls is up before its end. */
	round?: Round;
}

/** Where reading starts again after all up to a time was read: what became visible late is read then. */
export function readAgainFrom(time: Seconds): Seconds {
	return time - OVERLAP;
}

/** The state of a trigger that starts at a time: nothing from before it is an event. */
export function startingState(start: Seconds): TriggerState {
	return { start, editsFrom: start, newFrom: start, seen: {}, commentsFrom: start, comments: {} };
}

/**
 * Reads a timestamp of the service.
 * @throws ApiFailure when it is none: without it no change can be followed
 */
export function secondsOf(value: unknown, field: string): Seconds {
	const time = typeof value === 'string' ? Date.parse(value) : NaN;
	if (!Number.isNaN(time)) return Math.floor(time / 1000);
	throw new ApiFailure(`The service sent ${quote(value ?? '')} as ${field}, which is not a time`, {
		description: `The trigger finds changes by their times. Ask the service's administrator why ${field} is not a time.`,
		retryable: false,
	});
}

export function editedAt(row: Case): Seconds {
	return secondsOf(row.updated_at, 'updated_at');
}

/** Parts of a case that can differ between two reads without an edit: addresses of pages and signed images. */
const VOLATILE = ['activities_meta', 'records_meta', 'avatar_url'];

const { imul } = Math;

/** A short digest of a case: two edits in one second have the same timestamp, but not the same content. */
function digestOf(row: Case): string {
	const text = JSON.stringify(row, (key, value: unknown) =>
		VOLATILE.includes(key) ? undefined : value,
	);
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	return (hash >>> 0).toString(36);
}

export function versionOf(row: Case): SeenVersion {
	const edited = editedAt(row);
	const isClosed = row.status === 'CLOSED' && typeof row.resolved_at === 'string';
	const resolved = isClosed ? secondsOf(row.resolved_at, 'resolved_at') : undefined;
	return { edited, digest: digestOf(row), resolved };
}

export function packVersion({ edited, digest, resolved }: SeenVersion): string {
	const parts = [edited.toString(36), digest];
	return (resolved === undefined ? parts : [...parts, resolved.toString(36)]).join('.');
}

export function unpackVersion(text: string): SeenVersion {
	const [edited, digest, resolved] = text.split('.');
	return {
		edited: parseInt(edited, 36),
		digest,
		resolved: resolved === undefined ? undefined : parseInt(resolved, 36),
	};
}

export type CaseEvent = 'caseCreated' | 'caseUpdated' | 'caseClosed';

/**
 * What a version of a case means, against what was seen before: created (its first version since the start), closed
 * (resolved since the version seen before), both in this order, otherwise updated. None for a version already seen.
 */
export function eventsOf(row: Case, state: TriggerState): CaseEvent[] {
	const version = versionOf(row);
	const packed = state.seen[caseIdentity(row)] as string | undefined;
	const before = packed === undefined ? undefined : unpackVersion(packed);
	if (before?.digest === version.digest) return [];

	const events: CaseEvent[] = [];
	const isNew = before === undefined && secondsOf(row.created_at, 'created_at') >= state.newFrom;
	if (isNew) events.push('caseCreated');
	const { resolved } = version;
	const isNewlyClosed =
		resolved !== undefined &&
		(before === undefined ? resolved >= state.newFrom : resolved !== before.resolved);
	if (isNewlyClosed) events.push('caseClosed');
	return events.length === 0 ? ['caseUpdated'] : events;
}

/** A late edit may date a case before its own closing, which must not count as new again. */
function lastTimeOf({ edited, resolved }: SeenVersion): Seconds {
	return Math.max(edited, resolved ?? edited);
}

/** The state without what is too old to be read again. */
export function forgetOld(state: TriggerState): TriggerState {
	const keep = <T>(entries: Record<string, T>, from: Seconds, timeOf: (entry: T) => Seconds) =>
		Object.fromEntries(Object.entries(entries).filter(([, entry]) => timeOf(entry) >= from));
	return {
		...state,
		seen: keep(state.seen, state.newFrom, (packed) => lastTimeOf(unpackVersion(packed))),
		comments: keep(state.comments, state.commentsFrom, (made) => made),
	};
}
