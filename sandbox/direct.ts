import { dateHeader } from './deviations';
import { ROUTES } from './endpoints';
import { ApiError } from './errors';
import { Reply, type Method } from './requests';
import { serviceOf, type ServiceOptions } from './service';
import type { CaseStore } from './store';
import type { Access } from './types';

/** A request of a key that sees the whole tenant. */
interface DirectRequest {
	/** Default GET. */
	method?: Method;
	/** `/api/v2/…` without query string. */
	path: string;
	/** Without `?`. */
	queryString?: string;
	/** The body as a value, not as text. */
	body?: unknown;
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
 * @returns a function that returns the parsed body of the answer to a request, or '' without one; it throws an
 * ApiError (`status`, `message`) where the server would answer with an error
 */
export function directService(store: CaseStore, options: ServiceOptions = {}) {
	const service = serviceOf(store, 'http://sandbox.invalid', options);
	const serve = ({ method = 'GET', path, queryString = '', body }: DirectRequest): unknown => {
		for (const route of patterns) {
			const match = route.method === method ? route.pattern.exec(path) : null;
			if (!match) continue;
			const call = route.endpoint(service, { ids: match.groups ?? {}, queryString, body });
			// As over a socket: nothing of the answer is shared with the store.
			const answer = call.run(service, WHOLE_TENANT);
			const given = answer instanceof Reply ? answer.body : answer;
			return given ? (JSON.parse(JSON.stringify(given)) as unknown) : '';
		}
		throw ApiError.breach(404, `There is no ${method} ${path}`);
	};
	return Object.assign(serve, {
		/** Sets groups of deviations; without an argument all of them end. */
		deviate: service.deviate,
		/** The Date header of an answer that ends at this moment, by default now; undefined if it has none. */
		date: (now = store.now()) => dateHeader(service.deviations, now),
	});
}
