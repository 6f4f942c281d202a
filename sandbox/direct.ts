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
	/** Default: all cases of the tenant. */
	access?: Access;
}

const WHOLE_TENANT: Access = { user_id: 1, team_ids: 'all' };
const patterns = ROUTES.map(({ method, path, endpoint }) => ({
	method,
	pattern: new RegExp(`^${path.replace(':caseId', '(?<caseId>[^/]*)')}$`),
	endpoint,
}));

/**
 * The service without HTTP, keys and faults, for simulations with thousands of runs. It checks
 * requests and answers them as the server does.
 *
 * @returns a function that returns the parsed body of the answer to a request; it throws an
 * ApiError (`status`, `message`) where the server would answer with an error
 */
export function directService(
	store: CaseStore,
	options: ServiceOptions = {},
): (request: DirectRequest) => unknown {
	const service = serviceOf(store, 'http://sandbox.invalid', options);
	return ({ method = 'GET', path, queryString = '', body, access = WHOLE_TENANT }) => {
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
