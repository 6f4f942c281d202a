import type { IncomingHttpHeaders } from 'node:http';
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

/**
 * The kind of the key that the request carries, in X-User-Token or as a Bearer token, not in both.
 *
 * @throws ApiError 401; a breach of the document unless there is exactly one well-formed key.
 */
export function authenticate(headers: IncomingHttpHeaders): KeyKind {
	const { 'x-user-token': token, authorization } = headers;
	const isOne = token === undefined || authorization === undefined;
	const key = token ?? /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
	if (!isOne || !key) {
		throw ApiError.breach(401, 'Send one key: X-User-Token, or Authorization: Bearer <key>');
	}
	const kind = (Object.keys(KEYS) as KeyKind[]).find((candidate) => KEYS[candidate] === key);
	if (!kind) throw new ApiError(401, 'The API key is not valid');
	return kind;
}
