import type { z } from 'zod';
import { deviatingRows, failWhereSet, viewOf, type ListName } from './deviations';
import { ApiError, notFound } from './errors';
import type { Traits } from './grown';
import { metaOf, pageOf, type Page } from './page';
import { PAGE_PARAMETERS, readBody, readQuery } from './params';
import { mayRead } from './query';
import { caseUrl } from './serialize';
import type { CaseContext, Context, Service } from './service';
import type { Content } from './store';
import type { Access, Case, CaseQuery } from './types';

/** The kinds of requests that endpoints are made of. */

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
	/** @returns the body of the answer, or all of it; nothing for 204. @throws ApiError 404 */
	run(service: Service, access: Access): object | void;
}

/** Checks a request against the API document. @throws ApiError a breach, 400 or 422 */
export type Endpoint = (service: Service, request: EndpointRequest) => Call;

/** Endpoints by method and path, which is in fastify's syntax. */
export type Routes = Readonly<Record<string, Endpoint>>;

export const CASES = '/api/v2/cases';
export const CASE = `${CASES}/:caseId`;

/** An answer other than 200 with JSON. */
export class Reply {
	constructor(
		readonly status: number,
		readonly body: object,
		readonly headers: Record<string, string> = {},
	) {}
}

export const created = (body: object) => new Reply(201, body);

/**
 * A list, page by page; without parameters it is the list of cases.
 *
 * @param read returns a page; `items` are its rows as they are answered, `fields` what the answer has besides
 */
export function list(
	name: string,
	urlOf: (context: Context) => string,
	parameters: Record<string, z.ZodType> | undefined,
	read: (
		context: Context,
		query: CaseQuery,
	) => { page: Page<unknown>; items?: readonly object[]; fields?: object },
): Endpoint {
	return ({ dialect }, { ids, queryString }) => {
		checkCaseId(ids);
		const query = readQuery(dialect, queryString, parameters);
		return {
			page: query.page ?? 1,
			run(service, access) {
				const context = contextOf(service, access, ids);
				const { page, items = page.rows, fields } = read(context, query);
				const { list: deviating = {} } = service.deviations;
				const meta = metaOf(page, urlOf(context), service.traits, queryString);
				return {
					...fields,
					[name]: items,
					...(!deviating.noMeta && { meta: { ...meta, ...deviating.meta } }),
				};
			},
		};
	};
}

/** A list that belongs to one case. */
export function listOfCase<Row>(
	name: ListName,
	rowsOf: (context: CaseContext) => readonly Row[],
	toItems: (rows: readonly Row[], context: CaseContext) => object[],
	fieldsOf: (found: Case) => object = ({ case_id }) => ({ case_id }),
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
		return { page, items, fields: isDetail ? {} : fieldsOf(found) };
	});
}

/** A list of version 1. */
export const listOfTeams = (
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

type Schema<Given> = z.ZodType<Given> | ((traits: Traits) => z.ZodType<Given>);

/** A request for one thing. @param run returns the answer; without one it is 204 */
export const request =
	<Given>(
		schema: Schema<Given> | undefined,
		run: (context: Context, given: Given) => object | void,
	): Endpoint =>
	({ traits }, { ids, queryString, body }) => {
		checkCaseId(ids);
		if (!schema && body !== undefined) {
			throw ApiError.breach(400, 'The request takes no body');
		}
		if (queryString !== '') {
			throw ApiError.breach(400, `The request takes no query parameters, not ?${queryString}`);
		}
		const bodySchema = typeof schema === 'function' ? schema(traits) : schema;
		const given = bodySchema ? readBody(bodySchema, body) : (undefined as Given);
		return {
			page: 1,
			run: (service, access) => run(contextOf(service, access, ids), given),
		};
	};

/** As {@link request}, for a case that is there. */
export const requestOfCase = <Given>(
	schema: Schema<Given> | undefined,
	run: (context: CaseContext, given: Given) => object | void,
): Endpoint =>
	request(schema, (context, given) => run({ ...context, found: visibleCase(context) }, given));

/** The context for a case other than the one in the path. @throws ApiError 404 */
export function caseWith(context: Context, caseId: number): CaseContext {
	const other = { ...context, ids: { ...context.ids, caseId: String(caseId) } };
	return { ...other, found: visibleCase(other) };
}

/** Changes what a case holds, in the name of the key's user. */
export const edit = ({ service, access, found }: CaseContext, patch: Content): Case =>
	service.store.editContent(found.case_id, { ...patch, by: access.user_id });

const contextOf = (service: Service, access: Access, ids: Context['ids']): Context => ({
	...{ access, ids, service: { ...service, isRestricted: access.isRestricted } },
});

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

/** The row with the ID in the path. @throws ApiError 404 */
export function rowWith<Row extends { id: number }>(rows: readonly Row[], id?: string): Row {
	const found = rows.find((row) => String(row.id) === id);
	if (!found) throw notFound();
	return found;
}
