import { z } from 'zod';
import { unmetConditions } from './closureConditions';
import { membersOf } from './directory';
import { ApiError, notFound } from './errors';
import { visibleTeam } from './query';
import type { Service } from './service';
import type { CaseInput, CaseStore } from './store';
import type { Access, Activity, Case, CaseStatus, Priority } from './types';

/** Creating, editing and commenting on cases: requests that the API document doesn't have, and a grown service has. */

const text = z.string().min(1, 'must not be empty');
const names = z.array(text);
const upper = <T extends string>(value: string) => value.toUpperCase() as T;
const moment = z.iso.datetime({ offset: true, message: 'must be an ISO 8601 timestamp' });
const id = z.number().int().positive();

const common = {
	description: z.string(),
	priority: z
		.enum(['info', 'low', 'medium', 'high', 'critical'])
		.transform((value) => upper<Priority>(value)),
	status: z.enum(['open', 'closed']).transform((value) => upper<CaseStatus>(value)),
	author_email: text,
	assignee_emails: names,
	opened_at: moment,
	resolved_at: moment,
	closure_conditions: z.array(z.strictObject({ formula: text, name: text })),
};

export const CREATION = z
	.strictObject({
		...common,
		tag_names: names,
		metadata: z.record(z.string(), z.string()),
		field_values: z.record(z.string(), z.unknown()),
		template_id: z.union([id, text]),
	})
	.partial()
	.extend({ team_id: id, name: text });

export const UPDATE = z
	.strictObject({
		...common,
		name: text,
		team_id: id,
		add_assignee_emails: names,
		remove_assignee_emails: names,
		add_tag_names: names,
		remove_tag_names: names,
	})
	.partial();

export const COMMENT = z.strictObject({ value: text, author_email: text.optional() });

interface Context {
	service: Service;
	access: Access;
	ids: { commentId?: string };
}
interface CaseContext extends Context {
	found: Case;
}

/** @throws ApiError 422 for a person whom the tenant doesn't have */
const idsOf = (store: CaseStore, field: string, emails: string[] = []) =>
	emails.map((email) => {
		const found = store.users().find((user) => user.email === email.toLowerCase());
		if (!found) throw new ApiError(422, `${field} has no user ${email}`);
		return found.user_id;
	});

/** Who writes: the person who is given, if in the team, otherwise the user of the key. */
function writerOf({ access }: Context, teamId: number, email?: string): number {
	const given = membersOf(teamId).find((user) => user.email === email?.toLowerCase());
	return given?.user_id ?? access.user_id;
}

/** Creates a case of a team. Templates have no effect. @throws ApiError 404 or 422 */
export function createCase(context: Context, body: z.infer<typeof CREATION>): Case {
	const { author_email, assignee_emails, tag_names, field_values, ...given } = body;
	const { service, access } = context;
	visibleTeam(access, given.team_id);
	return service.store.createCase({
		...given,
		author: writerOf(context, given.team_id, author_email),
		assignees: assignee_emails
			? idsOf(service.store, 'assignee_emails', assignee_emails)
			: [access.user_id],
		tags: tag_names,
		fields: field_values,
	});
}

/** Changes what the body names; a status closes or reopens the case. @throws ApiError 404 or 422 */
export function updateCase(context: CaseContext, body: z.infer<typeof UPDATE>): Case {
	const { author_email, assignee_emails, add_assignee_emails, remove_assignee_emails } = body;
	const { add_tag_names = [], remove_tag_names = [], name, description, priority } = body;
	const { status, team_id, opened_at, resolved_at, closure_conditions } = body;
	const { service, access, found: before } = context;
	const { store } = service;
	if (team_id !== undefined) visibleTeam(access, team_id);
	const by = writerOf(context, team_id ?? before.team.id, author_email);
	const kept = assignee_emails
		? idsOf(store, 'assignee_emails', assignee_emails)
		: before.assignees.map(({ user_id }) => user_id);
	const added = idsOf(store, 'add_assignee_emails', add_assignee_emails);
	const removed = idsOf(store, 'remove_assignee_emails', remove_assignee_emails);
	const assignees = [...new Set([...kept, ...added])].filter((one) => !removed.includes(one));
	const tags = [...new Set([...before.tags.map((tag) => tag.name), ...add_tag_names])];
	const patch: CaseInput = {
		name,
		description,
		priority,
		team_id,
		opened_at,
		resolved_at,
		closure_conditions,
		by,
		assignees,
		tags: tags.filter((tag) => !remove_tag_names.includes(tag)),
	};
	if (status === 'OPEN' && before.status === 'CLOSED') {
		Object.assign(patch, { status, resolved_at: null, resolved_by: null });
	}
	if (status === 'CLOSED' && before.status === 'OPEN') {
		const unmet = unmetConditions(before, closure_conditions);
		if (unmet.length > 0) {
			const conditions = unmet.join(', ');
			throw new ApiError(422, `status can't be closed: unmet closure conditions: ${conditions}`);
		}
		Object.assign(patch, { status, resolved_at: resolved_at ?? store.now(), resolved_by: by });
	}
	return store.updateCase(before.case_id, patch);
}

/** Adds a comment of the person who is given, or of the key's user. */
export function addComment(context: CaseContext, body: z.infer<typeof COMMENT>): Activity {
	const { service, found } = context;
	const user_id = writerOf(context, found.team.id, body.author_email);
	return service.store.addComment(found.case_id, body.value, { user_id });
}

/** The comment in the path. @throws ApiError 404, also where the key may not change it */
function ownCommentId({ service, access, found: { case_id }, ids }: CaseContext): number {
	const comments = service.store.comments(case_id);
	const comment = comments.find(({ id }) => String(id) === ids.commentId);
	// Its author or an administrator may: here a key that sees the whole tenant.
	const isAllowed = access.team_ids === 'all' || comment?.user.user_id === access.user_id;
	if (!comment || !isAllowed) throw notFound();
	return comment.id;
}

/** @throws ApiError 404 */
export function editComment(context: CaseContext, { value }: z.infer<typeof COMMENT>): Activity {
	const { service, found } = context;
	return service.store.editComment(found.case_id, ownCommentId(context), value);
}

/** @throws ApiError 404 */
export function deleteComment(context: CaseContext): void {
	const { service, access, found } = context;
	const { user_id } = access;
	service.store.deleteComment(found.case_id, ownCommentId(context), { user_id });
}
