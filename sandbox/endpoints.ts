import type { z } from 'zod';
import { createWebhook, deleteWebhook, visibleWebhooks, WEBHOOK } from './caseWebhooks';
import * as writes from './caseWrites';
import { deviatingRows, failWhereSet, viewOf, type ListName } from './deviations';
import { TEAMS } from './directory';
import { ApiError, notFound } from './errors';
import type { GrownTrait, Traits } from './grown';
import { deviatingMeta, metaOf, pageOf, type Page } from './page';
import { PAGE_PARAMETERS, readBody, readQuery, TEAM_PARAMETERS } from './params';
import { listCases, mayRead, visibleTeam } from './query';
import {
	activityJson,
	caseJson,
	caseUrl,
	commentJson,
	recordEntries,
	recordRows,
	singleActionJson,
} from './serialize';
import type { CaseContext, Context, Service } from './service';
import type { Access, Case, CaseQuery } from './types';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface EndpointRequest {
	ids: Context['ids'];
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

type Schema<Given> = z.ZodType<Given> | ((traits: Traits) => z.ZodType<Given>);

/** A request for one thing. @param run returns the answer; without one it is 204 */
const request =
	<Given>(
		schema: Schema<Given> | undefined,
		run: (context: Context, given: Given) => object | void,
	): Endpoint =>
	({ strict, traits }, { ids, queryString, body }) => {
		checkCaseId(ids);
		if (queryString !== '' && strict) {
			throw ApiError.breach(400, `The request takes no query parameters, not ?${queryString}`);
		}
		const bodySchema = typeof schema === 'function' ? schema(traits) : schema;
		const given = bodySchema ? readBody(bodySchema, body) : (undefined as Given);
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
	schema: Schema<Given> | undefined,
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

/** Endpoints by method and path, which is in fastify's syntax. */
type Routes = Readonly<Record<string, Endpoint>>;

const CASES = '/api/v2/cases';
const CASE = `${CASES}/:caseId`;
const WEBHOOKS = '/api/v1/case_webhooks';

/** What each service of version 2 has. */
const BASE: Routes = {
	[`GET ${CASES}`]: casesEndpoint,
	[`GET ${CASE}/comments`]: commentsEndpoint,
	[`PUT ${CASE}/actions/batch`]: requestOfCase(writes.actionsBody, writes.replaceActions),
	[`GET ${CASE}/activities`]: activitiesEndpoint,
	[`GET ${CASE}/records`]: recordsEndpoint,
	[`GET ${CASE}/actions`]: actionsEndpoint,
	[`POST ${CASE}/actions`]: requestOfCase(writes.ACTION, writes.addAction),
	[`PUT ${CASE}/actions/:actionId`]: requestOfCase(writes.ACTION.partial(), writes.updateAction),
	[`DELETE ${CASE}/actions/:actionId`]: requestOfCase(undefined, writes.deleteAction),
};

const GROWN: Partial<Record<GrownTrait, Routes>> = {
	'case-writes': {
		[`POST ${CASES}`]: request(writes.CREATION, writes.createCase),
		[`GET ${CASE}`]: requestOfCase(undefined, ({ service, found }) =>
			caseJson(service.store, found, service),
		),
		[`PUT ${CASE}`]: requestOfCase(writes.UPDATE, writes.updateCase),
		[`POST ${CASE}/comments`]: requestOfCase(writes.COMMENT, writes.addComment),
		[`DELETE ${CASE}/comments/:commentId`]: requestOfCase(undefined, writes.deleteComment),
	},
	'teams-and-tags': {
		'GET /api/v1/teams': list('teams', PAGE_PARAMETERS, ({ access }, query) => {
			const visible = TEAMS.filter(({ id }) => mayRead(access, id));
			return jsonPage(visible, query);
		}),
		'GET /api/v1/tags': tagsEndpoint,
	},
	'case-webhooks': {
		[`GET ${WEBHOOKS}`]: list('webhooks', TEAM_PARAMETERS, (context, query) => ({
			...jsonPage(visibleWebhooks(context, query.team_id), query),
			url: context.service.baseUrl + WEBHOOKS,
		})),
		[`POST ${WEBHOOKS}`]: request(WEBHOOK, createWebhook),
		[`DELETE ${WEBHOOKS}/:webhookId`]: request(undefined, deleteWebhook),
	},
};

function routesIn(routes: Routes, trait?: string) {
	return Object.entries(routes).map(([route, served]) => {
		const [method, path] = route.split(' ') as [Method, string];
		const endpoint: Endpoint = (service, given) => {
			if (trait === undefined || service.traits.has(trait as GrownTrait)) {
				return served(service, given);
			}
			// Any service may be asked for its teams, tags and webhooks.
			throw new ApiError(404, `There is no ${route}`, trait === 'case-writes');
		};
		return { method, path, endpoint };
	});
}

/** Every operation of the service. */
export const ROUTES = [
	...routesIn(BASE),
	...Object.entries(GROWN).flatMap(([trait, routes]) => routesIn(routes, trait)),
];

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
