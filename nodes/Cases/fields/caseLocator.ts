import { InvalidInput, quote } from '../api/failure';
import { parseUrl } from '../api/url';

const POSITIVE_INTEGER = /^0*[1-9]\d{0,15}$/;

/**
 * Reads an ID: a positive integer, as a number or as text.
 * @param what names the ID in the error, e.g. "case ID"
 * @throws InvalidInput for anything else, so that no other path of the API can be reached with it.
 */
export function parseId(value: unknown, what: string): string {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text === 'string' && POSITIVE_INTEGER.test(text.trim())) {
		// Beyond, JSON numbers are no longer exact: it would be some other ID.
		if (Number.isSafeInteger(Number(text))) return text.trim().replace(/^0+/, '');
	}
	if (text === '' || text === undefined || text === null) {
		throw new InvalidInput(
			`No ${what} was given`,
			`Enter the ${what}, a whole number such as 4711, or map it from an earlier node.`,
		);
	}
	throw new InvalidInput(
		`${quote(value)} is not a ${what}`,
		`A ${what} is a positive whole number such as 4711.`,
	);
}

/**
 * Reads the case ID from the address of a case: the number behind the last `/cases/`.
 * @param tenantUrl base URL of the credential; a case of another host would be some other case here
 * @throws InvalidInput when it is no address of a case of this tenant.
 */
export function parseCaseUrl(value: unknown, tenantUrl: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const url = parseUrl(text);
	const id = url === undefined ? undefined : /^.*\/cases\/(\d+)(?=\/|$)/.exec(url.pathname)?.[1];
	if (url === undefined || id === undefined) {
		throw new InvalidInput(
			`${quote(value ?? '')} is not the address of a case`,
			`Copy the address of the case from the browser, e.g. ${tenantUrl}/cases/4711, or choose By ID.`,
		);
	}
	const tenant = new URL(tenantUrl);
	if (url.host !== tenant.host) {
		throw new InvalidInput(
			`The case address belongs to ${url.host}, but the credential to ${tenant.host}`,
			'The same number there is another case here. Use the credential of that tenant, or choose By ID if you are sure.',
		);
	}
	return parseId(id, 'case ID');
}

/** Parameter value of a resource locator, as n8n stores it. */
interface Locator {
	mode?: unknown;
	value?: unknown;
}

/**
 * Reads the case locator. n8n's own `extractValue` fails on anything but text, so it isn't used.
 * @param value the stored locator, or a bare ID from an expression
 * @throws InvalidInput as {@link parseId} and {@link parseCaseUrl}
 */
export function parseCaseLocator(value: unknown, tenantUrl: string): string {
	if (typeof value !== 'object' || value === null) return parseId(value, 'case ID');
	const locator = value as Locator;
	return locator.mode === 'url'
		? parseCaseUrl(locator.value, tenantUrl)
		: parseId(locator.value, 'case ID');
}
