// Law of this folder: a post, which anybody can send, only says which case to read. Items show what is read then.

import { sleep, type INodeExecutionData, type IWebhookFunctions } from 'n8n-workflow';

import { readComments, readDetails } from '../api/cases/listsOfCase';
import { readCases } from '../api/cases/cases';
import type { Clock } from '../api/http/sender';
import { createGate } from '../api/pool';
import { parseTimestamp } from '../api/timestamps';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { isOfTypes } from '../fields/types';
import { toNodeError } from '../n8n/errors';
import { createLog } from '../n8n/log';
import { createClient } from '../n8n/transport';
import { closedAt, doerOf, isClosed, type Happening } from '../trigger/changes/eventId';
import { secondOf } from '../trigger/changes/state';
import { toItem } from '../trigger/items';
import type { Settings } from '../trigger/settings';
import { eventsOfPost, parseNotification, postedEntries, type Notification } from './notification';
import { readWebhookSettings } from './settings';

/** Lets eight notifications at a time read their cases, because a bulk edit posts a notification for each case. */
const enterReading = createGate(8);
/** The most reads of a case that keeps changing. */
const MOST_READS = 10;
/** Keys of the latest events that this process has returned, oldest first, so that no event is returned twice. */
const handedOut = new Set<string>();
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

/** Time. Tests replace it. */
export type ReceiverClock = Pick<Clock, 'now' | 'sleep'>;
const CLOCK: ReceiverClock = { now: () => Date.now(), sleep };

/** Whether a case was edited after its creation and its closing. The service counts both as edits, too. */
const isEdited = (row: Case) =>
	(secondOf(row.updated_at) ?? 0) > Math.max(secondOf(row.created_at) ?? 0, closedAt(row) ?? 0);

/** Reads the case of a notification. Returns those of the events that the case shows. */
async function readShown(context: IWebhookFunctions, settings: Settings, posted: Notification) {
	const { events, filters, activityTypes, sending } = settings;
	if (filters.caseIds?.includes(posted.caseId) === false) return [];
	// A post comes once: with twelve retries its reads outlast a minute without the service.
	const client = await createClient(context, { ...sending, maxRetries: 12, timeout: 30_000 });
	const query = { ...filters, caseIds: [posted.caseId], order: 'CREATED_ASC' as const };
	const options = { pageSize: MAX_PAGE_SIZE, shape: (row: Case) => row };
	const [row] = (await readCases(client, query, options)).rows;
	if (row === undefined) return [];
	const happenings: Happening[] = [];
	for (const event of events) {
		if (event === 'caseClosed' && !isClosed(row)) continue;
		if (event === 'commentAdded') {
			const { rows } = await readComments(client, posted.caseId, options);
			const added = postedEntries(posted, rows);
			happenings.push(...added.map((comment) => ({ event, row, comment })));
		} else if (event === 'activityAdded') {
			const { rows } = await readDetails(client, row, 'activities');
			const wanted = rows.filter((one) => isOfTypes(one.activity_type, activityTypes));
			const added = postedEntries(posted, wanted);
			happenings.push(...added.map((activity) => ({ event, row, activity })));
		} else if (event !== 'caseUpdated' || isEdited(row)) {
			happenings.push({ event, row });
		}
	}
	return happenings;
}

/** Reads a second time if nothing shows. If a Case Updated shows, reads until its edit stays the same for two seconds. */
async function settled(
	read: () => Promise<Happening[]>,
	clock: ReceiverClock,
	known?: unknown,
	reads = 1,
) {
	const happenings = await read();
	const edit = happenings.find(({ event }) => event === 'caseUpdated')?.row.updated_at;
	const isSettled = edit === known && (reads > 1 || happenings.length > 0);
	if (isSettled || reads === MOST_READS) return happenings;
	await clock.sleep(2000);
	return await settled(read, clock, edit, reads + 1);
}

/** Whether an event is at most a day old, at most a minute older than its notification, and wasn't returned before. */
function isNew(context: IWebhookFunctions, now: number, postedAt: string, row: Row) {
	const { event_id, event_time } = row;
	const posted = parseTimestamp(postedAt) ?? 0;
	const oldest = Math.max(now - DAY_MS, posted - MINUTE_MS);
	const key = [context.getNodeWebhookUrl('default'), context.getMode(), event_id].join(' ');
	if ((parseTimestamp(event_time) ?? oldest) < oldest || handedOut.has(key)) return false;
	if (handedOut.size === 10_000) handedOut.delete([...handedOut][0]);
	handedOut.add(key);
	return true;
}

/** Answers a post of the service at once, then reads what has happened. A failure becomes a failed execution. */
export async function receive(
	context: IWebhookFunctions,
	clock = CLOCK,
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
	const events = eventsOfPost(posted, settings);
	if (events.length === 0) return [];
	const read = async () => {
		const leave = await enterReading();
		return await readShown(context, { ...settings, events }, posted).finally(leave);
	};
	const happenings = await settled(read, clock).catch((error: unknown) => {
		throw toNodeError(context, error);
	});
	const heeded = happenings.filter((one) => !settings.isIgnored(doerOf(one)));
	const all = heeded.map((happening) => toItem(happening, settings.output));
	const items = all.filter(({ json }) => isNew(context, clock.now(), posted.postedAt, json));
	if (items.length === 0) log.info(`The service shows nothing new of case ${posted.caseId}`);
	return items;
}
