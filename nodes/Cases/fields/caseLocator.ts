import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { parseUrl } from '../api/http/url';
import type { Show } from './form';
import type { Parameters } from './parameters';
import { parseId } from './values';

/** The longest address that browsers show; longer ones only take long to read. */
const MAX_ADDRESS = 2000;

/** The address of a case. */
const ADDRESS = /^https?:\/\/[^?#]*\/cases\/\d+(?:[/?#][\s\S]*)?$/i;

/**
 * The path of a case: its tenant's path prefix, then at most the API or a team, and a page of another case that links to
 * it, then the case, with a page of its own behind it.
 */
const PATH =
	/^(.*?)(?:\/api(?:\/v\d+)?)?(?:\/teams?\/\d+)?(?:\/cases\/\d+\/[\w-]+)?\/cases\/(\d+)(?=\/|$)(?!.*\/cases\/\d+(?:\/|$))/i;

/**
 * The case that an operation is about.
 * @param description what the operation does with the case
 */
export function caseLocatorField(show: Show, description: string): INodeProperties {
	return {
		displayName: 'Case',
		name: 'caseId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		displayOptions: { show },
		description: `${description}. To use the case of each input item, drag its case_id into this field.`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a case…',
				typeOptions: { searchListMethod: 'searchCases', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 4711',
			},
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string',
				placeholder: 'e.g. https://acme.example.com/cases/4711',
			},
		],
	};
}

/**
 * Reads the case ID from the address of a case: the number behind the last `/cases/`.
 * @param tenantUrl base URL of the credential; a case of another tenant would be some other case here
 * @throws InvalidInput when it is not the address of a case of this tenant
 */
export function parseCaseUrl(value: unknown, tenantUrl: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const url = text.length <= MAX_ADDRESS && ADDRESS.test(text) ? parseUrl(text) : undefined;
	const [, prefix, id] = PATH.exec(url?.pathname ?? '') ?? [];
	if (url === undefined || id === undefined) {
		throw new InvalidInput(
			`${quote(value ?? '')} is not the address of a case`,
			`Copy the address of the case from the browser, for example ${tenantUrl}/cases/4711, or choose 'By ID' and enter its ID.`,
		);
	}
	const tenant = new URL(tenantUrl);
	const own = `${tenant.host}${tenant.pathname.replace(/\/$/, '')}`;
	const other = `${url.host}${prefix}`;
	if (own !== other) {
		throw new InvalidInput(
			`The case address belongs to ${other}, but the credential to ${own}`,
			`Case IDs differ between tenants. Use the credential for ${other}. If you mean case ${id} of this tenant, choose 'By ID' and enter ${id}.`,
		);
	}
	return parseId(id, 'case ID');
}

/** Parameter value of a resource locator, as n8n stores it. */
interface Locator {
	mode?: unknown;
	value?: unknown;
}

function isAddress(value: unknown): boolean {
	return typeof value === 'string' && /^https?:/i.test(value.trim());
}

/**
 * Reads the case locator. An address is read as one in every mode. n8n's own `extractValue` fails on anything but text, so it isn't used.
 * @param value the stored locator, or a bare ID from an expression
 * @throws InvalidInput as {@link parseId} and {@link parseCaseUrl}
 */
export function parseCaseLocator(value: unknown, tenantUrl: string): string {
	const locator: Locator = typeof value === 'object' && value !== null ? value : { value };
	return locator.mode === 'url' || isAddress(locator.value)
		? parseCaseUrl(locator.value, tenantUrl)
		: parseId(locator.value, 'case ID');
}

/** The case that an input item is about. @throws InvalidInput */
export function readCaseId({ parameter }: Parameters, item: number, tenantUrl: string): string {
	return parseCaseLocator(parameter('caseId', item), tenantUrl);
}
