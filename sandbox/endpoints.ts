import { readActionsBody } from './actionsBody';
import { ApiError } from './errors';
import { parseCaseQuery, parsePageQuery, type PageQuery, type ParsedQuery } from './params';
import { listCases, mayRead, type QueryOptions } from './query';
import {
	actionJson,
	activityJson,
	caseJson,
	caseUrl,
	commentJson,
	metaOf,
	pageOf,
	recordEntries,
	recordGroups,
	type Meta,
	type Page,
} from './serialize';
import type { CaseStore } from './store';
import { TEAMS } from './directory';
import type { Access, ArrayFormat, Case, CaseQuery } from './types';

/** What the service does where the document is silent; see README.md. */
export interface ServiceOptions {
	/** Refuse everything that is outside the document. Default true. */
	strict?: boolean;
	/** Default brackets. */
	arrayFormat?: ArrayFormat;
	/** What an absent end date means: today's first or last moment (UTC). Default startOfToday. */
	defaultEnd?: QueryOptions['defaultEnd'];
	/** Default oldest. */
	commentsOrder?: 'oldest' | 'newest';
	/** How many activities and records a case in a list carries. Default 10. */
	detailsPerPage?: number;
}

/** What the endpoints need to know of the sandbox. */
export interface Service extends Required<ServiceOptions> {
	store: CaseStore;
	/** The tenant's base URL, with prefix. */
	baseUrl: string;
}

export function serviceOf(
	store: CaseStore,
	baseUrl: string,
	options: ServiceOptions = {},
): Service {
	return {
		store,
		baseUrl,
		strict: options.strict ?? true,
		arrayFormat: options.arrayFormat ?? 'brackets',
		defaultEnd: options.defaultEnd ?? 'startOfToday',
		commentsOrder: options.commentsOrder ?? 'oldest',
		detailsPerPage: options.detailsPerPage ?? 10,
	};
}

export interface EndpointRequest {
	/** The id in the path as text, if the path has one. */
	caseId?: string;
	/** Without `?`. */
	queryString: string;
	body: unknown;
}

/** How scripted faults bend the reading of a list. */
export interface ListBend {
	/** The server's own maximum page size. */
	maxPerPage: number;
	ignoredFilters: readonly string[];
}

/** The parts of a right answer, apart because faults leave some of them out. */
export interface Payload {
	fields: Record<string, unknown>;
	list: { name: string; itemsJson: string[] };
	meta?: Meta;
}

/** A request that is right by the document: which page it asks for, and how to carry it out. */
export interface Call {
	page: number;
	/** @throws ApiError 404 */
	run(access: Access, bend: ListBend): Payload;
}

/** Checks a request against the document. @throws ApiError a breach, 400 or 422 */
export type Endpoint = (service: Service, request: EndpointRequest) => Call;

/** Section 4.1. */
const casesEndpoint: Endpoint = (service, { queryString }) => {
	const parsed = parseCaseQuery(queryString, service.arrayFormat);
	const query = checked<CaseQuery>(service, parsed);
	return {
		page: query.page ?? 1,
		run(access, { maxPerPage, ignoredFilters }) {
			// A team that the key may not see and one that doesn't exist look the same.
			if (query.team_id !== undefined) requireTeam(access, query.team_id);
			const filters = Object.fromEntries(
				Object.entries(query.filters ?? {}).filter(([name]) => !ignoredFilters.includes(name)),
			);
			const page = listCases(
				service.store,
				{ ...query, filters, per_page: Math.min(query.per_page ?? 20, maxPerPage) },
				access,
				service,
			);
			return {
				fields: {},
				list: { name: 'cases', itemsJson: page.rows.map((row) => cachedCaseJson(service, row)) },
				meta: metaOf(page, `${service.baseUrl}/api/v2/cases`, queryString),
			};
		},
	};
};

/** Section 4.2. */
const commentsEndpoint: Endpoint = caseListEndpoint('comments', (service, found, page) => {
	const comments = service.store.comments(found.case_id);
	if (service.commentsOrder === 'newest') comments.reverse();
	const onPage = pageOf(comments, page);
	return {
		fields: { case_id: found.case_id },
		onPage,
		items: onPage.rows.map(commentJson),
	};
});

/** The URL of activities_meta, section 2.1; the shape of its answer is a guess. */
const activitiesEndpoint: Endpoint = caseListEndpoint(
	'activities',
	(service, found, { page, per_page = service.detailsPerPage }) => {
		const onPage = pageOf(found.activities(), { page, per_page });
		return { fields: {}, onPage, items: onPage.rows.map(activityJson) };
	},
);

/** The URL of records_meta, section 2.1; the shape of its answer is a guess. */
const recordsEndpoint: Endpoint = caseListEndpoint(
	'records',
	(service, found, { page, per_page = service.detailsPerPage }) => {
		const onPage = pageOf(recordEntries(found), { page, per_page });
		return { fields: {}, onPage, items: recordGroups(onPage.rows) };
	},
);

/** Section 4.3. */
const replaceActionsEndpoint: Endpoint = (service, { caseId, queryString, body }) => {
	const id = readCaseId(caseId);
	if (queryString !== '' && service.strict) {
		throw ApiError.breach(400, `The batch update takes no query parameters, not ?${queryString}`);
	}
	const actions = readActionsBody(body);
	return {
		page: 1,
		run(access) {
			const { case_id } = visibleCase(service.store, access, id);
			const replaced = service.store.replaceActions(case_id, actions);
			return {
				fields: { case_id },
				list: {
					name: 'actions',
					itemsJson: replaced.map((one) => JSON.stringify(actionJson(one))),
				},
			};
		},
	};
};

/** Every operation of the service, with paths as fastify writes them. */
export const ROUTES: ReadonlyArray<{ method: 'GET' | 'PUT'; path: string; endpoint: Endpoint }> = [
	{ method: 'GET', path: '/api/v2/cases', endpoint: casesEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId/comments', endpoint: commentsEndpoint },
	{ method: 'PUT', path: '/api/v2/cases/:caseId/actions/batch', endpoint: replaceActionsEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId/activities', endpoint: activitiesEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId/records', endpoint: recordsEndpoint },
];

/** A list that belongs to one case and knows no parameters but pages. */
function caseListEndpoint(
	name: 'comments' | 'activities' | 'records',
	read: (
		service: Service,
		found: Case,
		page: PageQuery,
	) => { fields: Record<string, unknown>; onPage: Page<unknown>; items: unknown[] },
): Endpoint {
	return (service, { caseId, queryString }) => {
		const id = readCaseId(caseId);
		const query = checked<PageQuery>(service, parsePageQuery(queryString));
		return {
			page: query.page ?? 1,
			run(access, { maxPerPage }) {
				const found = visibleCase(service.store, access, id);
				const { fields, onPage, items } = read(service, found, {
					page: query.page,
					per_page: maxPerPage < (query.per_page ?? Infinity) ? maxPerPage : query.per_page,
				});
				return {
					fields,
					list: { name, itemsJson: items.map((item) => JSON.stringify(item)) },
					meta: metaOf(onPage, caseUrl(service.baseUrl, id, name), queryString),
				};
			},
		};
	};
}

function checked<Query>({ strict }: Service, { query, problems }: ParsedQuery<Query>): Query {
	if (strict && problems.length > 0) throw ApiError.breach(400, problems.join('; '));
	return query;
}

function readCaseId(caseId = ''): number {
	if (/^[1-9]\d{0,14}$/.test(caseId)) return Number(caseId);
	throw ApiError.breach(400, `case_id in the path must be a positive integer, not '${caseId}'`);
}

function notFound(): ApiError {
	return new ApiError(404, 'Not found');
}

/** Section 5: what a key may not see looks like what doesn't exist. */
function visibleCase(store: CaseStore, access: Access, caseId: number): Case {
	const found = store.findCase(caseId);
	if (!found || !mayRead(access, found.team.id)) throw notFound();
	return found;
}

function requireTeam(access: Access, teamId: number): void {
	if (!TEAMS.some(({ id }) => id === teamId) || !mayRead(access, teamId)) throw notFound();
}

/**
 * The JSON of cases as lists show them. Cases never change in place, so a case object stands for one
 * version of the case; linked cases are shown by name, so a case that has some isn't kept.
 */
const jsonOf = new WeakMap<Service, { left: number; byCase: WeakMap<Case, string> }>();
const MAX_KEPT_CASES = 30_000;

function cachedCaseJson(service: Service, found: Case): string {
	let kept = jsonOf.get(service);
	if (!kept) {
		kept = { left: MAX_KEPT_CASES, byCase: new WeakMap() };
		jsonOf.set(service, kept);
	}
	let json = kept.byCase.get(found);
	if (json === undefined) {
		json = JSON.stringify(caseJson(service.store, found, service));
		if (kept.left > 0 && found.linked_case_ids.length === 0) {
			kept.byCase.set(found, json);
			kept.left--;
		}
	}
	return json;
}
