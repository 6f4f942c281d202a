import { InvalidInput } from '../failures/failure';
import { BAD_CREDENTIAL } from '../failures/failureTable';
import { ARRAY_FORMATS, type ArrayFormat, type Row } from '../types';
import { isLocal, parseUrl } from './url';

/** A tenant of the service as a checked credential describes it: where to send requests, and how. */
export interface Tenant {
	/** Address of the tenant, without a trailing slash and without `/api/v2`. */
	baseUrl: string;
	/** The header with the API key. */
	authHeader: Record<string, string>;
	ignoreSslIssues: boolean;
	arrayFormat: ArrayFormat;
}

/**
 * A host without a scheme, as a browser's address bar shows it. It must have a dot and end with letters, so that neither
 * an API key in the wrong field nor `localhost:5678` is taken for a host.
 */
const HOST_WITHOUT_SCHEME = /^[\p{L}\p{N}.-]+\.\p{L}{2,24}([:/?#]|$)/u;

/** The part of a pasted address that is removed: a path of the API, or of the web app's pages about cases and teams. */
const PATH_IN_TENANT = /\/(api\/v\d+|cases|teams?\/\d+)(\/.*)?$/i;

/**
 * Reads the address of a tenant. Blanks around it, a trailing slash, a path prefix, a missing `https://`, and a pasted
 * `/api/v2…`, `/cases/42` or `/team/1/cases` all work. A query and a fragment are left out.
 * @throws InvalidInput when the value is not an http(s) URL, has a user name or password, or would send the key over
 * plain http to another machine without `allowHttp`.
 */
export function parseBaseUrl(value: unknown, allowHttp: boolean): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new InvalidInput(...BAD_CREDENTIAL.noUrl);
	const url = parseUrl(HOST_WITHOUT_SCHEME.test(text) ? `https://${text}` : text);
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
		// The message doesn't repeat the value, which may be the API key in the wrong field.
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
 * @throws InvalidInput that names the field which can't be used, but never shows the key
 */
export function parseTenant(credential: Row): Tenant {
	const baseUrl = parseBaseUrl(credential.baseUrl, credential.allowHttp === true);
	const key = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
	if (key === '') throw new InvalidInput(...BAD_CREDENTIAL.noKey);
	if (/^bearer\s/i.test(key)) throw new InvalidInput(...BAD_CREDENTIAL.bearer);
	// An HTTP header can't carry other characters.
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
 * Creates a function that takes the API key out of a text from the service, which may repeat the key as it is, encoded
 * as in a URL, or escaped as in JSON.
 */
export function createRedactor({ authHeader }: Tenant): (text: string) => string {
	const key = Object.values(authHeader)[0].replace(/^Bearer /, '');
	const spellings = new Set([encodeURIComponent(key), JSON.stringify(key).slice(1, -1), key]);
	return (text) => [...spellings].reduce((clean, one) => clean.replaceAll(one, '***'), text);
}
