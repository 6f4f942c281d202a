import { InvalidInput, quote } from '../api/failures/failure';
import type { Client } from '../api/http/client';
import { parseUrl } from '../api/http/url';
import type { Field, Parameters } from './form';
import { locatedIn, locatorForm } from './locators';
import { parseId } from './values';

/** The path of a case's address: the tenant's path, perhaps `/api/v2` or `/team/1`, the case, and perhaps more. */
const PATH = /^(.*?)(?:\/api\/v\d+|\/teams?\/\d+)?\/cases\/(\d+)(\/.*)?$/i;

const FORM = locatorForm('case', 'searchCases', '4711');

/**
 * Reads the field Case: in every mode an ID or the address of a case. n8n's own `extractValue` isn't used, because it
 * fails on values that aren't text.
 * @param value the stored locator, or a bare ID from an expression
 * @param tenantUrl base URL of the credential; in another tenant the ID belongs to another case
 * @throws InvalidInput when the value is neither an ID nor the address of one case of this tenant
 */
export function parseCaseLocator(value: unknown, tenantUrl: string): string {
	const located = locatedIn(value);
	const text = typeof located === 'string' ? located.trim() : '';
	if (!/^https?:/i.test(text)) return parseId(located, 'case ID');

	const url = parseUrl(text);
	const [, prefix, id, page = ''] = PATH.exec(url?.pathname ?? '') ?? [];
	if (url === undefined || id === undefined || page.includes('/cases/')) {
		throw new InvalidInput(
			`${quote(text)} is not the address of a case`,
			`Copy the address of the case from the browser, for example ${tenantUrl}/cases/4711, or enter the ID of the case.`,
		);
	}
	const tenant = new URL(tenantUrl);
	const own = `${tenant.host}${tenant.pathname.replace(/\/$/, '')}`;
	const other = `${url.host}${prefix}`;
	if (own !== other) {
		throw new InvalidInput(
			`The case address belongs to ${other}, but the credential to ${own}`,
			`Case IDs differ between tenants. Use the credential for ${other}. If you mean case ${id} of this tenant, enter ${id}.`,
		);
	}
	return parseId(id, 'case ID');
}

/** What the field Case is read from. It needs the tenant, because a URL must be one of this tenant. */
type FromTenant = Parameters & { client: Pick<Client, 'tenant'> };

/** Reads the ID in the field Case for an input item. @throws InvalidInput */
export const readCaseId = ({ parameter, client }: FromTenant, item: number): string =>
	parseCaseLocator(parameter('caseId', item), client.tenant.baseUrl);

/** The field Case, read as an ID. @param description what the operation does with the case */
export const caseField = (description: string): Field<string, FromTenant> => ({
	form: [
		{
			...FORM,
			displayName: 'Case',
			name: 'caseId',
			required: true,
			description: `${description}. To use the case of each input item, drag its case_id into this field.`,
			modes: [
				...FORM.modes,
				{
					displayName: 'By URL',
					name: 'url',
					type: 'string',
					placeholder: 'e.g. https://acme.example.com/cases/4711',
				},
			],
		},
	],
	read: readCaseId,
});
