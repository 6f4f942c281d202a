import { deviatingPage } from './deviating/pages';
import type { ListDeviations } from './deviations';
import type { Traits } from './grown';
import type { Meta, Page } from './page';
import type { CaseStore } from './store';
import type { Action, Activity, Case, RecordEntry, RecordGroup, SubStatus, User } from './types';

/** One page of a list in memory. @throws ApiError 404, only with deviations */
export function pageOf<T>(
	list: readonly T[],
	query: { page?: number; per_page?: number },
	deviations?: ListDeviations,
): Page<T> {
	if (deviations) return deviatingPage(deviations, list, query);
	const { page = 1, per_page = 20 } = query;
	return {
		rows: list.slice((page - 1) * per_page, page * per_page),
		page,
		per_page,
		pages: Math.max(1, Math.ceil(list.length / per_page)),
		total: list.length,
	};
}

/**
 * The pagination object of a page.
 *
 * @param url absolute URL of the list without query string
 * @param traits of a grown service
 * @param queryString the query as it was sent; its page and per_page are replaced
 */
export function metaOf(
	{ rows, page, per_page, pages, total }: Page<unknown>,
	url: string,
	traits: Traits,
	queryString = '',
): Meta {
	const shownUrl = traits.has('other-host') ? url.replace(ORIGIN, OTHER_ORIGIN) : url;
	const others = queryString.split('&').filter((pair) => pair && !/^(per_)?page=/.test(pair));
	const urlOf = (number: number) =>
		`${shownUrl}?${[...others, `per_page=${per_page}`, `page=${number}`].join('&')}`;
	return {
		current_page: urlOf(page),
		previous_page: page > 1 ? urlOf(page - 1) : null,
		next_page: page < pages ? urlOf(page + 1) : null,
		per_page,
		pages,
		count: traits.has('meta-total') ? total : rows.length,
		...(traits.has('meta-total') && { next_page_number: page < pages ? page + 1 : null }),
	};
}

/** The scheme, host and port of a URL. */
const ORIGIN = /^[a-z]+:\/\/[^/]*/;
const OTHER_ORIGIN = 'http://cases.vanity.example';

/** A user: the id is text in case lists and a number in comment lists. */
function userJson<Id>(user: User, toId: (id: number) => Id) {
	return {
		user_id: toId(user.user_id),
		first_name: user.first_name,
		last_name: user.last_name,
		email: user.email,
		avatar_url: user.avatar_url,
		is_service_account: user.is_service_account,
	};
}

const inCase = (user: User) => userJson(user, String);
const inComment = (user: User) => userJson(user, Number);

/** An activity, as a case and the list of activities show it. */
export function activityJson(
	{ id, activity_type, value, user, created_at, file = null, reactions }: Activity,
	traits: Traits,
) {
	return {
		id,
		activity_type,
		value,
		user: inCase(user),
		created_at,
		...(traits.has('activity-fields') && { file, reactions }),
	};
}

/** A comment, as the list of comments shows it. */
export function commentJson(
	{ id, activity_type, value, created_at, user, reactions }: Activity,
	traits: Traits,
) {
	const author = traits.has('text-ids') ? inCase(user) : inComment(user);
	return { id, activity_type, value, created_at, user: author, reactions };
}

/** An action with all its fields, as the answer of the batch update shows it. */
export function actionJson(action: Action, caseId: number, traits: Traits) {
	const { id, url, label, story_name, story_emoji, action_type, action_text } = action;
	const { created_at, updated_at } = action;
	return {
		id,
		url,
		label,
		story_name,
		story_emoji,
		action_type,
		action_text,
		created_at,
		updated_at,
		...(traits.has('action-fields') && grownActionFields(action, caseId)),
	};
}

function grownActionFields({ query_params = {}, story_emoji }: Action, case_id: number) {
	return { page_emoji: story_emoji, query_params, case_id };
}

/** An action, as the requests for single actions show it. */
export function singleActionJson(action: Action, caseId: number) {
	return { ...actionJson(action, caseId, new Set()), ...grownActionFields(action, caseId) };
}

/** An action, as lists of cases show it. */
function actionRow({ id, url, label, action_type }: Action) {
	return { id, url, label, action_type };
}

/** How rows show actions where the service deviates. */
const ACTION_ROWS = {
	ids: ({ id }: Action): object => ({ id }),
	texts: (action: Action): object => ({
		...actionRow(action),
		action_text: action.action_text,
	}),
	full: (action: Action, caseId: number, traits: Traits): object => ({
		...actionJson(action, caseId, traits),
		...grownActionFields(action, caseId),
	}),
};

const SUB_STATUSES: Record<Case['status'], SubStatus> = {
	OPEN: { id: 1, name: 'New' },
	CLOSED: { id: 2, name: 'Done' },
};

/** The sub-status of a case; without one of its own, that of its status. */
export function subStatusOf({ status, sub_status }: Case): SubStatus {
	return sub_status ?? SUB_STATUSES[status];
}

/** The seconds since the case was created, as an SLA counts them. */
function slaJson({ created_at, status }: Case, now: number) {
	const elapsed = Math.floor((now - Date.parse(created_at)) / 1000);
	return { time_to_resolve: elapsed, is_running: status === 'OPEN' };
}

type TypedEntry = { group: RecordGroup; entry: RecordEntry };

/** The record entries of a case. Pages are cut from these, and each page groups its own by type. */
export function recordEntries(found: Case): TypedEntry[] {
	return found
		.records()
		.flatMap((group) => group.record_type_record_results.map((entry) => ({ group, entry })));
}

/** The entries of one page, grouped by record type. */
function recordGroups(entries: readonly TypedEntry[]): RecordGroup[] {
	const groups = new Map<number, RecordGroup>();
	for (const { group, entry } of entries) {
		const { record_type_id, record_type_name } = group;
		let onPage = groups.get(record_type_id);
		if (!onPage) {
			onPage = { record_type_id, record_type_name, record_type_record_results: [] };
			groups.set(record_type_id, onPage);
		}
		onPage.record_type_record_results.push(entry);
	}
	return [...groups.values()];
}

/** The records of one page: groups, or single rows where a service has them. */
export function recordRows(entries: readonly TypedEntry[], traits: Traits): object[] {
	if (!traits.has('flat-records')) return recordGroups(entries);
	return entries.map(({ group, entry }) => ({
		id: entry.id,
		record_type_id: group.record_type_id,
		record_type_name: group.record_type_name,
		results: entry.results,
		created_at: entry.created_at,
	}));
}

/** The URL of a case's list of activities, comments or records. */
export function caseUrl(baseUrl: string, caseId: number, list: string): string {
	return `${baseUrl}/api/v2/cases/${caseId}/${list}`;
}

export interface CaseJsonOptions {
	baseUrl: string;
	/** How many activities and record entries a case carries. */
	detailsPerPage: number;
	traits: Traits;
}

/** A case as lists show it. */
export function caseJson(
	store: CaseStore,
	found: Case,
	{ baseUrl, detailsPerPage, traits }: CaseJsonOptions,
	actionsInRows?: keyof typeof ACTION_ROWS,
) {
	const toRow = actionsInRows ? ACTION_ROWS[actionsInRows] : actionRow;
	const firstPage = { page: 1, per_page: detailsPerPage };
	const activities = pageOf(found.activities(), firstPage);
	const records = pageOf(recordEntries(found), firstPage);
	return {
		case_id: found.case_id,
		name: found.name,
		description: found.description,
		status: found.status,
		priority: found.priority,
		url: `${baseUrl}/cases/${found.case_id}`,
		metadata: found.metadata,
		author: inCase(found.author),
		opened_by: found.opened_by && inCase(found.opened_by),
		resolved_by: found.resolved_by && inCase(found.resolved_by),
		assignees: found.assignees.map(inCase),
		tags: found.tags,
		activities: activities.rows.map((activity) => activityJson(activity, traits)),
		activities_meta: metaOf(activities, caseUrl(baseUrl, found.case_id, 'activities'), traits),
		team: found.team,
		actions: found.actions().map((action) => toRow(action, found.case_id, traits)),
		linked_cases: found.linked_case_ids.flatMap((id) => {
			const linked = store.findCase(id);
			return linked ? [{ case_id: linked.case_id, name: linked.name }] : [];
		}),
		closure_conditions: found.closure_conditions,
		opened_at: found.opened_at,
		resolved_at: found.resolved_at,
		created_at: found.created_at,
		updated_at: found.updated_at,
		records: recordRows(records.rows, traits),
		records_meta: metaOf(records, caseUrl(baseUrl, found.case_id, 'records'), traits),
		...(traits.has('sub-status') && { sub_status: subStatusOf(found) }),
		...(traits.has('case-fields') && { fields: found.fields ?? {} }),
		...(traits.has('sla') && {
			sla: slaJson(found, store.now().getTime()),
			slas: [{ name: 'Resolution', ...slaJson(found, store.now().getTime()) }],
		}),
	};
}
