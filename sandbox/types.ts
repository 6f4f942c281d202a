/** The objects that the service holds. */

export const CASE_STATUSES = ['OPEN', 'CLOSED'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** From least to most urgent, as PRIORITY_ASC sorts them. */
export const PRIORITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const ORDERS = [
	'RECENTLY_EDITED',
	'LEAST_RECENTLY_EDITED',
	'PRIORITY_ASC',
	'PRIORITY_DESC',
	'OPENED_ASC',
	'OPENED_DESC',
	'CREATED_ASC',
	'CREATED_DESC',
] as const;
export type Order = (typeof ORDERS)[number];

export const ACTION_TYPES = ['webhook', 'page'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

export interface User {
	user_id: number;
	first_name: string;
	last_name: string;
	email: string;
	avatar_url: string;
	is_service_account: boolean;
}

interface Named {
	id: number;
	name: string;
}
export type Tag = Named;
export type Team = Named;
/** A finer status of a case, as a grown service has it. */
export type SubStatus = Named;

/** The value of a case for a field of its team. */
export interface FieldValue {
	id: number;
	input_id: number;
	value: string;
}

/** One emoji of a comment, and the users who reacted with it. */
export interface Reaction {
	emoji: string;
	reactants: Array<{ user_id: number; user_name: string; reacted_at: string }>;
}

/** The document has the first two; the others come from a service that has grown. */
export const ACTIVITY_TYPES = [
	'CREATED',
	'COMMENTED',
	'ASSIGNED',
	'UNASSIGNED',
	'STATUS_UPDATED',
	'SUB_STATUS_UPDATED',
	'SEVERITY_UPDATED',
	'DELETED_COMMENT',
	'FILE_ATTACHED',
	'FILE_ATTACHED_AND_COMMENTED',
	'FILE_DELETED',
	'TAGS_ADDED',
	'TAGS_REMOVED',
	'RECORD_RESULT_SET_ADDED',
	'RECORD_RESULT_SET_REMOVED',
	'CHECKLIST_ITEM_COMPLETED',
	'CHECKLIST_ITEM_INCOMPLETE',
	'LINKED_CASE_ADDED',
	'LINKED_CASE_REMOVED',
	'METADATA_UPDATED',
	'SLA_WARNING',
	'SLA_EXCEEDED',
	'FIELD_UPDATED',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** An entry of a case's history. A COMMENTED activity is also a comment, hence the reactions. */
export interface Activity {
	id: number;
	activity_type: ActivityType;
	value: string;
	user: User;
	created_at: string;
	reactions: Reaction[];
	file?: StoredFile;
}

export interface StoredFile {
	filename: string;
	bytes: Buffer;
}

/** One record: its values by field. */
export interface RecordEntry {
	id: number;
	results: Array<{ id: number; name: string; value: string }>;
	created_at: string;
}

/** A record with its type, as part of a list. */
export interface TypedRecord {
	group: RecordGroup;
	entry: RecordEntry;
}

/** The records of one type in a case. */
export interface RecordGroup {
	record_type_id: number;
	record_type_name: string;
	record_type_record_results: RecordEntry[];
}

/** An action as a request submits it. */
export interface ActionInput {
	url: string;
	label: string;
	action_type: ActionType;
	action_text?: string;
	/** Only a grown service takes it. */
	query_params?: Readonly<Record<string, string>>;
}

/** A button of a case; its story, if any, is found by its URL. */
export interface Action extends Omit<ActionInput, 'action_text'> {
	id: number;
	action_text: string | null;
	story_name: string | null;
	story_emoji: string | null;
	created_at: string;
	updated_at: string;
}

/** A step of the playbook of a case. */
export interface Task {
	id: number;
	description: string;
	completed: boolean;
	assignees: readonly User[];
	created_at: string;
	updated_at: string;
}

/** Where the changes of a team's cases are posted. */
export interface CaseWebhook {
	id: number;
	name: string;
	url: string;
	version_number: number;
	notifications: string[];
	team: Team;
}

/**
 * A case as the store holds it. It never changes in place: every change makes a new object, so that
 * an object can be the key of a cache. The long lists are functions, because generated cases
 * compute them on demand.
 */
export interface Case {
	readonly case_id: number;
	readonly name: string;
	readonly description: string | null;
	readonly status: CaseStatus;
	/** Of a grown service. Default: one that fits the status. */
	readonly sub_status?: SubStatus;
	/** Of a grown service. */
	readonly fields: () => readonly FieldValue[];
	readonly priority: Priority;
	readonly metadata: Readonly<Record<string, string>>;
	readonly team: Team;
	readonly author: User;
	readonly opened_by: User | null;
	readonly resolved_by: User | null;
	readonly assignees: readonly User[];
	readonly tags: readonly Tag[];
	readonly linked_case_ids: readonly number[];
	readonly closure_conditions: ReadonlyArray<{ formula: string; name: string }>;
	readonly opened_at: string | null;
	readonly resolved_at: string | null;
	readonly created_at: string;
	readonly updated_at: string;
	/** Oldest first. */
	readonly activities: () => readonly Activity[];
	readonly records: () => readonly RecordGroup[];
	readonly actions: () => readonly Action[];
	/** Of a grown service. */
	readonly tasks: () => readonly Task[];
}

/** The query of GET /api/v2/cases. */
export interface CaseQuery {
	team_id?: number;
	/** Values by the names in filters.ts. */
	filters?: Readonly<Record<string, unknown>>;
	order?: Order;
	per_page?: number;
	page?: number;
}

/** What a key may see: the cases of these teams, or of all. `assigned_to_me` means `user_id`. */
export interface Access {
	user_id: number;
	team_ids: readonly number[] | 'all';
	/** Whether the values of sensitive fields are hidden. */
	isRestricted?: boolean;
}
