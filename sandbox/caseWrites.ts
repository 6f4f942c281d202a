import { z } from 'zod';
import { membersOf, SUB_STATUSES, TEMPLATES, USERS } from './directory';
import { ApiError, notFound } from './errors';
import { withFields } from './fields';
import type { Traits } from './grown';
import { member } from './params';
import { visibleTeam } from './query';
import { rowWith } from './requests';
import { actionJson, caseJson, commentJson, singleActionJson } from './serialize';
import type { CaseContext, Context } from './service';
import type { CaseInput } from './store';
import { NEW_TASK, newTasks } from './tasks';
import { ACTION_TYPES, type Activity, type Case, type CaseStatus, type Priority } from './types';

/** Which bodies of writes are allowed, and what they change. */

const { text, texts: names, id } = member;
const upper = <T extends string>(value: string) => value.toUpperCase() as T;
const moment = z.iso.datetime({ offset: true, message: 'must be an ISO 8601 timestamp' });

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
		field_values: z.record(z.string(), z.string()),
		template_id: z.union([id, text]),
		sub_status_id: id,
		tasks: z.array(NEW_TASK),
	})
	.partial()
	.extend({ team_id: id, name: text });

export const UPDATE = z
	.strictObject({
		...common,
		name: text,
		team_id: id,
		sub_status_id: id,
		add_assignee_emails: names,
		remove_assignee_emails: names,
		add_tag_names: names,
		remove_tag_names: names,
	})
	.partial();

export const CHANGED_COMMENT = z.strictObject({ value: text });
export const COMMENT = z.strictObject({ value: text, author_email: text.optional() });

const documentedAction = z.strictObject({
	url: z
		.string()
		.refine(
			(value) => /^https?:\/\//i.test(value) && URL.canParse(value),
			'must be an absolute http(s) URL',
		),
	label: z.string().refine((value) => value.trim() !== '', 'must not be empty'),
	action_type: z.enum(ACTION_TYPES),
	action_text: text.optional(),
});

/** An action as the requests for single actions take it. */
export const ACTION = documentedAction.extend({
	query_params: z.record(z.string(), z.string()).optional(),
});

/** The body of a batch update: the actions that replace all actions of a case. */
export const actionsBody = (traits: Traits) =>
	z.strictObject({ actions: z.array(traits.has('further-fields') ? ACTION : documentedAction) });

/** @throws ApiError 422 for a person whom the tenant doesn't have */
const idsOf = (field: string, emails: string[] = []) =>
	emails.map((email) => {
		const found = USERS.find((user) => user.email === email.toLowerCase());
		if (!found) throw new ApiError(422, `${field} has no user ${email}`);
		return found.user_id;
	});

/** Who writes: the person who is given, if in the team, otherwise the user of the key. */
export function writerOf({ access }: Context, teamId: number, email?: string): number {
	const given = membersOf(teamId).find((user) => user.email === email?.toLowerCase());
	return given?.user_id ?? access.user_id;
}

/** @throws ApiError 422 for what the team's settings don't have */
function refuse(field: string, given: number | string, teamId: number): never {
	throw new ApiError(422, `${field} ${given} can't be chosen in team ${teamId}`);
}

function checkSubStatus(given: number | undefined, teamId: number, status: CaseStatus): void {
	const ofTeam = SUB_STATUSES.filter((one) => one.team_id === teamId);
	const isThere = ofTeam.some(({ id, parent_status }) => id === given && parent_status === status);
	if (given !== undefined && !isThere) refuse('sub_status_id', given, teamId);
}

/** Creates a case of a team; what the body names wins over its template. @throws ApiError 404 or 422 */
export function createCase(context: Context, body: z.infer<typeof CREATION>): object {
	const { author_email, assignee_emails, template_id, ...given } = body;
	const { service, access } = context;
	const { store } = service;
	const team = visibleTeam(access, given.team_id);
	checkSubStatus(given.sub_status_id, team.id, given.status ?? 'OPEN');
	const template = TEMPLATES.filter((one) => one.team_id === team.id).find((one) =>
		[one.id, one.name.toLowerCase()].includes(template_id ?? 0),
	);
	if (template_id !== undefined && !template) refuse('template_id', template_id, team.id);
	const tasks = given.tasks ?? template?.tasks.map((description) => ({ description })) ?? [];
	const values = Object.entries({ ...template?.field_values, ...given.field_values });
	const fields = values.map(([key, value]) => ({ input_id: Number(key), value, upsert: true }));
	const created = store.createCase({
		...given,
		author: writerOf(context, given.team_id, author_email),
		assignees: assignee_emails ? idsOf('assignee_emails', assignee_emails) : [access.user_id],
		tags: given.tag_names ?? template?.tags,
		fields: withFields(store, team, [], fields),
		tasks: newTasks(store, team, tasks),
	});
	return caseJson(created, service);
}

/** The formulas that the sandbox understands, and whether a case meets them. Others count as met. */
const FORMULAS: Readonly<Record<string, (found: Case) => boolean>> = {
	'=COUNT(actions) > 0': ({ actions }) => actions().length > 0,
	'=NOT(ISBLANK(assignees))': ({ assignees }) => assignees.length > 0,
	'=metadata.root_cause <> ""': ({ metadata }) => Boolean(metadata.root_cause),
};

/** Changes what the body names; a status closes or reopens the case. @throws ApiError 404 or 422 */
export function updateCase(context: CaseContext, body: z.infer<typeof UPDATE>): object {
	const { author_email, assignee_emails, add_assignee_emails, remove_assignee_emails } = body;
	const { add_tag_names = [], remove_tag_names = [], status, ...given } = body;
	const { service, access, found: before } = context;
	const { team_id = before.team.id } = given;
	checkSubStatus(given.sub_status_id, team_id, status ?? before.status);
	const { store } = service;
	if (given.team_id !== undefined) visibleTeam(access, given.team_id);
	const by = writerOf(context, team_id, author_email);
	const assignees = assignee_emails
		? idsOf('assignee_emails', assignee_emails)
		: before.assignees.map(({ user_id }) => user_id);
	assignees.push(...idsOf('add_assignee_emails', add_assignee_emails));
	const removed = idsOf('remove_assignee_emails', remove_assignee_emails);
	const tags = [...before.tags.map((tag) => tag.name), ...add_tag_names];
	const patch: CaseInput = {
		...given,
		by,
		assignees: [...new Set(assignees)].filter((one) => !removed.includes(one)),
		tags: [...new Set(tags)].filter((tag) => !remove_tag_names.includes(tag)),
	};
	if (status === 'OPEN' && before.status === 'CLOSED') {
		Object.assign(patch, { status, resolved_at: null, resolved_by: null });
	}
	if (status === 'CLOSED' && before.status === 'OPEN') {
		const conditions = given.closure_conditions ?? before.closure_conditions;
		const unmet = conditions.filter(({ formula }) => FORMULAS[formula]?.(before) === false);
		if (unmet.length > 0) {
			const names = unmet.map(({ name }) => name).join(', ');
			throw new ApiError(422, `status can't be closed: unmet closure conditions: ${names}`);
		}
		Object.assign(patch, {
			status,
			resolved_at: given.resolved_at ?? store.now(),
			resolved_by: by,
		});
	}
	return caseJson(store.updateCase(before.case_id, patch), service);
}

/** Adds a comment of the person who is given, or of the key's user. */
export function addComment(context: CaseContext, body: z.infer<typeof COMMENT>): object {
	const { service, found } = context;
	const { case_id } = found;
	const user_id = writerOf(context, found.team.id, body.author_email);
	const comment = service.store.addComment(case_id, body.value, { user_id });
	return { case_id, ...commentJson(comment, service.traits) };
}

/** The entry with this ID. @throws ApiError 404, also where the key may not change it */
export function ownEntry(entries: readonly Activity[], { access }: Context, id?: string): Activity {
	const entry = rowWith(entries, id);
	// Its author or an administrator may: here a key that sees the whole tenant.
	const isAllowed = access.team_ids === 'all' || entry.user.user_id === access.user_id;
	if (!isAllowed) throw notFound();
	return entry;
}

const ownComment = (context: CaseContext) =>
	ownEntry(context.service.store.comments(context.found.case_id), context, context.ids.commentId);

/** @throws ApiError 404 */
export function updateComment(context: CaseContext, { value }: { value: string }): object {
	const { store, traits } = context.service;
	const { case_id } = context.found;
	const comment = ownComment(context);
	store.updateComment(case_id, comment.id, value);
	return { case_id, ...commentJson({ ...comment, value }, traits) };
}

/** @throws ApiError 404 */
export function deleteComment(context: CaseContext): void {
	const { service, access, found } = context;
	const { user_id } = access;
	const { id } = ownComment(context);
	service.store.deleteEntry(found.case_id, id, 'DELETED_COMMENT', { user_id });
}

export function replaceActions(
	{ service, found: { case_id } }: CaseContext,
	{ actions }: z.infer<ReturnType<typeof actionsBody>>,
): object {
	const { store, traits } = service;
	const replaced = store.replaceActions(case_id, actions);
	const rows = replaced.map((one) => actionJson(one, case_id, traits));
	return { case_id, actions: traits.has('further-fields') ? rows.reverse() : rows };
}

export function addAction({ service, found }: CaseContext, given: z.infer<typeof ACTION>): object {
	return singleActionJson(service.store.addAction(found.case_id, given), found.case_id);
}

/** @throws ApiError 404 */
export function updateAction(
	{ service, ids, found: { case_id } }: CaseContext,
	given: Partial<z.infer<typeof ACTION>>,
): object {
	const updated = service.store.updateAction(case_id, Number(ids.actionId), given);
	if (!updated) throw notFound();
	return singleActionJson(updated, case_id);
}

/** @throws ApiError 404 */
export function deleteAction({ service, ids, found }: CaseContext): void {
	if (!service.store.deleteAction(found.case_id, Number(ids.actionId))) throw notFound();
}
