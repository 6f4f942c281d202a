import { z } from 'zod';
import { USERS } from './directory';
import { ApiError, notFound } from './errors';
import { member } from './params';
import { mayRead, visibleTeam } from './query';
import { caseJson } from './serialize';
import type { Context, Service } from './service';
import { ACTIVITY_TYPES, type Activity, type Case, type CaseWebhook } from './types';

/** One post to a webhook: what was sent, and what the URL answered. */
export interface Delivery {
	webhook: CaseWebhook;
	body: ReturnType<typeof notification>;
	/** Undefined without an answer, or before it. */
	status?: number;
}

const MOST_PER_TEAM = 5;
const TIMEOUT_MS = 30_000;
const NOTIFICATIONS = ['ALL', ...ACTIVITY_TYPES] as const;

export const WEBHOOK = z.strictObject({
	team_id: member.id,
	url: z.url('must be a URL'),
	name: member.text.optional(),
	notifications: z.array(z.enum(NOTIFICATIONS, 'has an unknown type')).min(1).optional(),
});

/** The webhooks that the key may see, oldest first. */
export function visibleWebhooks({ service, access }: Context, teamId?: number): CaseWebhook[] {
	if (teamId !== undefined) visibleTeam(access, teamId);
	return service.store.webhooks.filter(
		({ team }) => mayRead(access, team.id) && (teamId === undefined || team.id === teamId),
	);
}

/** @throws ApiError 404 or 422, also for a sixth webhook of a team */
export function createWebhook(context: Context, given: z.infer<typeof WEBHOOK>): object {
	const { team_id, url, name = 'Webhook', notifications = ['ALL'] } = given;
	const { store } = context.service;
	const team = visibleTeam(context.access, team_id);
	if (visibleWebhooks(context, team_id).length >= MOST_PER_TEAM) {
		throw new ApiError(422, `team_id already has ${MOST_PER_TEAM} case webhooks`);
	}
	const webhook = { id: store.nextId(), name, url, version_number: 2, notifications, team };
	store.webhooks.push(webhook);
	return { webhook };
}

/** @throws ApiError 404 */
export function deleteWebhook(context: Context): void {
	const { webhooks } = context.service.store;
	const found = visibleWebhooks(context).find(({ id }) => String(id) === context.ids.webhookId);
	if (!found) throw notFound();
	webhooks.splice(webhooks.indexOf(found), 1);
}

/** Posts each change of the store's cases, until the signal aborts. Nothing is posted twice, and no answer matters. */
export function postChanges(service: Service, stopped: AbortSignal): Delivery[] {
	const deliveries: Delivery[] = [];
	const { store } = service;
	store.onActivities = (changed, activities) => {
		for (const activity of activities) {
			const { activity_type } = activity;
			const wanting = store.webhooks.filter(
				({ team, notifications }) =>
					team.id === changed.team.id &&
					(notifications.includes('ALL') || notifications.includes(activity_type)),
			);
			for (const webhook of wanting) {
				const body = notification(service, changed, activity);
				const delivery: Delivery = { webhook: { ...webhook }, body };
				deliveries.push(delivery);
				void post(delivery, stopped);
			}
		}
	};
	return deliveries;
}

/** The body of a post, in version 2.0: types and the status are in lower case, times have milliseconds. */
function notification(service: Service, found: Case, activity: Activity) {
	const { id, user, created_at } = activity;
	const { case_id, status, ...row } = caseJson(found, service);
	const { user_id, first_name, last_name, email } = user;
	return {
		activity: {
			id,
			activity_type: activity.activity_type.toLowerCase(),
			value: valueOf(found, activity),
			created_at: new Date(created_at).toISOString(),
			user: { id: user_id, first_name, last_name, email },
		},
		case: { id: case_id, status: status.toLowerCase(), ...row },
		version: 2.0,
	};
}

function valueOf({ case_id }: Case, { activity_type, value }: Activity) {
	if (activity_type === 'CREATED') return String(case_id);
	if (/_UPDATED$/.test(activity_type)) return value.toLowerCase();
	if (!/ASSIGNED$/.test(activity_type)) return value;
	const emails = value.split(', ');
	const found = USERS.filter(({ email }) => emails.includes(email));
	return found.map(({ user_id }) => user_id).join(',');
}

async function post(delivery: Delivery, stopped: AbortSignal): Promise<void> {
	const answer = postJson(delivery.webhook.url, delivery.body, stopped);
	delivery.status = (await answer.catch(() => undefined))?.status;
}

/** Posts as the service does: without following a redirect. @throws Error without an answer within 30 seconds */
export async function postJson(
	url: string | URL,
	body: object,
	stopped = new AbortController().signal,
): Promise<Response> {
	const response = await fetch(url, {
		method: 'POST',
		redirect: 'manual',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
	});
	await response.text();
	return response;
}
