import { z } from 'zod';
import { unmetConditions } from './closureConditions';
import { TEAMS, membersOf } from './directory';
import { ApiError } from './errors';
import { mayRead } from './query';
import type { CaseInput, CaseStore } from './store';
import type { Access, Activity, Case, CaseStatus, Priority, User } from './types';

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

const creation = z
	.strictObject({
		...common,
		tag_names: names,
		metadata: z.record(z.string(), z.string()),
		field_values: z.record(z.string(), z.unknown()),
		template_id: z.union([id, text]),
	})
	.partial()
	.extend({ team_id: id, name: text });

const update = z
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

const comment = z.strictObject({ value: text, author_email: text.optional() });

/** @throws ApiError 422 that begins with the name of the field */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const { path, message } = result.error.issues[0];
	throw ApiError.breach(422, `${path.join('.') || 'body'} ${message}`);
}

/** @throws ApiError 422 for a person whom the tenant doesn't have */
function userByEmail(store: CaseStore, field: string, email: string): User {
	const found = store.users().find((user) => user.email === email.toLowerCase());
	if (found) return found;
	throw new ApiError(422, `${field} has no user ${email}`);
}

const idsOf = (store: CaseStore, field: string, emails: string[] = []) =>
	emails.map((email) => userByEmail(store, field, email).user_id);

/** Who writes: the person who is given, if in the team, otherwise the user of the key. */
function writerOf(store: CaseStore, access: Access, teamId: number, email?: string): number {
	const given = membersOf(teamId).find((user) => user.email === email?.toLowerCase());
	return (given ?? store.user(access.user_id)).user_id;
}

/** @throws ApiError 404 for a team that the key may not see, as for one that doesn't exist */
function requireTeam(access: Access, teamId: number): void {
	const isThere = TEAMS.some(({ id }) => id === teamId);
	if (!isThere || !mayRead(access, teamId)) throw new ApiError(404, 'Not found');
}

/** Creates a case of a team. Templates have no effect. @throws ApiError 404 or 422 */
export function createCase(store: CaseStore, access: Access, body: unknown): Case {
	const given = readBody(creation, body);
	const { team_id, author_email, assignee_emails, tag_names, field_values } = given;
	requireTeam(access, team_id);
	return store.createCase({
		team_id,
		name: given.name,
		description: given.description,
		priority: given.priority,
		status: given.status,
		opened_at: given.opened_at,
		resolved_at: given.resolved_at,
		metadata: given.metadata,
		closure_conditions: given.closure_conditions,
		author: writerOf(store, access, team_id, author_email),
		assignees:
			assignee_emails === undefined
				? [access.user_id]
				: idsOf(store, 'assignee_emails', assignee_emails),
		...(tag_names && { tags: tag_names }),
		...(field_values && { fields: field_values }),
	});
}

/** Changes what the body names; a status closes or reopens the case. @throws ApiError 404 or 422 */
export function updateCase(store: CaseStore, access: Access, before: Case, body: unknown): Case {
	const given = readBody(update, body);
	const { author_email, assignee_emails, add_assignee_emails, remove_assignee_emails } = given;
	const { add_tag_names = [], remove_tag_names = [], ...rest } = given;
	const { status, team_id, name, description, priority, ...others } = rest;
	if (team_id !== undefined) requireTeam(access, team_id);
	const by = writerOf(store, access, team_id ?? before.team.id, author_email);
	const kept =
		assignee_emails === undefined
			? before.assignees.map(({ user_id }) => user_id)
			: idsOf(store, 'assignee_emails', assignee_emails);
	const added = idsOf(store, 'add_assignee_emails', add_assignee_emails);
	const removed = idsOf(store, 'remove_assignee_emails', remove_assignee_emails);
	const assignees = [...new Set([...kept, ...added])].filter((one) => !removed.includes(one));
	const tags = [...new Set([...before.tags.map((tag) => tag.name), ...add_tag_names])];
	const { opened_at, resolved_at, closure_conditions } = others;
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
		...statusPatch(store, before, by, status, resolved_at),
	};
	refuseUnmet(before, patch);
	return store.updateCase(before.case_id, patch);
}

function statusPatch(
	store: CaseStore,
	before: Case,
	by: number,
	status: CaseStatus | undefined,
	resolved_at: string | undefined,
): CaseInput {
	if (status === undefined || status === before.status) return {};
	if (status === 'OPEN') return { status, resolved_at: null, resolved_by: null };
	return { status, resolved_at: resolved_at ?? store.now(), resolved_by: by };
}

/** @throws ApiError 422 that names the closure conditions which keep the case open */
function refuseUnmet(before: Case, { status, closure_conditions }: CaseInput): void {
	if (status !== 'CLOSED') return;
	const unmet = unmetConditions({
		...before,
		closure_conditions: closure_conditions ?? before.closure_conditions,
	});
	if (unmet.length === 0) return;
	throw new ApiError(422, `status can't be closed: unmet closure conditions: ${unmet.join(', ')}`);
}

/** Adds a comment of the person who is given, or of the key's user. @throws ApiError 422 */
export function addComment(
	store: CaseStore,
	access: Access,
	{ case_id, team }: Case,
	body: unknown,
): Activity {
	const { value, author_email } = readBody(comment, body);
	const user_id = writerOf(store, access, team.id, author_email);
	return store.addComment(case_id, value, { user_id });
}

/** The comment with this ID. @throws ApiError 404, also where the key may not change it */
function ownComment(store: CaseStore, access: Access, { case_id }: Case, commentId: string) {
	const found = store.comments(case_id).find(({ id }) => String(id) === commentId);
	// Its author or an administrator may: here a key that sees the whole tenant.
	const isAllowed = access.team_ids === 'all' || found?.user.user_id === access.user_id;
	if (found && isAllowed) return found;
	throw new ApiError(404, 'Not found');
}

/** Changes the text of a comment. @throws ApiError 404 or 422 */
export function editComment(
	store: CaseStore,
	access: Access,
	found: Case,
	commentId: string,
	body: unknown,
): Activity {
	const { value } = readBody(comment, body);
	return store.editComment(found.case_id, ownComment(store, access, found, commentId).id, value);
}

/** Removes a comment. @throws ApiError 404 */
export function deleteComment(
	store: CaseStore,
	access: Access,
	found: Case,
	commentId: string,
): void {
	const { id } = ownComment(store, access, found, commentId);
	store.deleteComment(found.case_id, id, { user_id: access.user_id });
}
