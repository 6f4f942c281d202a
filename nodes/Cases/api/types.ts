/** Types of the Cases API. The API document promises no field of a row, so each may be missing. */

export type Row = { [key: string]: unknown };

/** A case, with the fields that this package reads. */
export type Case = Row & {
	case_id?: number | string;
	name?: string;
	status?: string;
	updated_at?: string;
	actions?: CaseAction[];
};

/** An entry of a case's history. A comment is also an activity, of the type COMMENTED. */
export type Activity = Row & {
	id?: number | string;
	activity_type?: string;
	value?: string;
	created_at?: string;
};

/** An action of a case as the service returns it. In a list of cases it usually lacks its button text. */
export type CaseAction = Row & { url?: string; label?: string; action_type?: string };

/** An action as a write sends it. */
export interface ActionInput {
	url: string;
	label: string;
	action_type: 'webhook' | 'page';
	action_text?: string;
	/** Only newer services know query parameters, so they are sent only where the user gives some. */
	query_params?: Row;
}

/** One page of a list: its rows, and what is usable of its pagination object. */
export interface Page {
	rows: Row[];
	meta: PageMeta;
	/** When the service began to answer, by its own Date header, in ms since the epoch; undefined without one. */
	servedAt?: number;
}

/** What a pagination object says. A number is undefined where it is missing or not a positive integer. */
export interface PageMeta {
	perPage?: number;
	pages?: number;
	/** The number of rows on the page or on all pages: services differ. */
	count?: number;
	/** The number of rows on all pages; undefined where `count` doesn't agree with `pages` and `perPage`. */
	total?: number;
	hasNextPage: boolean;
}

/** How a service may want array filters in the query string; the API document leaves it open. */
export const ARRAY_FORMATS = ['brackets', 'indices', 'repeat', 'comma'] as const;

export type ArrayFormat = (typeof ARRAY_FORMATS)[number];

/** Case priorities, lowest first. */
export const PRIORITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

export const STATUSES = ['OPEN', 'CLOSED'] as const;

/** Largest page size of a list, by the API document. */
export const MAX_PAGE_SIZE = 50;

/** Largest page size of the case list in newer versions of the service. */
export const MAX_CASES_PER_PAGE = 500;
