import { ApiError } from './errors';
import type { CaseInput, CaseStore } from './store';
import type { Case, CaseStatus, Priority } from './types';

/**
 * Creating, editing and commenting on cases, which the API document doesn't have. A grown service takes these members,
 * as the public documentation of Tines names them; others are refused here.
 */
const MEMBERS = {
	name: (value) => ({ name: String(value) }),
	description: (value) => ({ description: String(value) }),
	team_id: (value) => ({ team_id: Number(value) }),
	priority: (value) => ({ priority: String(value).toUpperCase() as Priority }),
	status: (value) => ({ status: String(value).toUpperCase() as CaseStatus }),
} satisfies Record<string, (value: unknown) => CaseInput>;

function memberOf(name: string, value: unknown): CaseInput {
	if (!Object.hasOwn(MEMBERS, name)) throw ApiError.breach(422, `${name} is not known`);
	return MEMBERS[name as keyof typeof MEMBERS](value);
}

function bodyOf(body: unknown): Record<string, unknown> {
	if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
	throw ApiError.breach(400, 'The body must be an object');
}

/** Creates a case of a team. */
export function createCase(store: CaseStore, body: unknown): Case {
	const { name, team_id, ...others } = bodyOf(body);
	if (typeof name !== 'string' || typeof team_id !== 'number') {
		throw ApiError.breach(422, 'name and team_id are required');
	}
	const input = Object.entries({ name, team_id, ...others }).map((one) => memberOf(...one));
	return store.createCase(Object.assign({}, ...input) as CaseInput);
}

/** Changes what the body names; status closes or reopens the case. */
export function updateCase(store: CaseStore, before: Case, body: unknown): Case {
	const { add_assignee_emails: emails = [], status, ...others } = bodyOf(body);
	const input = Object.entries(others).map((one) => memberOf(...one));
	const added = (emails as string[]).map((email) => {
		const found = store.users().find((user) => user.email === email);
		if (!found) throw new ApiError(422, `There is no user ${email}`);
		return found.user_id;
	});
	const assignees = [...before.assignees.map(({ user_id }) => user_id), ...added];
	store.updateCase(before.case_id, {
		...(Object.assign({}, ...input) as CaseInput),
		assignees: [...new Set(assignees)],
	});
	if (status === 'closed') return store.closeCase(before.case_id);
	return status === 'open' ? store.reopenCase(before.case_id) : store.getCase(before.case_id);
}

/** Adds a comment. @returns its ID and text */
export function addComment(store: CaseStore, { case_id }: Case, body: unknown) {
	const { value } = bodyOf(body);
	if (typeof value !== 'string' || value === '') throw ApiError.breach(422, 'value is required');
	return { id: store.addComment(case_id, value).id, value };
}
