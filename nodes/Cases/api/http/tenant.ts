import { InvalidInput } from '../failures/failure';
import type { ArrayFormat } from '../types';
import { parseUrl } from './url';

/** The fields of the credential as the user saved them. */
export interface CasesCredential {
	baseUrl?: unknown;
	authScheme?: unknown;
	apiKey?: unknown;
	allowHttp?: unknown;
	ignoreSslIssues?: unknown;
	arrayFormat?: unknown;
}

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

/** Hosts that only the machine itself reaches. */
export const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A host as a browser's address bar shows it, without a scheme. Only with a dot and a last part of letters, so that
 * neither an API key in the wrong field nor `localhost:5678` is taken for one.
 */
const HOST_WITHOUT_SCHEME = /^[\p{L}\p{N}.-]+\.\p{L}{2,24}([:/?#]|$)/u;

const USER_NAME = /^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i;

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
	if (text === '') {
		throw new InvalidInput(
			'The Cases API credential has no Base URL',
			'Enter the URL of your tenant in the credential, for example https://acme.example.com.',
		);
	}
	if (USER_NAME.test(text)) {
		throw new InvalidInput(
			'The Base URL contains a user name or password',
			"In the credential, remove the part before the @ from 'Base URL'. The service only needs the API key.",
		);
	}
	const address = HOST_WITHOUT_SCHEME.test(text) ? `https://${text}` : text;
	const url = /^https?:\/\//i.test(address) ? parseUrl(address) : undefined;
	if (url === undefined) {
		// Not repeated: it may be the API key, pasted into the wrong field.
		throw new InvalidInput(
			'The Base URL is not a URL',
			'Enter the URL of your tenant in the credential, with https:// or http:// before it, for example https://acme.example.com or http://localhost:5690.',
		);
	}
	if (url.protocol === 'http:' && !allowHttp && !LOCAL_HOST.test(url.hostname)) {
		throw new InvalidInput(
			`The Base URL would send the API key unencrypted to ${url.host}`,
			"In the credential, start 'Base URL' with https://. If the service has no https, turn on 'Allow Unencrypted HTTP'; others on the network can then read the key.",
		);
	}
	return `${url.origin}${url.pathname.replace(PATH_IN_TENANT, '').replace(/\/+$/, '')}`;
}

/** @throws InvalidInput when the key is missing or holds what no HTTP header can carry. */
function parseApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (key === '') {
		throw new InvalidInput(
			'The Cases API credential has no API key',
			'Paste the API key into the credential.',
		);
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new InvalidInput(
			'The API key contains a space, a line break or another invalid character',
			'Paste the key into the credential again, without any other text.',
		);
	}
	return key;
}

/**
 * Checks the fields of the credential.
 * @throws InvalidInput naming the field that can't be used; the key itself is in no message.
 */
export function parseTenant(credential: CasesCredential): Tenant {
	const baseUrl = parseBaseUrl(credential.baseUrl, credential.allowHttp === true);
	const key = parseApiKey(credential.apiKey);
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
 * Checks the fields of the credential for where n8n shows the message of an error alone: the refusal that it returns has
 * what to do in its message.
 */
export function readTenant(credential: CasesCredential): Tenant | InvalidInput {
	try {
		return parseTenant(credential);
	} catch (error) {
		const { message, description } = error as InvalidInput;
		return new InvalidInput(`${message}. ${description}`, '');
	}
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
