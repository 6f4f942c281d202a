import { sleep, type INodeExecutionData, type IWebhookFunctions } from 'n8n-workflow';

import { readDetails } from '../api/cases/caseDetails';
import { readCases } from '../api/cases/cases';
import type { Client } from '../api/http/client';
import { readComments } from '../api/cases/comments';
import { createGate } from '../api/pool';
import { parseTimestamp } from '../api/timestamps';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { isOfTypes } from '../fields/detailTypes';
import { toNodeError } from '../n8n/errors';
import { createLog } from '../n8n/log';
import { redactorOf } from '../n8n/redactors';
import { createClient } from '../n8n/transport';
import { toItem, type Happening } from '../trigger/items';
import type { Settings } from '../trigger/settings';
import { eventsOf, parseNotification, postedEntry, type Notification } from './notification';
import { readWebhookSettings } from './settings';

/** An edit has its second for an ID, so the case is read when that one is over, with what came late. */
const UNTIL_EDITS_ARE_WHOLE_MS = 2000;
/** A bulk edit posts a notification for each case: this process reads so many at the same time. */
const enterReading = createGate(8);

/** When this process has handed out an event, by node and event ID, the oldest first. */
const handedOut = new Map<string, number>();
const REPEATED_WITHIN_MS = 600_000;
const MOST_KEPT = 10_000;
/** An older event is not new, whoever posts it. */
const OLDEST_EVENT_MS = 24 * 3600 * 1000;

/** What the service itself shows of the events that a notification may be. */
async function readHappenings(client: Client, settings: Settings, notification: Notification) {
	const { events, filters, activityTypes } = settings;
	const { caseId } = notification;
	if (filters.caseIds?.includes(caseId) === false) return [];
	const query = { ...filters, caseIds: [caseId], order: 'CREATED_ASC' as const };
	const options = { pageSize: MAX_PAGE_SIZE, shape: (row: Case) => row };
	const [row] = (await readCases(client, query, options)).rows;
	if (row === undefined) return [];
	const happenings: Happening[] = [];
	for (const event of events) {
		if (event === 'commentAdded') {
			const comment = postedEntry(notification, (await readComments(client, caseId, options)).rows);
			if (comment !== undefined) happenings.push({ event, row, comment });
		} else if (event === 'activityAdded') {
			const { rows } = await readDetails(client, row, 'activities');
			const wanted = rows.filter((one) => isOfTypes(one.activity_type, activityTypes));
			const activity = postedEntry(notification, wanted);
			if (activity !== undefined) happenings.push({ event, row, activity });
		} else if (event !== 'caseClosed' || row.status === 'CLOSED') {
			happenings.push({ event, row });
		}
	}
	return happenings;
}

/** Whether an event happened within a day, and this process has not handed it out within ten minutes. */
function isNew(context: IWebhookFunctions, { event_id, event_time }: Row): boolean {
	const now = Date.now();
	if (parseTimestamp(event_time) < now - OLDEST_EVENT_MS) return false;
	for (const [oldest, at] of handedOut) {
		if (handedOut.size < MOST_KEPT && at > now - REPEATED_WITHIN_MS) break;
		handedOut.delete(oldest);
	}
	const key = [context.getNodeWebhookUrl('default'), context.getMode(), event_id].join(' ');
	if (handedOut.has(key)) return false;
	handedOut.set(key, now);
	return true;
}

/** Answers a post of the service at once, then reads what it is about. A failure becomes a failed execution. */
export async function receive(context: IWebhookFunctions): Promise<INodeExecutionData[]> {
	// Where the read fails, n8n cuts the connection: no other post may come on it.
	context.getResponseObject().status(200).set('connection', 'close').end();
	const notification = parseNotification(context.getBodyData());
	if (notification === undefined) {
		createLog(context).info('Ignored a post that is not a notification of version 2.0');
		return [];
	}
	const settings = readWebhookSettings(context);
	const events = eventsOf(notification, settings);
	if (events.length === 0) return [];
	if (events.includes('caseUpdated')) await sleep(UNTIL_EDITS_ARE_WHOLE_MS);
	const leave = await enterReading();
	const happenings = await createClient(context, settings.sending)
		.then(async (client) => await readHappenings(client, { ...settings, events }, notification))
		.catch((error: unknown) => {
			throw toNodeError(context.getNode(), error, undefined, redactorOf(context));
		})
		.finally(leave);
	const all = happenings.map((happening) => toItem(happening, settings.output));
	const items = all.filter(({ json }) => isNew(context, json));
	if (items.length === 0) {
		createLog(context).info(`The service shows nothing new of case ${notification.caseId}`);
	}
	return items;
}
