import { InvalidInput } from '../failures/failure';
import { BAD_CREDENTIAL } from '../failures/failureTable';
import type { ArrayFormat, Row } from '../types';
import { isLocal, parseUrl } from './url';

/** A tenant of the service, from a checked credential: where to send requests, and how. */
export interface Tenant {
	/** Address of the tenant, without a trailing slash and without `/api/v2`. */
	baseUrl: string;
	/** The one header that authenticates a request. */
	authHeader: Record<string, string>;
	ignoreSslIssues: boolean;
	arrayFormat: ArrayFormat;
}

const ARRAY_FORMATS: ArrayFormat[] = ['brackets', 'indices', 'repeat', 'comma'];

/**
 * A host as a browser's address bar shows it, without a scheme. Only with a dot and a last part of letters, so that
 * neither an API key in the wrong field nor `localhost:5678` is taken for one.
 */
const HOST_WITHOUT_SCHEME = /^[\p{L}\p{N}.-]+\.\p{L}{2,24}([:/?#]|$)/u;

/** What an address has after its tenant: a path of the API, or a page of the web app about cases or a team. */
const PATH_IN_TENANT = /\/(api\/v\d+|cases|teams?\/\d+)(\/.*)?$/i;

/**
 * Reads a tenant address. Blanks around it, a trailing slash, a path prefix, a missing `https://`, and a pasted
 * `/api/v2…`, `/cases/42` or `/team/1/cases` all work. A query and a fragment are left out.
 * @throws InvalidInput when it is not an http(s) URL, carries a user name or password, or would send the key over plain
 * http to another machine without `allowHttp`.
 */
export function parseBaseUrl(value: unknown, allowHttp: boolean): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new InvalidInput(...BAD_CREDENTIAL.noUrl);
	const url = parseUrl(HOST_WITHOUT_SCHEME.test(text) ? `https://${text}` : text);
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
		// Not repeated: it may be the API key, pasted into the wrong field.
		throw new InvalidInput(...BAD_CREDENTIAL.badUrl);
	}
	if (url.protocol === 'http:' && !allowHttp && !isLocal(url.href)) {
		const [message, remedy] = BAD_CREDENTIAL.unencrypted;
		throw new InvalidInput(message.replace('HOST', url.host), remedy);
	}
	return `${url.origin}${url.pathname.replace(PATH_IN_TENANT, '').replace(/\/+$/, '')}`;
}

/**
 * Checks the fields of the credential as the user saved them.
 * @throws InvalidInput naming the field that can't be used; the key itself is in no message.
 */
export function parseTenant(credential: Row): Tenant {
	const baseUrl = parseBaseUrl(credential.baseUrl, credential.allowHttp === true);
	const key = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
	if (key === '') throw new InvalidInput(...BAD_CREDENTIAL.noKey);
	// What no HTTP header can carry.
	if (!/^[\x21-\x7e]+$/.test(key)) throw new InvalidInput(...BAD_CREDENTIAL.badKey);
	return {
		baseUrl,
		authHeader:
			credential.authScheme === 'bearer'
				? { Authorization: `Bearer ${key}` }
				: { 'X-User-Token': key },
		ignoreSslIssues: credential.ignoreSslIssues === true,
		arrayFormat: ARRAY_FORMATS.find((format) => format === credential.arrayFormat) ?? 'brackets',
	};
}

/**
 * Creates a function that takes the tenant's API key out of texts from the service, which may repeat it: as it is, as a
 * URL has it, and as JSON has it.
 */
export function createRedactor({ authHeader }: Tenant): (text: string) => string {
	const key = Object.values(authHeader)[0].replace(/^Bearer /, '');
	const spellings = new Set([encodeURIComponent(key), JSON.stringify(key).slice(1, -1), key]);
	return (text) => [...spellings].reduce((clean, one) => clean.replaceAll(one, '***'), text);
}
