import { ApiFailure, quote } from '../../api/failure';
import { parseTimestamp } from '../../api/timestamps';
import type { Case } from '../../api/types';

/**
 * Times in whole seconds since the epoch, as the service's data state them; n8n's clock has no part in it.
 * The service's filters are used with whole seconds too.
 */
export type Seconds = number;

/** How long after its timestamp an edit may usually become visible: its writer dates it when it begins. */
export const OVERLAP: Seconds = 5;

/** How long after its first read an edited case is read once more: what shows late has shown by then. */
export const SECOND_LOOK_AFTER: Seconds = 60;

/** How long before the newest edit everything is remembered that was reported: a clock may step back by that. */
export const REMEMBERED: Seconds = 120;

/** A place in the list of edits: a page of the cases edited at a time or later. */
export interface Place {
	from: Seconds;
	page: number;
}

/** The cases edited in one second that were seen: all of them, and those of which a digest is kept, with it; packed. */
export type PackedEdits = [ids: string, digested?: string, digests?: string];

/** A round through the cases given by ID, in the order of their IDs, of which a part is still unread. */
export interface Round {
	/** The ID of the last case that was read. The list may have changed since. */
	after: string;
	/** Comments made up to here are seen once the round is over. */
	seesTo: Seconds;
}

/** Which cases match the filters, as the state keeps it. */
export interface PackedMatches {
	/** The IDs of all cases that match, packed. */
	ids: string;
	/** What tells the filters from others. */
	filters: number;
	/** When all of them were read last, by the service's clock. */
	readAt: Seconds;
	/** Whether the next poll reads all of them again, whenever that was. */
	isDue?: boolean;
	/** Those of them in doubt, packed: no longer listed, while their rows fit the filters. */
	doubts?: string;
}

/**
 * What a poll hands to the next one. n8n keeps it as JSON, so it is small: sets of numbers are packed, and what was
 * reported is remembered only as long as it can be read again.
 */
export interface TriggerState {
	version: typeof STATE_VERSION;
	/** What is dated before is known, not new. */
	start: Seconds;
	/** The list of edits is read from here on. */
	from: Seconds;
	/** Everything dated from here on that was reported is remembered; except what a long read left behind, see `floor`. */
	since: Seconds;
	/** While a read takes several polls, only what is dated from here on is remembered in detail. */
	floor: Seconds;
	/** The newest edit that counts. No date of a case carries it past the service's clock. */
	newest: Seconds;
	/** The edits seen from `floor` on, by second (base 36). */
	edits: Record<string, PackedEdits>;
	/** The cases seen since `since` whose edits are not in `edits` any more. */
	older?: string;
	/** Those of the cases in `edits` that have not matched the filters yet. */
	passed?: string;
	/** Cases that were created after their edit, by their dates. */
	ahead?: string;
	/** Closings, comments and other entries seen from `floor` on, as hashes, by minute (base 36). */
	marks: Record<string, string>;
	secondLook?: SecondLook;
	/** What the service's Date headers say. */
	clock?: ServiceClock;
	/** Where a read of the list continues that one poll didn't finish, and when it began by the service's clock. */
	rest?: Place & { began?: Seconds };
	/** The page with which reading begins, where the service compares days, and so returns earlier edits of a day too. */
	page?: number;
	/** What is known of the comments of cases given by ID. */
	given?: GivenState;
	/** Which cases match the filters, where that is watched. */
	matches?: PackedMatches;
	/** What tells the last replay from others. */
	replayed?: number;
}

export interface ServiceClock {
	/** What the first one of the last poll said. */
	at: Seconds;
	/** For how many polls none has said a later time than the poll before. */
	still: number;
}

interface GivenState {
	/** Comments made from here on are new unless they were seen. */
	from: Seconds;
	/** When the newest comment that counts was made. */
	newest: Seconds;
	/** Comments seen from `from` on, as hashes, by minute (base 36). */
	marks: Record<string, string>;
	/** The round in which comments are read, while the time of polls is up before its end. */
	round?: Round;
}

/** Edits that are to be read once more. */
interface SecondLook {
	from: Seconds;
	/** Up to which edits polls read them, oldest first. */
	reads: FirstRead[];
	/** Where it continues. */
	rest?: Place;
}

/** A poll that read edits for the first time. */
export interface FirstRead {
	to: Seconds;
	/** When it was, by the service's clock. */
	at?: Seconds;
	/** Polls since then, which count where the service sends no time. */
	polls: number;
}

/** States of another version can't be used. */
const STATE_VERSION = 2;

/** The state of a trigger that starts at a time: nothing from before it is an event. */
export function startingState(start: Seconds, since = start): TriggerState {
	return {
		version: STATE_VERSION,
		start,
		from: since,
		since,
		floor: since,
		newest: since,
		edits: {},
		marks: {},
	};
}

/** The state of a trigger that reports what happens from a time on, also where that is past. */
export function stateSince(time: Seconds): TriggerState {
	// A service may leave out the very start of a range.
	return { ...startingState(time), from: time - 1 };
}

const isTime = (value: unknown): value is Seconds => Number.isSafeInteger(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isOptional = (value: unknown, is: (value: unknown) => boolean) =>
	value === undefined || is(value);
const isPage = (value: unknown) => isTime(value) && value > 0;

const isTexts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText);
const isEdits = (value: unknown) => isObject(value) && Object.values(value).every(isTexts);
const isMarks = (value: unknown) => isObject(value) && Object.values(value).every(isText);
const isPlace = (value: unknown) => isObject(value) && isTime(value.from) && isPage(value.page);
const isRest = (value: unknown) =>
	isPlace(value) && isOptional((value as { began?: unknown }).began, isTime);
const isFirstRead = (value: unknown) =>
	isObject(value) && isTime(value.to) && isOptional(value.at, isTime) && isTime(value.polls);
const isSecondLook = (value: unknown) =>
	isObject(value) &&
	isTime(value.from) &&
	Array.isArray(value.reads) &&
	value.reads.every(isFirstRead) &&
	isOptional(value.rest, isPlace);
const isClock = (value: unknown) => isObject(value) && isTime(value.at) && isTime(value.still);
const isRound = (value: unknown) => isObject(value) && isText(value.after) && isTime(value.seesTo);
const isGiven = (value: unknown) =>
	isObject(value) &&
	isTime(value.from) &&
	isTime(value.newest) &&
	isMarks(value.marks) &&
	isOptional(value.round, isRound);

const isMatches = (value: unknown) =>
	isObject(value) &&
	isText(value.ids) &&
	[value.filters, value.readAt].every(isTime) &&
	isOptional(value.doubts, isText) &&
	isOptional(value.isDue, (isDue) => typeof isDue === 'boolean');

/** Reads a stored state. @returns undefined for what this version of the trigger didn't store */
export function readState(value: unknown): TriggerState | undefined {
	const isUsable =
		isObject(value) &&
		value.version === STATE_VERSION &&
		[value.start, value.from, value.since, value.floor, value.newest].every(isTime) &&
		isEdits(value.edits) &&
		isMarks(value.marks) &&
		isOptional(value.older, isText) &&
		isOptional(value.passed, isText) &&
		isOptional(value.ahead, isText) &&
		isOptional(value.secondLook, isSecondLook) &&
		isOptional(value.clock, isClock) &&
		isOptional(value.rest, isRest) &&
		isOptional(value.page, isPage) &&
		isOptional(value.given, isGiven) &&
		isOptional(value.matches, isMatches) &&
		isOptional(value.replayed, isTime);
	return isUsable ? (value as unknown as TriggerState) : undefined;
}

/** Reads a timestamp of the service in whole seconds. @returns undefined where it is not a time */
export function secondOf(value: unknown): Seconds | undefined {
	const time = parseTimestamp(value);
	return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

export function editedAt(row: Case): Seconds | undefined {
	return secondOf(row.updated_at);
}

/** The failure where no row has a usable time: without one no change can be followed. */
export function notATime(value: unknown, field: string): ApiFailure {
	return new ApiFailure(`The service sent ${quote(value ?? '')} as ${field}, which is not a time`, {
		description: `The trigger finds changes by their times. Ask the service's administrator why ${field} is not a time.`,
		retryable: false,
	});
}
