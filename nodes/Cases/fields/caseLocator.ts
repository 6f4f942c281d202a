import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { parseUrl } from '../api/http/url';
import type { Parameters, Show } from './form';
import { locatedIn } from './teamLocator';
import { asRecord, parseId } from './values';

/** The path of a case: its tenant's path, then at most the API or a team, then the case, with a page of it behind. */
const PATH = /^(.*?)(?:\/api\/v\d+|\/teams?\/\d+)?\/cases\/(\d+)(\/.*)?$/i;

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

const isAddress = (value: unknown): value is string =>
	typeof value === 'string' && /^https?:/i.test(value.trim());

/**
 * Reads the case ID from the address of a case.
 * @param tenantUrl base URL of the credential; a case of another tenant would be some other case here
 * @throws InvalidInput when it is not the address of one case of this tenant
 */
export function parseCaseUrl(value: unknown, tenantUrl: string): string {
	const url = isAddress(value) ? parseUrl(value.trim()) : undefined;
	const [, prefix, id, page = ''] = PATH.exec(url?.pathname ?? '') ?? [];
	if (url === undefined || id === undefined || page.includes('/cases/')) {
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

/**
 * Reads the case locator. An address is read as one in every mode. n8n's own `extractValue` fails on anything but text, so it isn't used.
 * @param value the stored locator, or a bare ID from an expression
 * @throws InvalidInput as {@link parseId} and {@link parseCaseUrl}
 */
export function parseCaseLocator(value: unknown, tenantUrl: string): string {
	const located = locatedIn(value);
	return asRecord(value).mode === 'url' || isAddress(located)
		? parseCaseUrl(located, tenantUrl)
		: parseId(located, 'case ID');
}

/** The case that an input item is about. @throws InvalidInput */
export function readCaseId({ parameter }: Parameters, item: number, tenantUrl: string): string {
	return parseCaseLocator(parameter('caseId', item), tenantUrl);
}
