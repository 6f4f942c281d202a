import { readActionBody, readActionsBody } from './actionsBody';
import {
	createWebhook,
	deleteWebhook,
	findWebhook,
	updateWebhook,
	visibleWebhooks,
} from './caseWebhooks';
import { addComment, createCase, deleteComment, editComment, updateCase } from './caseWrites';
import { batchAnswer } from './deviating/actions';
import { deviatingMeta } from './deviating/pages';
import { deviatingRows, hasOtherRows } from './deviating/rows';
import { isHit } from './deviating/hits';
import { viewOf } from './deviating/view';
import type { Deviations, ListName } from './deviations';
import { JSON_TYPE } from './answers';
import { ApiError } from './errors';
import type { Meta, Page } from './page';
import {
	parseCaseQuery,
	parsePageQuery,
	parseTagQuery,
	type PageQuery,
	type ParsedQuery,
} from './params';
import { listCases, mayRead } from './query';
import {
	actionJson,
	activityJson,
	caseJson,
	caseUrl,
	commentJson,
	metaOf,
	singleActionJson,
	pageOf,
	recordEntries,
	recordRows,
} from './serialize';
import type { Payload, Service } from './service';
import { TEAMS } from './directory';
import type { Access, Activity, Case, CaseQuery } from './types';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface EndpointRequest {
	/** The ids in the path as text, if the path has them. */
	caseId?: string;
	actionId?: string;
	commentId?: string;
	webhookId?: string;
	/** Without `?`. */
	queryString: string;
	body: unknown;
}

/** How scripted faults change the reading of a list. */
export interface ListFaults {
	/** The server's own maximum page size. */
	maxPerPage: number;
	ignoredFilters: readonly string[];
}

/** A request that follows the API document: the page it requests, and how to carry it out. */
export interface Call {
	page: number;
	/** @throws ApiError 404 */
	run(access: Access, faults: ListFaults): Payload;
}

/** Checks a request against the API document. @throws ApiError a breach, 400 or 422 */
export type Endpoint = (service: Service, request: EndpointRequest) => Call;

/** Lists cases by filters, order and page; without per_page a page has 20 cases. */
const casesEndpoint: Endpoint = (service, { queryString }) => {
	const parsed = parseCaseQuery(queryString, service.dialect);
	const query = checked<CaseQuery>(service, parsed);
	return {
		page: query.page ?? 1,
		run(access, { maxPerPage, ignoredFilters }) {
			// A team that the key may not see looks like one that doesn't exist.
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
			const itemsJson = page.rows.map((row) => cachedCaseJson(service, row));
			return {
				fields: {},
				list: { name: 'cases', itemsJson: withDeviations(service, 'cases', itemsJson) },
				meta: deviatingMetaOf(service, page, `${service.baseUrl}/api/v2/cases`, queryString),
			};
		},
	};
};

/** Lists the comments of a case, page by page. */
const commentsEndpoint: Endpoint = caseListEndpoint('comments', (service, found, page) => {
	const comments = found.activities().filter(({ activity_type }) => activity_type === 'COMMENTED');
	if (service.commentsOrder === 'newest') comments.reverse();
	const onPage = pageOf(comments, page, service.deviating.current.list);
	return {
		fields: { case_id: found.case_id },
		onPage,
		items: onPage.rows.map((comment) => commentJson(comment, service.traits)),
	};
});

/**
 * Lists the activities of a case. The API document shows only the URL, in activities_meta: the shape of the
 * answer is a guess.
 */
const activitiesEndpoint: Endpoint = caseListEndpoint(
	'activities',
	(service, found, { page, per_page = service.detailsPerPage }) => {
		const { list } = service.deviating.current;
		const onPage = pageOf(found.activities(), { page, per_page }, list);
		return {
			fields: {},
			onPage,
			items: onPage.rows.map((one) => activityJson(one, service.traits)),
		};
	},
);

/**
 * Lists the records of a case. The API document shows only the URL, in records_meta: the shape of the
 * answer is a guess.
 */
const recordsEndpoint: Endpoint = caseListEndpoint(
	'records',
	(service, found, { page, per_page = service.detailsPerPage }) => {
		const { list } = service.deviating.current;
		const onPage = pageOf(recordEntries(found), { page, per_page }, list);
		return { fields: {}, onPage, items: recordRows(onPage.rows, service.traits) };
	},
);

/** Replaces all actions of a case; the answer has the new ones. */
const replaceActionsEndpoint: Endpoint = (service, { caseId, queryString, body }) => {
	const id = readCaseId(caseId);
	if (queryString !== '' && service.strict) {
		throw ApiError.breach(400, `The batch update takes no query parameters, not ?${queryString}`);
	}
	const actions = readActionsBody(body, service.traits);
	return {
		page: 1,
		run(access) {
			const { case_id } = visibleCase(service, access, id);
			const replaced = service.store.replaceActions(case_id, actions);
			const itemsJson = replaced.map((one) => JSON.stringify(actionJson(one, id, service.traits)));
			return batchAnswer(service, {
				fields: { case_id },
				list: { name: 'actions', itemsJson: withDeviations(service, 'actions', itemsJson, id) },
			});
		},
	};
};

/** A request for single actions. The document doesn't have them; see README.md. */
const single =
	(endpoint: Endpoint): Endpoint =>
	(service, request) => {
		const status = service.deviating.current.actions?.noSingles;
		if (status !== undefined) throw new ApiError(status, 'There is no such request');
		return endpoint(service, request);
	};

/** An answer that is one object, or nothing with 204. */
const answered = (body?: object): Payload => ({
	fields: {},
	list: { name: 'actions', itemsJson: [] },
	instead:
		body === undefined
			? { status: 204, body: '' }
			: { status: 200, contentType: JSON_TYPE, body: JSON.stringify(body) },
});

/** @param write changes the case; undefined where it doesn't have the action */
const singleWrite = (
	write: (
		service: Service,
		ids: { case_id: number; actionId: number },
		body: unknown,
	) => Payload | undefined,
): Endpoint =>
	single((service, { caseId, actionId, body }) => {
		const id = readCaseId(caseId);
		return {
			page: 1,
			run(access) {
				const { case_id } = visibleCase(service, access, id);
				const payload = write(service, { case_id, actionId: Number(actionId) }, body);
				if (!payload) throw notFound();
				return payload;
			},
		};
	});

const createActionEndpoint = singleWrite(({ store }, { case_id }, body) =>
	answered(singleActionJson(store.addAction(case_id, readActionBody(body, false)), case_id)),
);

const updateActionEndpoint = singleWrite(({ store }, { case_id, actionId }, body) => {
	const updated = store.updateAction(case_id, actionId, readActionBody(body, true));
	return updated && answered(singleActionJson(updated, case_id));
});

const deleteActionEndpoint = singleWrite(({ store }, { case_id, actionId }) =>
	store.deleteAction(case_id, actionId) ? answered() : undefined,
);

const listActions: Endpoint = caseListEndpoint('actions', (service, found, page) => {
	const onPage = pageOf(found.actions(), page, service.deviating.current.list);
	const items = onPage.rows.map((one) => singleActionJson(one, found.case_id));
	return { fields: { case_id: found.case_id }, onPage, items };
});

/** An answer without a list. */
const answerWith = (status: number, value?: object): Payload => ({
	fields: {},
	list: { name: 'cases', itemsJson: [] },
	instead: {
		status,
		...(value
			? { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) }
			: { body: '' }),
	},
});

/** A request for a case or comment that only a grown service has. @param run returns the answer; none is 204 */
const grownRequest =
	(
		run: (service: Service, access: Access, request: EndpointRequest) => object | undefined,
	): Endpoint =>
	(service, request) => {
		if (!service.traits.has('case-writes')) {
			throw ApiError.breach(404, 'Cases can only be listed, and their actions replaced');
		}
		return {
			page: 1,
			run: (access) => {
				const value = run(service, access, request);
				return answerWith(value ? 200 : 204, value);
			},
		};
	};

/** As {@link grownRequest}, for a case that is there. */
const ofCase = (
	run: (service: Service, access: Access, found: Case, request: EndpointRequest) => object | void,
): Endpoint =>
	grownRequest((service, access, request) => {
		const found = visibleCase(service, access, readCaseId(request.caseId));
		return run(service, access, found, request) ?? undefined;
	});

const shownCase = (service: Service, found: Case) => caseJson(service.store, found, service);

const shownComment = ({ traits }: Service, { case_id }: Case, comment: Activity) => ({
	case_id,
	...commentJson(comment, traits),
});

const createCaseEndpoint = grownRequest((service, access, { body }) =>
	shownCase(service, createCase(service.store, access, body)),
);

const getCaseEndpoint = ofCase((service, _access, found) => shownCase(service, found));

const updateCaseEndpoint = ofCase((service, access, found, { body }) =>
	shownCase(service, updateCase(service.store, access, found, body)),
);

const addCommentEndpoint = ofCase((service, access, found, { body }) =>
	shownComment(service, found, addComment(service.store, access, found, body)),
);

const editCommentEndpoint = ofCase((service, access, found, { commentId = '', body }) =>
	shownComment(service, found, editComment(service.store, access, found, commentId, body)),
);

const deleteCommentEndpoint = ofCase((service, access, found, { commentId = '' }) =>
	deleteComment(service.store, access, found, commentId),
);

/** A list of /api/v1, which only a grown service has. Another one may well be asked for it. */
function grownList(
	name: 'teams' | 'tags',
	rows: (service: Service, access: Access, teamId?: number) => object[],
): Endpoint {
	return (service, { queryString }) => {
		if (!service.traits.has('teams-and-tags')) throw notFound();
		const parse = name === 'tags' ? parseTagQuery : parsePageQuery;
		const query = checked<PageQuery & { team_id?: number }>(service, parse(queryString));
		return {
			page: query.page ?? 1,
			run(access) {
				if (query.team_id !== undefined) requireTeam(access, query.team_id);
				const page = pageOf(rows(service, access, query.team_id), query);
				const itemsJson = page.rows.map((row) => JSON.stringify(row));
				const url = `${service.baseUrl}/api/v1/${name}`;
				return {
					fields: {},
					list: { name, itemsJson },
					meta: metaOf(page, url, service.traits, queryString),
				};
			},
		};
	};
}

const teamsEndpoint = grownList('teams', (_service, access) =>
	TEAMS.filter(({ id }) => mayRead(access, id)),
);

/** The tags of teams that the key may see; one that no case has belongs to all of them. */
const tagsEndpoint = grownList('tags', ({ store }, access, teamId) => {
	const visible = TEAMS.filter(({ id }) => mayRead(access, id));
	const cases = [...store.cases()];
	return store
		.tags()
		.map((tag) => {
			const used = cases.filter(({ tags }) => tags.some(({ id }) => id === tag.id));
			const teams = visible.filter(
				({ id }) => used.length === 0 || used.some(({ team }) => team.id === id),
			);
			return { ...tag, color: 'default', teams };
		})
		.filter(({ teams }) => teams.some(({ id }) => teamId === undefined || id === teamId));
});

/** A request for the webhooks of a team. @param run returns the answer; none is 204 */
const webhookRequest =
	(
		run: (service: Service, access: Access, request: EndpointRequest) => object | undefined,
	): Endpoint =>
	(service, request) => {
		if (!service.traits.has('case-webhooks')) throw notFound();
		return {
			page: 1,
			run: (access) => {
				const value = run(service, access, request);
				return answerWith(value ? 200 : 204, value);
			},
		};
	};

const WEBHOOKS_PATH = '/api/v1/case_webhooks';

const webhooksEndpoint = webhookRequest((service, access, { queryString }) => {
	const parsed = parseTagQuery(queryString);
	const query = checked<PageQuery & { team_id?: number }>(service, parsed);
	const page = pageOf(visibleWebhooks(service, access, query.team_id), query);
	const url = `${service.baseUrl}${WEBHOOKS_PATH}`;
	return { webhooks: page.rows, meta: metaOf(page, url, service.traits, queryString) };
});

const createWebhookEndpoint = webhookRequest((service, access, { body }) => ({
	webhook: createWebhook(service, access, body),
}));

const getWebhookEndpoint = webhookRequest((service, access, { webhookId }) => ({
	webhook: findWebhook(service, access, webhookId),
}));

const updateWebhookEndpoint = webhookRequest((service, access, { webhookId, body }) => ({
	webhook: updateWebhook(service, access, webhookId, body),
}));

const deleteWebhookEndpoint = webhookRequest((service, access, { webhookId }) => {
	deleteWebhook(service, access, webhookId);
	return undefined;
});

/** Every operation of the service; paths are in fastify's syntax. */
export const ROUTES: ReadonlyArray<{ method: Method; path: string; endpoint: Endpoint }> = [
	{ method: 'GET', path: '/api/v2/cases', endpoint: casesEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId/comments', endpoint: commentsEndpoint },
	{ method: 'PUT', path: '/api/v2/cases/:caseId/actions/batch', endpoint: replaceActionsEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId/activities', endpoint: activitiesEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId/records', endpoint: recordsEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId/actions', endpoint: single(listActions) },
	{ method: 'POST', path: '/api/v2/cases/:caseId/actions', endpoint: createActionEndpoint },
	{
		method: 'PUT',
		path: '/api/v2/cases/:caseId/actions/:actionId',
		endpoint: updateActionEndpoint,
	},
	{
		method: 'DELETE',
		path: '/api/v2/cases/:caseId/actions/:actionId',
		endpoint: deleteActionEndpoint,
	},
	{ method: 'POST', path: '/api/v2/cases', endpoint: createCaseEndpoint },
	{ method: 'GET', path: '/api/v2/cases/:caseId', endpoint: getCaseEndpoint },
	{ method: 'PUT', path: '/api/v2/cases/:caseId', endpoint: updateCaseEndpoint },
	{ method: 'POST', path: '/api/v2/cases/:caseId/comments', endpoint: addCommentEndpoint },
	{
		method: 'PUT',
		path: '/api/v2/cases/:caseId/comments/:commentId',
		endpoint: editCommentEndpoint,
	},
	{
		method: 'DELETE',
		path: '/api/v2/cases/:caseId/comments/:commentId',
		endpoint: deleteCommentEndpoint,
	},
	{ method: 'GET', path: '/api/v1/teams', endpoint: teamsEndpoint },
	{ method: 'GET', path: '/api/v1/tags', endpoint: tagsEndpoint },
	{ method: 'GET', path: WEBHOOKS_PATH, endpoint: webhooksEndpoint },
	{ method: 'POST', path: WEBHOOKS_PATH, endpoint: createWebhookEndpoint },
	{ method: 'GET', path: `${WEBHOOKS_PATH}/:webhookId`, endpoint: getWebhookEndpoint },
	{ method: 'PUT', path: `${WEBHOOKS_PATH}/:webhookId`, endpoint: updateWebhookEndpoint },
	{ method: 'DELETE', path: `${WEBHOOKS_PATH}/:webhookId`, endpoint: deleteWebhookEndpoint },
];

/** A list that belongs to one case; it takes page and per_page only. */
function caseListEndpoint(
	name: Exclude<ListName, 'cases'>,
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
				const found = visibleCase(service, access, id);
				failWhereSet(service, name, id);
				const { fields, onPage, items } = read(service, found, {
					page: query.page,
					per_page: maxPerPage < (query.per_page ?? Infinity) ? maxPerPage : query.per_page,
				});
				return {
					fields,
					list: {
						name,
						itemsJson: withDeviations(
							service,
							name,
							items.map((item) => JSON.stringify(item)),
							id,
						),
					},
					meta: deviatingMetaOf(service, onPage, caseUrl(service.baseUrl, id, name), queryString),
				};
			},
		};
	};
}

function checked<Query>(
	{ strict, deviating }: Service,
	{ query, unknown, problems }: ParsedQuery<Query>,
): Query {
	const breaches = [...(deviating.current.filters?.unknownIgnored ? [] : unknown), ...problems];
	if (strict && breaches.length > 0) throw ApiError.breach(400, breaches.join('; '));
	return query;
}

function readCaseId(caseId = ''): number {
	if (/^[1-9]\d{0,14}$/.test(caseId)) return Number(caseId);
	throw ApiError.breach(400, `case_id in the path must be a positive integer, not '${caseId}'`);
}

function notFound(): ApiError {
	return new ApiError(404, 'Not found');
}

/** The case with this id; one that the key may not see looks like one that doesn't exist. */
function visibleCase({ store, deviating }: Service, access: Access, caseId: number): Case {
	const found = store.findCase(caseId);
	if (!found || !mayRead(access, found.team.id)) throw notFound();
	const view = viewOf(store, deviating.current, store.now().getTime());
	const shown = view ? view(found) : found;
	if (!shown) throw notFound();
	return shown;
}

/** The rows of a page as JSON texts, changed as the deviations say. */
function withDeviations(
	{ deviating }: Service,
	name: ListName,
	itemsJson: string[],
	caseId?: number,
): string[] {
	if (!hasOtherRows(deviating.current)) return itemsJson;
	const items = itemsJson.map((json) => JSON.parse(json) as unknown);
	const turn = deviating.turn();
	return deviatingRows(deviating.current, name, items, { caseId, turn }).map((row) =>
		JSON.stringify(row),
	);
}

function deviatingMetaOf(
	{ deviating, traits }: Service,
	page: Page<unknown>,
	url: string,
	queryString: string,
): Partial<Meta> | undefined {
	const meta = metaOf(page, url, traits, queryString);
	const { list } = deviating.current;
	return list ? deviatingMeta(list, meta, page.total) : meta;
}

/** @throws ApiError if this list of this case is set to fail */
function failWhereSet({ deviating }: Service, list: ListName, caseId: number): void {
	const failing = deviating.current.rows?.failing?.find(
		(one) => one.list === list && isHit(one, caseId),
	);
	if (failing) throw new ApiError(failing.status, `The ${list} can't be read`);
}

function requireTeam(access: Access, teamId: number): void {
	if (!TEAMS.some(({ id }) => id === teamId) || !mayRead(access, teamId)) throw notFound();
}

/**
 * The JSON of cases in lists. A case object never changes in place, so its JSON stays valid. Cases
 * with linked cases aren't cached: their JSON has the names of the linked cases, which may change. Neither are
 * cases that a deviating service sees differently: they are made for one answer. Nor are running times.
 */
const jsonCaches = new WeakMap<Deviations, { free: number; byCase: WeakMap<Case, string> }>();
const MAX_CACHED_CASES = 30_000;

function cachedCaseJson(service: Service, found: Case): string {
	const { current } = service.deviating;
	let cache = jsonCaches.get(current);
	if (!cache) {
		cache = { free: MAX_CACHED_CASES, byCase: new WeakMap() };
		jsonCaches.set(current, cache);
	}
	let json = cache.byCase.get(found);
	if (json === undefined) {
		json = JSON.stringify(caseJson(service.store, found, service, current.actions?.inRows));
		const isStored = service.store.findCase(found.case_id) === found;
		const isStable = isStored && found.linked_case_ids.length === 0 && !service.traits.has('sla');
		if (cache.free > 0 && isStable) {
			cache.byCase.set(found, json);
			cache.free--;
		}
	}
	return json;
}
