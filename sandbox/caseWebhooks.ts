import { z } from 'zod';
import { editsBetween, type Edit } from './edits';
import { ApiError, notFound } from './errors';
import { mayRead, visibleTeam } from './query';
import { caseJson } from './serialize';
import type { Service } from './service';
import { ACTIVITY_TYPES, type Access, type Activity, type Case, type CaseWebhook } from './types';

/** One post to a webhook: what was sent, and what the URL answered. */
export interface Delivery {
	webhook: CaseWebhook;
	body: ReturnType<typeof notification>;
	/** Undefined without an answer, or before it. */
	status?: number;
}

const MOST_PER_TEAM = 5;
const TIMEOUT_MS = 10_000;
const NOTIFICATIONS: readonly string[] = ['ALL', ...ACTIVITY_TYPES];

const text = z.string().min(1, 'must not be empty');
const fields = {
	url: z.url('must be a URL'),
	name: text.optional(),
	notifications: z
		.array(z.string().refine((type) => NOTIFICATIONS.includes(type), 'has an unknown type'))
		.min(1, 'must not be empty')
		.optional(),
};
export const WEBHOOK = z.strictObject({ ...fields, team_id: z.number().int().positive() });
export const WEBHOOK_UPDATE = z.strictObject(fields).partial();

interface Context {
	service: Service;
	access: Access;
	ids: { webhookId?: string };
}

/** The webhooks that the key may see, oldest first. */
export function visibleWebhooks({ service, access }: Context, teamId?: number) {
	if (teamId !== undefined) visibleTeam(access, teamId);
	return service.store.webhooks.filter(
		({ team }) => mayRead(access, team.id) && (teamId === undefined || team.id === teamId),
	);
}

/** The webhook in the path. @throws ApiError 404 */
export function findWebhook(context: Context): CaseWebhook {
	const found = visibleWebhooks(context).find(({ id }) => String(id) === context.ids.webhookId);
	if (!found) throw notFound();
	return found;
}

/** @throws ApiError 404 or 422, also for a sixth webhook of a team */
export function createWebhook(context: Context, given: z.infer<typeof WEBHOOK>): CaseWebhook {
	const { team_id, url, name = 'Webhook', notifications = ['ALL'] } = given;
	const { store } = context.service;
	const team = visibleTeam(context.access, team_id);
	if (visibleWebhooks(context, team_id).length >= MOST_PER_TEAM) {
		throw new ApiError(422, `team_id already has ${MOST_PER_TEAM} case webhooks`);
	}
	const created = { id: store.nextId(), name, url, version_number: 2, notifications, team };
	store.webhooks.push(created);
	return created;
}

/** Posts each change of the store's cases, until the signal aborts. Nothing is posted twice, and no answer matters. */
export function postChanges(service: Service, stopped: AbortSignal): Delivery[] {
	const deliveries: Delivery[] = [];
	const { store } = service;
	const listener: typeof store.onChange = (before, after) => {
		for (const activity of newActivities(service, before, after)) {
			const body = notification(service, after, activity);
			for (const webhook of store.webhooks) {
				if (webhook.team.id !== after.team.id || !isWanted(webhook, activity)) continue;
				const delivery: Delivery = { webhook: { ...webhook }, body };
				deliveries.push(delivery);
				void post(delivery, stopped);
			}
		}
	};
	store.onChange = listener;
	stopped.addEventListener('abort', () => {
		if (store.onChange === listener) store.onChange = undefined;
	});
	return deliveries;
}

const isWanted = ({ notifications }: CaseWebhook, { activity_type }: Activity) =>
	notifications.includes('ALL') || notifications.includes(activity_type);

/** What a change adds to the activity log; where the store doesn't log edits, what it would add. */
function newActivities({ store }: Service, before: Case | undefined, after: Case): Activity[] {
	const known = new Set(before?.activities().map(({ id }) => id));
	const added = after.activities().filter(({ id }) => !known.has(id));
	if (before === undefined || store.logsEdits) return added;
	const unlogged = (edit: Edit): Activity => ({
		...edit,
		id: store.nextId(),
		user: store.users()[0],
		created_at: after.updated_at,
		reactions: [],
	});
	return [...added, ...editsBetween(before, after).map(unlogged)];
}

/** The body of a post, in version 2.0: types and the status are in lower case, times have milliseconds. */
function notification(service: Service, found: Case, activity: Activity) {
	const { id, user, created_at } = activity;
	const { case_id, status, ...row } = caseJson(service.store, found, service);
	const { user_id, first_name, last_name, email } = user;
	return {
		activity: {
			id,
			activity_type: activity.activity_type.toLowerCase(),
			value: valueOf(service, found, activity),
			created_at: new Date(created_at).toISOString(),
			user: { id: user_id, first_name, last_name, email },
		},
		case: { id: case_id, status: status.toLowerCase(), ...row },
		version: 2.0,
	};
}

function valueOf({ store }: Service, found: Case, { activity_type, value }: Activity) {
	if (activity_type === 'CREATED') return String(found.case_id);
	if (activity_type === 'FILE_DELETED') return null;
	if (/_UPDATED$/.test(activity_type)) return value.toLowerCase();
	if (!/ASSIGNED$/.test(activity_type)) return value;
	const emails = value.split(', ');
	const ids = store.users().flatMap((user) => (emails.includes(user.email) ? user.user_id : []));
	return ids.join(',');
}

async function post(delivery: Delivery, stopped: AbortSignal): Promise<void> {
	const response = await fetch(delivery.webhook.url, {
		method: 'POST',
		redirect: 'manual',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(delivery.body),
		signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
	}).catch(() => undefined);
	delivery.status = response?.status;
	await response?.body?.cancel().catch(() => undefined);
}
