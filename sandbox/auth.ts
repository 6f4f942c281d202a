import { OWNER_USER_ID, SERVICE_USER_ID, TEAM_USER_ID, teamsOf } from './directory';
import { ApiError } from './errors';
import type { Access } from './types';

/** The four kinds of API keys, obviously made up and the same in every sandbox. */
export const KEYS = {
	personal: 'sandbox-personal-key-not-a-secret',
	service: 'sandbox-service-key-not-a-secret',
	tenantOwner: 'sandbox-tenant-owner-key-not-a-secret',
	team: 'sandbox-team-key-not-a-secret',
};

export type KeyKind = keyof typeof KEYS;

/** What each kind of key sees; all but the personal key are of service accounts. */
export const ACCESS: Readonly<Record<KeyKind, Access>> = {
	personal: { user_id: 1, team_ids: teamsOf(1) },
	service: { user_id: SERVICE_USER_ID, team_ids: 'all' },
	tenantOwner: { user_id: OWNER_USER_ID, team_ids: 'all' },
	team: { user_id: TEAM_USER_ID, team_ids: [1], isRestricted: true },
};

interface AuthHeaders {
	'x-user-token'?: string | string[];
	authorization?: string;
}

/**
 * The kind of the key that the request carries, in X-User-Token or as a Bearer token, not in both.
 *
 * @throws ApiError 401; a breach of the document unless there is exactly one well-formed key.
 */
export function authenticate(headers: AuthHeaders): KeyKind {
	const token = headers['x-user-token'];
	const { authorization } = headers;
	if (token !== undefined && authorization !== undefined) {
		throw ApiError.breach(401, 'Send the key in X-User-Token or in Authorization, not in both');
	}
	if (token === undefined && authorization === undefined) {
		throw ApiError.breach(401, 'No API key: send X-User-Token or Authorization: Bearer');
	}
	const key = token ?? /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
	if (key === undefined) throw ApiError.breach(401, 'Authorization must be: Bearer <key>');
	if (key === '') throw ApiError.breach(401, 'X-User-Token is empty');
	const kind = (Object.keys(KEYS) as KeyKind[]).find((candidate) => KEYS[candidate] === key);
	if (!kind) throw new ApiError(401, 'The API key is not valid');
	return kind;
}
