// Law of this folder: a post, which anybody can send, only says which case to read. Items show what is read then.

import { sleep, type INodeExecutionData, type IWebhookFunctions } from 'n8n-workflow';

import { gatesFor } from '../api/pool';
import { parseTimestamp } from '../api/timestamps';
import { MAX_PAGE_SIZE, type Case } from '../api/types';
import { isOfTypes } from '../fields/rows';
import { createLog } from '../n8n/log';
import { createClient } from '../n8n/transport';
import {
	closedAt,
	doerOf,
	identifyEvent,
	isClosed,
	type Happening,
} from '../trigger/changes/eventId';
import { secondOf } from '../trigger/changes/state';
import { isEntryEvent, watchCases, type WatchedCases } from '../trigger/changes/watchedCases';
import type { EventName } from '../trigger/events';
import { toItem } from '../trigger/items';
import type { Settings } from '../trigger/settings';
import { eventsOfPost, parseNotification, postedEntries, type Notification } from './notification';
import { readWebhookSettings } from './settings';

/** Each tenant has eight slots for all posts, because a bulk edit posts a notification for each case. */
const slotsOf = gatesFor(8);
/** The waits before further reads of a case that doesn't show yet what was posted: until 2 s and 8 s after the first read. */
const WAITS_MS = [2000, 6000];
/** The most reads of a case that keeps changing. */
const MOST_READS = 10;
/** Keys of the latest events that this process has returned, oldest first, so that no event is returned twice. */
const handedOut = new Set<string>();
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

type Shown = { happenings: Happening[]; isLacking: boolean };

/** Whether a case was edited after its creation and its closing. The service counts both as edits, too. */
const isEdited = (row: Case) =>
	(secondOf(row.updated_at) ?? 0) > Math.max(secondOf(row.created_at) ?? 0, closedAt(row) ?? 0);

/** Reads the case of a notification. @returns those of the events that it shows, and whether it lacks some of what was posted */
async function readShown(
	cases: WatchedCases,
	{ events, activityTypes }: Settings,
	posted: Notification,
	reads: number,
): Promise<Shown> {
	const row = (await cases.among([posted.caseId])).get(posted.caseId);
	// Most cases that don't come are outside the filters.
	if (row === undefined) return { happenings: [], isLacking: reads === 1 };
	const isStale = (secondOf(row.updated_at) ?? Infinity) < (secondOf(posted.postedAt) ?? 0);
	const isClosing = isClosed(row) && events.includes('caseClosed');
	const isFound: Partial<Record<EventName, boolean>> = {
		caseCreated: true,
		caseUpdated: isEdited(row) && !isClosing,
		caseClosed: isClosing,
	};
	const shown: Shown = { happenings: [], isLacking: false };
	for (const event of events) {
		if (!isEntryEvent(event)) {
			shown.isLacking ||= isStale && event !== 'caseCreated';
			if (isFound[event]) shown.happenings.push({ event, row });
			continue;
		}
		const entries = (await cases.readEntries(event, row)).filter(
			({ activity_type }) => event === 'commentAdded' || isOfTypes(activity_type, activityTypes),
		);
		const added = postedEntries(posted, entries, reads > WAITS_MS.length);
		shown.isLacking ||= added.length === 0;
		shown.happenings.push(...added.map((entry) => ({ event, row, entry })));
	}
	return shown;
}

/** Reads again while the case lacks what was posted, and while a Case Updated isn't the same as two seconds before. */
async function settled(read: (reads: number) => Promise<Shown>, pause: typeof sleep) {
	let known: unknown;
	for (let reads = 1; ; reads++) {
		const shown = await read(reads);
		const edit = shown.happenings.find(({ event }) => event === 'caseUpdated')?.row.updated_at;
		const whileLacking = shown.isLacking ? WAITS_MS.at(reads - 1) : undefined;
		const wait = whileLacking ?? (edit === known ? undefined : WAITS_MS[0]);
		if (wait === undefined || reads === MOST_READS) return shown;
		await pause(wait);
		known = edit;
	}
}

/** Whether an event isn't too old, and wasn't returned before. A closing is as old as its edit, as users can set `resolved_at`. */
function isNew(node: string, oldest: number, happening: Happening): boolean {
	const { event_id, event_time } = identifyEvent(happening);
	const at = happening.event === 'caseClosed' ? happening.row.updated_at : event_time;
	const key = `${node} ${event_id}`;
	if ((parseTimestamp(at) ?? oldest) < oldest || handedOut.has(key)) return false;
	if (handedOut.size === 10_000) handedOut.delete([...handedOut][0]);
	handedOut.add(key);
	return true;
}

/**
 * Answers a post of the service at once, then reads what has happened.
 * @param pause waits for some ms; tests replace it
 * @throws InvalidInput or ApiFailure, which becomes a failed execution
 */
export async function receive(
	context: IWebhookFunctions,
	pause = sleep,
): Promise<INodeExecutionData[]> {
	// If reading fails below, n8n cuts the connection. `close` keeps the service from sending a later post on it.
	context.getResponseObject().status(200).set('connection', 'close').end();
	const posted = parseNotification(context.getBodyData());
	const log = createLog(context);
	if (posted === undefined) {
		log.info('Ignored a post that is not a notification of version 2.0');
		return [];
	}
	const settings = readWebhookSettings(context);
	const { filters, isIgnored, sending } = settings;
	const events = eventsOfPost(posted, settings);
	if (events.length === 0 || filters.caseIds?.includes(posted.caseId) === false) return [];
	// A post comes once: with twelve retries its reads outlast a minute without the service.
	const patient = { ...sending, maxRetries: 12, timeout: 30_000, slotsOf };
	const cases = watchCases(await createClient(context, patient), filters, MAX_PAGE_SIZE, false);
	const read = async (reads: number) =>
		await readShown(cases, { ...settings, events }, posted, reads);
	const { happenings, isLacking } = await settled(read, pause);
	const node = `${context.getNodeWebhookUrl('default')} ${context.getMode()}`;
	const postedAt = parseTimestamp(posted.postedAt) ?? 0;
	const oldest = Math.max(Date.now() - DAY_MS, postedAt - MINUTE_MS);
	const news = happenings.filter((one) => !isIgnored(doerOf(one)) && isNew(node, oldest, one));
	if (isLacking) log.info(`Case ${posted.caseId} does not show what the service has posted of it`);
	else if (news.length === 0) log.info(`The service shows nothing new of case ${posted.caseId}`);
	return news.map((one) => toItem(one, settings.output));
}
