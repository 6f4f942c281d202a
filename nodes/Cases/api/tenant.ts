import { InvalidInput, quote } from './failure';
import type { ArrayFormat } from './types';
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
	/** Its address without a trailing slash and without `/api/v2`. */
	baseUrl: string;
	/** The one header that authenticates a request. */
	authHeader: Record<string, string>;
	ignoreSslIssues: boolean;
	arrayFormat: ArrayFormat;
}

const ARRAY_FORMATS: ArrayFormat[] = ['brackets', 'indices', 'repeat', 'comma'];

const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Reads a tenant address. Blanks around it, a trailing slash, a path prefix and a pasted `/api/v2…` all work.
 * @throws InvalidInput when it is not an http(s) URL, carries a user name or password, or would send the key
 * over plain http to another machine without `allowHttp`.
 */
export function parseBaseUrl(value: unknown, allowHttp: boolean): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw new InvalidInput(
			'The Cases API credential has no Base URL',
			'Open the credential and enter the address of your tenant, e.g. https://acme.example.com.',
		);
	}
	const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
	if (url === undefined) {
		throw new InvalidInput(
			`The Base URL ${quote(text)} is not an http(s) address`,
			'Open the credential and enter the address of your tenant, beginning with https://, e.g. https://acme.example.com.',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new InvalidInput(
			'The Base URL contains a user name or password',
			'Remove the part before the @ from the Base URL of the credential. Only the API key authenticates.',
		);
	}
	if (url.protocol === 'http:' && !allowHttp && !LOCAL_HOST.test(url.hostname)) {
		throw new InvalidInput(
			`The Base URL would send the API key unencrypted to ${url.host}`,
			'Use https:// in the credential, or turn on "Allow Unencrypted HTTP" there if you accept that the key can be read on the way.',
		);
	}
	const path = url.pathname.replace(/\/api\/v2(\/.*)?$/, '').replace(/\/+$/, '');
	return `${url.origin}${path}`;
}

/** @throws InvalidInput when the key is missing or holds what no HTTP header can carry. */
function parseApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (key === '') {
		throw new InvalidInput(
			'The Cases API credential has no API key',
			'Open the credential and paste the API key.',
		);
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new InvalidInput(
			'The API key contains a character that a key cannot have, such as a blank or a line break',
			'Open the credential and paste the key again, only the key itself, on one line.',
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

/** Creates a function that takes the tenant's API key out of texts from the service, which may repeat it. */
export function createRedactor({ authHeader }: Tenant): (text: string) => string {
	const key = Object.values(authHeader)[0].replace(/^Bearer /, '');
	const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
	return (text) => forms.reduce((clean, form) => clean.split(form).join('***'), text);
}
