import { FIELDS, SUB_STATUSES } from './directory';
import type { Traits } from './grown';
import { metaOf, pageOf } from './page';
import type { Service } from './service';
import type { CaseStore } from './store';
import type {
	Action,
	Activity,
	Case,
	FieldValue,
	RecordGroup,
	SubStatus,
	TypedRecord,
	User,
} from './types';

/** A user: the id is text in case lists and a number in comment lists. */
const inCase = (user: User) => ({ ...user, user_id: String(user.user_id) });

/** An activity, as a case and the list of activities show it. */
export function activityJson(
	{ id, activity_type, value, user, created_at, reactions, file }: Activity,
	{ baseUrl, traits }: Pick<Service, 'baseUrl' | 'traits'>,
	caseId: number,
) {
	// As on the page of a tenant: http, whatever the service has.
	const url = `${caseUrl(baseUrl, caseId, 'files')}/${id}/download`.replace(/^https/, 'http');
	return {
		id,
		activity_type,
		value,
		user: inCase(user),
		created_at,
		...(traits.has('further-fields') && { file: null, reactions }),
		...(file && { file: { filename: file.filename, url } }),
	};
}

/** A comment, as the list of comments shows it. */
export function commentJson(
	{ id, activity_type, value, created_at, user, reactions }: Activity,
	traits: Traits,
) {
	const author = traits.has('further-fields') ? inCase(user) : user;
	return { id, activity_type, value, created_at, user: author, reactions };
}

/** An action with all its fields, as the answer of the batch update shows it. */
export function actionJson({ query_params, ...action }: Action, caseId: number, traits: Traits) {
	return traits.has('further-fields')
		? singleActionJson({ ...action, query_params }, caseId)
		: action;
}

/** An action, as the requests for single actions show it. */
export function singleActionJson(action: Action, case_id: number): object {
	return { query_params: {}, ...action, page_emoji: action.story_emoji, case_id };
}

/** An action, as lists of cases show it. */
const actionRow = ({ id, url, label, action_type, action_text }: Action, traits: Traits) => ({
	...{ id, url, label, action_type },
	...(traits.has('further-fields') && { action_text }),
});

/** The sub-status of a case; without one of its own, the default of its team. */
export function subStatusOf({ status, sub_status, team }: Case): SubStatus {
	const ofTeam = SUB_STATUSES.filter((one) => one.default && one.team_id === team.id);
	const { id, name } = sub_status ?? ofTeam.find((one) => one.parent_status === status)!;
	return { id, name };
}

/** The values of a case's fields; those of sensitive fields are masked for a key that may not read them. */
export const fieldRows = (values: readonly FieldValue[], isRestricted = false) =>
	values.map(({ id, input_id, value }) => {
		const field = FIELDS.find((one) => one.id === input_id)!;
		const { key, name, validation_type, validation_options } = field;
		return {
			...{ id, value: field.sensitive && isRestricted ? '••••••' : value },
			case_input: { id: input_id, key, name, validation_type, validation_options },
		};
	});

/** The seconds since the case was created, as an SLA counts them. */
function slaJson({ created_at, status }: Case, now: number) {
	const elapsed = Math.floor((now - Date.parse(created_at)) / 1000);
	return { time_to_resolve: elapsed, is_running: status === 'OPEN' };
}

/** The record entries of a case. Pages are cut from these, and each page groups its own by type. */
export function recordEntries(found: Case): TypedRecord[] {
	return found
		.records()
		.flatMap((group) => group.record_type_record_results.map((entry) => ({ group, entry })));
}

/** The records of one page: groups by type, or single rows where a service has them. */
export function recordRows(entries: readonly TypedRecord[], traits: Traits): object[] {
	if (traits.has('flat-records')) {
		return entries.map(({ group: { record_type_id, record_type_name }, entry }) => ({
			...entry,
			record_type_id,
			record_type_name,
		}));
	}
	return groupedRecords(entries);
}

export function groupedRecords(entries: readonly TypedRecord[]): RecordGroup[] {
	const groups = new Map<number, RecordGroup>();
	for (const { group, entry } of entries) {
		const onPage = groups.get(group.record_type_id) ?? { ...group, record_type_record_results: [] };
		onPage.record_type_record_results.push(entry);
		groups.set(group.record_type_id, onPage);
	}
	return [...groups.values()];
}

/** The cases that a case is linked to, of those that are there. */
export function linkedCases(store: CaseStore, { linked_case_ids }: Case) {
	const linked = linked_case_ids.flatMap((id) => store.findCase(id) ?? []);
	return linked.map(({ case_id, name }) => ({ case_id, name }));
}

/** The URL of a case's list of activities, comments or records. */
export function caseUrl(baseUrl: string, caseId: number, list: string): string {
	return `${baseUrl}/api/v2/cases/${caseId}/${list}`;
}

/** How many values of fields a case in a list carries; nobody has shown how many. */
const FIELDS_IN_ROWS = 20;

/** A case as lists show it. */
export function caseJson(
	found: Case,
	service: Pick<Service, 'store' | 'baseUrl' | 'detailsPerPage' | 'traits' | 'isRestricted'>,
) {
	const { store, baseUrl, detailsPerPage, traits, isRestricted } = service;
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
		activities: activities.rows.map((activity) => activityJson(activity, service, found.case_id)),
		activities_meta: metaOf(activities, caseUrl(baseUrl, found.case_id, 'activities'), traits),
		team: found.team,
		actions: found.actions().map((action) => actionRow(action, traits)),
		linked_cases: linkedCases(store, found),
		closure_conditions: found.closure_conditions,
		opened_at: found.opened_at,
		resolved_at: found.resolved_at,
		created_at: found.created_at,
		updated_at: found.updated_at,
		records: recordRows(records.rows, traits),
		records_meta: metaOf(records, caseUrl(baseUrl, found.case_id, 'records'), traits),
		...(traits.has('newer-requests') && {
			sub_status: subStatusOf(found),
			fields: fieldRows(found.fields().slice(0, FIELDS_IN_ROWS), isRestricted),
		}),
		...(traits.has('further-fields') && {
			sla: slaJson(found, store.now().getTime()),
			slas: [{ name: 'Resolution', ...slaJson(found, store.now().getTime()) }],
		}),
	};
}
