import type { z } from 'zod';
import { actionBody, actionsBody } from './actionsBody';
import {
	createWebhook,
	findWebhook,
	visibleWebhooks,
	WEBHOOK,
	WEBHOOK_UPDATE,
} from './caseWebhooks';
import * as writes from './caseWrites';
import { deviatingRows, failWhereSet, viewOf, type ListName } from './deviations';
import { TEAMS } from './directory';
import { ApiError, notFound } from './errors';
import type { GrownTrait } from './grown';
import { deviatingMeta, metaOf, pageOf, type Page } from './page';
import { PAGE_PARAMETERS, readBody, readQuery, TEAM_PARAMETERS } from './params';
import { listCases, mayRead, visibleTeam } from './query';
import {
	actionJson,
	activityJson,
	caseJson,
	caseUrl,
	commentJson,
	recordEntries,
	recordRows,
	singleActionJson,
} from './serialize';
import type { Service } from './service';
import type { Access, Case, CaseQuery } from './types';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface EndpointRequest {
	/** The IDs in the path as text, by their names in ROUTES. */
	ids: Record<string, string | undefined>;
	/** Without `?`. */
	queryString: string;
	body: unknown;
}

/** A regular answer: the members of an object, among them perhaps a list whose rows are JSON already. */
interface Payload {
	/** 204 is without a body. Default 200. */
	status?: 204;
	fields?: object;
	list?: { name: string; itemsJson: string[] };
	meta?: object;
}

/** The body of an answer. */
export function textOf({ status, fields = {}, list, meta }: Payload): string {
	if (status === 204) return '';
	const members = Object.entries(fields).flatMap(([name, value]) =>
		value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`],
	);
	if (list) members.push(`"${list.name}":[${list.itemsJson.join(',')}]`);
	if (meta) members.push(`"meta":${JSON.stringify(meta)}`);
	return `{${members.join(',')}}`;
}

/** A request that follows the API document: the page it requests, and how to carry it out. */
export interface Call {
	page: number;
	/** @throws ApiError 404 */
	run(service: Service, access: Access): Payload;
}

/** Checks a request against the API document. @throws ApiError a breach, 400 or 422 */
export type Endpoint = (service: Service, request: EndpointRequest) => Call;

interface Context {
	service: Service;
	access: Access;
	ids: EndpointRequest['ids'];
}
interface CaseContext extends Context {
	found: Case;
}

/** A list, page by page; without parameters it is the list of cases. */
function list(
	name: string,
	parameters: Record<string, z.ZodType> | undefined,
	read: (
		context: Context,
		query: CaseQuery,
	) => { page: Page<unknown>; itemsJson: string[]; url?: string; fields?: object },
): Endpoint {
	return (checking, { ids, queryString }) => {
		checkCaseId(ids);
		const query = readQuery(checking, queryString, parameters);
		return {
			page: query.page ?? 1,
			run(service, access) {
				const { page, itemsJson, fields, url } = read({ service, access, ids }, query);
				const address = url ?? `${service.baseUrl}/api/v1/${name}`;
				const meta = metaOf(page, address, service.traits, queryString);
				const { list: deviations } = service.deviations;
				return {
					fields,
					list: deviations?.noRows ? undefined : { name, itemsJson },
					meta: deviatingMeta(meta, deviations),
				};
			},
		};
	};
}

/** A list that belongs to one case. */
const listOfCase = (
	name: ListName,
	read: (
		context: CaseContext,
		query: CaseQuery,
	) => { page: Page<unknown>; items: object[]; fields?: object },
): Endpoint =>
	list(name, PAGE_PARAMETERS, (context, query) => {
		const { service } = context;
		const found = visibleCase(context);
		failWhereSet(service.deviations, name, found.case_id);
		const { items, ...rest } = read({ ...context, found }, query);
		const json = items.map((item) => JSON.stringify(item));
		return {
			...rest,
			url: caseUrl(service.baseUrl, found.case_id, name),
			itemsJson: deviatingRows(service.deviations, name, json, found.case_id),
		};
	});

/** A request for one thing. @param run returns the answer; without one it is 204 */
const request =
	<Given>(
		schema: z.ZodType<Given> | undefined,
		run: (context: Context, given: Given) => object | void,
	): Endpoint =>
	(_service, { ids, body }) => {
		checkCaseId(ids);
		const given = schema ? readBody(schema, body) : (undefined as Given);
		return {
			page: 1,
			run(service, access) {
				const fields = run({ service, access, ids }, given);
				return fields ? { fields } : { status: 204 };
			},
		};
	};

/** As {@link request}, for a case that is there. */
const requestOfCase = <Given>(
	schema: z.ZodType<Given> | undefined,
	run: (context: CaseContext, given: Given) => object | void,
): Endpoint =>
	request(schema, (context, given) => run({ ...context, found: visibleCase(context) }, given));

const casesEndpoint = list('cases', undefined, ({ service, access }, query) => {
	if (query.team_id !== undefined) visibleTeam(access, query.team_id);
	const page = listCases(service.store, query, access, service);
	const json = page.rows.map((row) => cachedCaseJson(service, row));
	return {
		page,
		itemsJson: deviatingRows(service.deviations, 'cases', json),
		url: `${service.baseUrl}/api/v2/cases`,
	};
});

const commentsEndpoint = listOfCase('comments', ({ service, found }, query) => {
	const comments = found.activities().filter(({ activity_type }) => activity_type === 'COMMENTED');
	if (service.commentsOrder === 'newest') comments.reverse();
	const page = pageOf(comments, query, service.deviations.list);
	const items = page.rows.map((comment) => commentJson(comment, service.traits));
	return { fields: { case_id: found.case_id }, page, items };
});

/** The API document shows only the URL, in activities_meta: the shape of the answer is a guess. */
const activitiesEndpoint = listOfCase('activities', ({ service, found }, query) => {
	const { detailsPerPage: per_page, deviations, traits } = service;
	const page = pageOf(found.activities(), { per_page, ...query }, deviations.list);
	return { page, items: page.rows.map((one) => activityJson(one, traits)) };
});

/** The API document shows only the URL, in records_meta: the shape of the answer is a guess. */
const recordsEndpoint = listOfCase('records', ({ service, found }, query) => {
	const { detailsPerPage: per_page, deviations, traits } = service;
	const page = pageOf(recordEntries(found), { per_page, ...query }, deviations.list);
	return { page, items: recordRows(page.rows, traits) };
});

const actionsEndpoint = listOfCase('actions', ({ service, found }, query) => {
	const page = pageOf(found.actions(), query, service.deviations.list);
	const items = page.rows.map((one) => singleActionJson(one, found.case_id));
	return { fields: { case_id: found.case_id }, page, items };
});

const replaceActionsEndpoint: Endpoint = (checking, { ids, queryString, body }) => {
	checkCaseId(ids);
	if (queryString !== '' && checking.strict) {
		throw ApiError.breach(400, `The batch update takes no query parameters, not ?${queryString}`);
	}
	const { actions } = readBody(actionsBody(checking.traits), body);
	return {
		page: 1,
		run(service, access) {
			const { case_id } = visibleCase({ service, access, ids });
			const replaced = service.store.replaceActions(case_id, actions);
			const itemsJson = replaced.map((one) =>
				JSON.stringify(actionJson(one, case_id, service.traits)),
			);
			if (service.deviations.actions?.batchAnswer === 'reversed') itemsJson.reverse();
			const isMissing = service.deviations.list?.noRows;
			return { fields: { case_id }, list: isMissing ? undefined : { name: 'actions', itemsJson } };
		},
	};
};

const found = <T>(value: T | undefined): T => {
	if (value === undefined) throw notFound();
	return value;
};

const shownCase = ({ service }: Context, one: Case) => caseJson(service.store, one, service);

const shownComment = (
	{ service, found: { case_id } }: CaseContext,
	comment: Parameters<typeof commentJson>[0],
) => ({ case_id, ...commentJson(comment, service.traits) });

/** The tags of teams that the key may see; one that no case has belongs to all of them. */
const tagsEndpoint = list('tags', TEAM_PARAMETERS, ({ service: { store }, access }, query) => {
	const { team_id } = query;
	if (team_id !== undefined) visibleTeam(access, team_id);
	const visible = TEAMS.filter(({ id }) => mayRead(access, id));
	const cases = [...store.cases()];
	const tags = store
		.tags()
		.map((tag) => {
			const used = cases.filter((one) => one.tags.some(({ id }) => id === tag.id));
			const isUsedIn = (id: number) => used.length === 0 || used.some(({ team }) => team.id === id);
			return { ...tag, color: 'default', teams: visible.filter(({ id }) => isUsedIn(id)) };
		})
		.filter(({ teams }) => teams.some(({ id }) => team_id === undefined || id === team_id));
	return jsonPage(tags, query);
});

function jsonPage(rows: readonly object[], query: CaseQuery) {
	const page = pageOf(rows, query);
	return { page, itemsJson: page.rows.map((row) => JSON.stringify(row)) };
}

type Route = [method: Method, path: string, endpoint: Endpoint, trait?: GrownTrait];

const CASES = '/api/v2/cases';
const CASE = `${CASES}/:caseId`;
const WEBHOOKS = '/api/v1/case_webhooks';

const TABLE: Route[] = [
	['GET', CASES, casesEndpoint],
	['GET', `${CASE}/comments`, commentsEndpoint],
	['PUT', `${CASE}/actions/batch`, replaceActionsEndpoint],
	['GET', `${CASE}/activities`, activitiesEndpoint],
	['GET', `${CASE}/records`, recordsEndpoint],

	// Each service of version 2 has the requests for single actions.
	['GET', `${CASE}/actions`, actionsEndpoint],
	[
		'POST',
		`${CASE}/actions`,
		requestOfCase(actionBody, ({ service, found: { case_id } }, given) =>
			singleActionJson(service.store.addAction(case_id, given), case_id),
		),
	],
	[
		'PUT',
		`${CASE}/actions/:actionId`,
		requestOfCase(actionBody.partial(), ({ service, ids, found: { case_id } }, given) =>
			singleActionJson(
				found(service.store.updateAction(case_id, Number(ids.actionId), given)),
				case_id,
			),
		),
	],
	[
		'DELETE',
		`${CASE}/actions/:actionId`,
		requestOfCase(undefined, ({ service, ids, found: { case_id } }) => {
			if (!service.store.deleteAction(case_id, Number(ids.actionId))) throw notFound();
		}),
	],

	[
		'POST',
		CASES,
		request(writes.CREATION, (context, given) =>
			shownCase(context, writes.createCase(context, given)),
		),
		'case-writes',
	],
	[
		'GET',
		CASE,
		requestOfCase(undefined, (context) => shownCase(context, context.found)),
		'case-writes',
	],
	[
		'PUT',
		CASE,
		requestOfCase(writes.UPDATE, (context, given) =>
			shownCase(context, writes.updateCase(context, given)),
		),
		'case-writes',
	],
	[
		'POST',
		`${CASE}/comments`,
		requestOfCase(writes.COMMENT, (context, given) =>
			shownComment(context, writes.addComment(context, given)),
		),
		'case-writes',
	],
	[
		'PUT',
		`${CASE}/comments/:commentId`,
		requestOfCase(writes.COMMENT, (context, given) =>
			shownComment(context, writes.editComment(context, given)),
		),
		'case-writes',
	],
	[
		'DELETE',
		`${CASE}/comments/:commentId`,
		requestOfCase(undefined, writes.deleteComment),
		'case-writes',
	],

	[
		'GET',
		'/api/v1/teams',
		list('teams', PAGE_PARAMETERS, ({ access }, query) =>
			jsonPage(
				TEAMS.filter(({ id }) => mayRead(access, id)),
				query,
			),
		),
		'teams-and-tags',
	],
	['GET', '/api/v1/tags', tagsEndpoint, 'teams-and-tags'],
	[
		'GET',
		WEBHOOKS,
		list('webhooks', TEAM_PARAMETERS, (context, query) => ({
			...jsonPage(visibleWebhooks(context, query.team_id), query),
			url: context.service.baseUrl + WEBHOOKS,
		})),
		'case-webhooks',
	],
	[
		'POST',
		WEBHOOKS,
		request(WEBHOOK, (context, given) => ({ webhook: createWebhook(context, given) })),
		'case-webhooks',
	],
	[
		'GET',
		`${WEBHOOKS}/:webhookId`,
		request(undefined, (context) => ({ webhook: findWebhook(context) })),
		'case-webhooks',
	],
	[
		'PUT',
		`${WEBHOOKS}/:webhookId`,
		request(WEBHOOK_UPDATE, (context, given) => ({
			webhook: Object.assign(findWebhook(context), given),
		})),
		'case-webhooks',
	],
	[
		'DELETE',
		`${WEBHOOKS}/:webhookId`,
		request(undefined, (context) => {
			const { webhooks } = context.service.store;
			webhooks.splice(webhooks.indexOf(findWebhook(context)), 1);
		}),
		'case-webhooks',
	],
];

/** Every operation of the service; paths are in fastify's syntax. */
export const ROUTES = TABLE.map(([method, path, endpoint, trait]) => ({
	method,
	path,
	endpoint: ((service, request) => {
		if (trait === undefined || service.traits.has(trait)) return endpoint(service, request);
		// Any service may be asked for its teams, tags and webhooks.
		throw new ApiError(404, `There is no ${method} ${path}`, trait === 'case-writes');
	}) satisfies Endpoint as Endpoint,
}));

function checkCaseId({ caseId = '1' }: EndpointRequest['ids']): void {
	if (/^[1-9]\d{0,14}$/.test(caseId)) return;
	throw ApiError.breach(400, `case_id in the path must be a positive integer, not '${caseId}'`);
}

/** The case in the path; one that the key may not see looks like one that doesn't exist. */
function visibleCase({ service: { store, deviations }, access, ids }: Context): Case {
	const stored = store.findCase(Number(ids.caseId));
	const view = viewOf(store, deviations);
	const seen = stored && view ? view(stored) : stored;
	if (!seen || !mayRead(access, seen.team.id)) throw notFound();
	return seen;
}

/**
 * The JSON of cases in lists. A case object never changes in place, so its JSON stays valid. Cases
 * with linked cases aren't cached: their JSON has the names of the linked cases, which may change. Neither are
 * cases that a deviating service sees differently: they are made for one answer. Nor are running times.
 */
const jsonCaches = new WeakMap<
	Service['deviate'],
	{ free: number; byCase: WeakMap<Case, string> }
>();
const MAX_CACHED_CASES = 30_000;

function cachedCaseJson(service: Service, one: Case): string {
	const { store, traits, deviations, deviate } = service;
	const toJson = () => JSON.stringify(caseJson(store, one, service, deviations.actions?.inRows));
	const isStable =
		one.linked_case_ids.length === 0 && !traits.has('further-fields') && !deviations.actions;
	if (!isStable || store.findCase(one.case_id) !== one) return toJson();
	// The service is copied for each request; this function of it isn't.
	const cache = jsonCaches.get(deviate) ?? { free: MAX_CACHED_CASES, byCase: new WeakMap() };
	jsonCaches.set(deviate, cache);
	const json = cache.byCase.get(one) ?? toJson();
	if (!cache.byCase.has(one) && cache.free-- > 0) cache.byCase.set(one, json);
	return json;
}
