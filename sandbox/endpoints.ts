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

/** A request that follows the API document: the page it requests, and how to carry it out. */
export interface Call {
	page: number;
	/** @returns the body of the answer; nothing for 204. @throws ApiError 404 */
	run(service: Service, access: Access): object | void;
}

/** Checks a request against the API document. @throws ApiError a breach, 400 or 422 */
export type Endpoint = (service: Service, request: EndpointRequest) => Call;

const CASES = '/api/v2/cases';
const CASE = `${CASES}/:caseId`;
const WEBHOOKS = '/api/v1/case_webhooks';

/** One page of a list. */
interface Listed {
	page: Page<unknown>;
	/** Default: the rows of the page. */
	items?: readonly object[];
	/** Members of the answer besides the list. */
	fields?: object;
}

/** A list, page by page; without parameters it is the list of cases. */
function list(
	name: string,
	urlOf: (context: Context) => string,
	parameters: Record<string, z.ZodType> | undefined,
	read: (context: Context, query: CaseQuery) => Listed,
): Endpoint {
	return (checking, { ids, queryString }) => {
		checkCaseId(ids);
		const query = readQuery(checking, queryString, parameters);
		return {
			page: query.page ?? 1,
			run(service, access) {
				const context = { service, access, ids };
				const { page, items = page.rows, fields } = read(context, query);
				const { list: deviations } = service.deviations;
				const meta = metaOf(page, urlOf(context), service.traits, queryString);
				return {
					...fields,
					[name]: items,
					meta: deviatingMeta(meta, deviations),
				};
			},
		};
	};
}

/** A list that belongs to one case. */
function listOfCase<Row>(
	name: ListName,
	rowsOf: (context: CaseContext) => readonly Row[],
	toItems: (rows: readonly Row[], context: CaseContext) => object[],
): Endpoint {
	// The API document shows only the URLs of these lists: the shape of the answer is a guess.
	const isDetail = name === 'activities' || name === 'records';
	const urlOf = ({ service, ids }: Context) => caseUrl(service.baseUrl, Number(ids.caseId), name);
	return list(name, urlOf, PAGE_PARAMETERS, (context, query) => {
		const found = visibleCase(context);
		const { case_id } = found;
		const { deviations, detailsPerPage } = context.service;
		failWhereSet(deviations, name, case_id);
		const ofCase = { ...context, found };
		const size = isDetail ? { per_page: detailsPerPage } : {};
		const page = pageOf(rowsOf(ofCase), { ...size, ...query }, deviations.list);
		const items = deviatingRows(deviations, name, toItems(page.rows, ofCase), case_id);
		return { page, items, fields: isDetail ? {} : { case_id } };
	});
}

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
			run: (service, access) => run({ service, access, ids }, given),
		};
	};

/** As {@link request}, for a case that is there. */
const requestOfCase = <Given>(
	schema: Schema<Given> | undefined,
	run: (context: CaseContext, given: Given) => object | void,
): Endpoint =>
	request(schema, (context, given) => run({ ...context, found: visibleCase(context) }, given));

const casesEndpoint = list(
	'cases',
	({ service }) => service.baseUrl + CASES,
	undefined,
	({ service, access }, query) => {
		if (query.team_id !== undefined) visibleTeam(access, query.team_id);
		const { store, deviations } = service;
		const page = listCases(store, query, access, service);
		const rows = page.rows.map((one) => caseJson(store, one, service, deviations.actions?.inRows));
		return { page, items: deviatingRows(deviations, 'cases', rows) };
	},
);

const commentsOf = ({ service, found }: CaseContext) => {
	const comments = found.activities().filter(({ activity_type }) => activity_type === 'COMMENTED');
	return service.commentsOrder === 'newest' ? comments.reverse() : comments;
};

/** A list of version 1. */
const listOfTeams = (
	path: string,
	name: string,
	parameters: Record<string, z.ZodType>,
	rowsOf: (context: Context, query: CaseQuery) => readonly object[],
): Endpoint =>
	list(
		name,
		({ service }) => service.baseUrl + path,
		parameters,
		(context, query) => ({
			page: pageOf(rowsOf(context, query), query),
		}),
	);

const visibleTeams = ({ access }: Context) => TEAMS.filter(({ id }) => mayRead(access, id));

/** The tags of teams that the key may see; one that no case has belongs to all of them. */
function visibleTags(context: Context, { team_id }: CaseQuery): object[] {
	const { store } = context.service;
	if (team_id !== undefined) visibleTeam(context.access, team_id);
	const cases = [...store.cases()];
	return store
		.tags()
		.map((tag) => {
			const used = cases.filter((one) => one.tags.some(({ id }) => id === tag.id));
			const isUsedIn = (id: number) => used.length === 0 || used.some(({ team }) => team.id === id);
			const teams = visibleTeams(context).filter(({ id }) => isUsedIn(id));
			return { ...tag, color: 'default', teams };
		})
		.filter(({ teams }) => teams.some(({ id }) => team_id === undefined || id === team_id));
}

/** Endpoints by method and path, which is in fastify's syntax. */
type Routes = Readonly<Record<string, Endpoint>>;

/** What each service of version 2 has. */
const BASE: Routes = {
	[`GET ${CASES}`]: casesEndpoint,
	[`GET ${CASE}/comments`]: listOfCase('comments', commentsOf, (rows, { service }) =>
		rows.map((one) => commentJson(one, service.traits)),
	),
	[`PUT ${CASE}/actions/batch`]: requestOfCase(writes.actionsBody, writes.replaceActions),
	[`GET ${CASE}/activities`]: listOfCase(
		'activities',
		({ found }) => found.activities(),
		(rows, { service }) => rows.map((one) => activityJson(one, service.traits)),
	),
	[`GET ${CASE}/records`]: listOfCase(
		'records',
		({ found }) => recordEntries(found),
		(rows, { service }) => recordRows(rows, service.traits),
	),
	[`GET ${CASE}/actions`]: listOfCase(
		'actions',
		({ found }) => found.actions(),
		(rows, { found }) => rows.map((one) => singleActionJson(one, found.case_id)),
	),
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
		'GET /api/v1/teams': listOfTeams('/api/v1/teams', 'teams', PAGE_PARAMETERS, visibleTeams),
		'GET /api/v1/tags': listOfTeams('/api/v1/tags', 'tags', TEAM_PARAMETERS, visibleTags),
	},
	'case-webhooks': {
		[`GET ${WEBHOOKS}`]: listOfTeams(WEBHOOKS, 'webhooks', TEAM_PARAMETERS, (context, query) =>
			visibleWebhooks(context, query.team_id),
		),
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
