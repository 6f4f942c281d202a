import { dateHeader } from './deviating/clock';
import type { Deviations } from './deviations';
import { ROUTES, type Method } from './endpoints';
import { serviceOf, type ServiceOptions } from './service';
import { ApiError } from './errors';
import type { CaseStore } from './store';
import type { Access } from './types';

export interface DirectRequest {
	/** Default GET. */
	method?: Method;
	/** `/api/v2/…` without query string. */
	path: string;
	/** Without `?`. */
	queryString?: string;
	/** The body as a value, not as text. */
	body?: unknown;
	/** Default: all cases of the tenant. */
	access?: Access;
}

export interface DirectService {
	(request: DirectRequest): unknown;
	/** Sets groups of deviations; without an argument all of them end. */
	deviate(deviations?: Deviations): void;
	/** The Date header of an answer that ends at this moment, by default now; undefined if it has none. */
	date(now?: Date): string | undefined;
}

const WHOLE_TENANT: Access = { user_id: 1, team_ids: 'all' };
const patterns = ROUTES.map(({ method, path, endpoint }) => ({
	method,
	pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]*)')}$`),
	endpoint,
}));

/**
 * The service without HTTP, keys and faults, for simulations with thousands of runs. It checks
 * requests and answers them as the server does.
 *
 * @returns a function that returns the parsed body of the answer to a request, or its text where it isn't JSON; it
 * throws an ApiError (`status`, `message`) where the server would answer with an error
 */
export function directService(store: CaseStore, options: ServiceOptions = {}): DirectService {
	const service = serviceOf(store, 'http://sandbox.invalid', options);
	const serve = ({
		method = 'GET',
		path,
		queryString = '',
		body,
		access = WHOLE_TENANT,
	}: DirectRequest): unknown => {
		for (const route of patterns) {
			const match = route.method === method ? route.pattern.exec(path) : null;
			if (!match) continue;
			const call = route.endpoint(service, { ...match.groups, queryString, body });
			const faults = { maxPerPage: Infinity, ignoredFilters: [] };
			const { fields, list, meta, instead } = call.run(access, faults);
			if (instead) {
				const isJson = instead.contentType?.startsWith('application/json') && instead.body !== '';
				return isJson ? (JSON.parse(instead.body) as unknown) : instead.body;
			}
			// As over a socket: nothing of the answer is shared with the store.
			const others = JSON.stringify({ ...fields, ...(meta && { meta }) });
			const items = `{"${list.name}":[${list.itemsJson.join()}]}`;
			return { ...(JSON.parse(others) as object), ...(JSON.parse(items) as object) };
		}
		throw ApiError.breach(404, `There is no ${method} ${path}`);
	};
	return Object.assign(serve, {
		deviate: (deviations?: Deviations) => service.deviating.deviate(deviations),
		date: (now = store.now()) => dateHeader(service.deviating, now),
	});
}
