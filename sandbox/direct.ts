import { ROUTES, serviceOf, type ServiceOptions } from './endpoints';
import { ApiError } from './errors';
import type { CaseStore } from './store';
import type { Access } from './types';

export interface DirectRequest {
	/** Default GET. */
	method?: 'GET' | 'PUT';
	/** `/api/v2/…` without query string. */
	path: string;
	/** Without `?`. */
	queryString?: string;
	/** The body as a value, not as text. */
	body?: unknown;
	/** Default: the whole tenant. */
	access?: Access;
}

const EVERYTHING: Access = { user_id: 1, team_ids: 'all' };
const patterns = ROUTES.map(({ method, path, endpoint }) => ({
	method,
	pattern: new RegExp(`^${path.replace(':caseId', '(?<caseId>[^/]*)')}$`),
	endpoint,
}));

/**
 * The service without HTTP, keys and faults, for simulations of thousands of runs: the same checks
 * and the same answers as over a socket.
 *
 * @returns a function from a request to the parsed body of its answer; it throws an ApiError
 * (`status`, `message`) where the service would answer one
 */
export function directService(
	store: CaseStore,
	options: ServiceOptions = {},
): (request: DirectRequest) => unknown {
	const service = serviceOf(store, 'http://sandbox.invalid', options);
	return ({ method = 'GET', path, queryString = '', body, access = EVERYTHING }) => {
		for (const route of patterns) {
			const match = route.method === method ? route.pattern.exec(path) : null;
			if (!match) continue;
			const { caseId } = match.groups ?? {};
			const call = route.endpoint(service, { caseId, queryString, body });
			const { fields, list, meta } = call.run(access, { maxPerPage: Infinity, ignoredFilters: [] });
			const items = list.itemsJson.map((json) => JSON.parse(json) as unknown);
			return { ...fields, [list.name]: items, ...(meta && { meta }) };
		}
		throw ApiError.breach(404, `There is no ${method} ${path}`);
	};
}
