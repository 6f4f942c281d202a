import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Case } from '../api/types';
import { readSendingOptions } from '../fields/options';
import { toNodeError } from '../n8n/errors';
import { redactorOf } from '../n8n/redactors';
import { createClient } from '../n8n/transport';
import { readNewestCases } from './loadOptions';

/** A link that n8n may open in the browser; anything but http(s) is left out. */
function linkOf(url: unknown): { url?: string } {
	return typeof url === 'string' && /^https?:\/\//i.test(url) ? { url } : {};
}

/** A value such as `OPEN` as a word. */
function wordOf(value: unknown): string | undefined {
	return typeof value === 'string' && value !== ''
		? value[0].toUpperCase() + value.slice(1).toLowerCase()
		: undefined;
}

/** A case as a list shows it: `#500 Port scan · Open · High`. */
function labelOf({ case_id, name, status, priority }: Case): string {
	return [`#${case_id} ${name ?? ''}`.trim(), wordOf(status), wordOf(priority)]
		.filter((part) => part !== undefined)
		.join(' · ');
}

/**
 * The entries of the case locator's From List: the newest cases whose name, description or ID matches.
 * @param paginationToken number of the page, as the result before returned it
 */
export async function searchCases(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	try {
		const client = await createClient(this, readSendingOptions({}));
		const page = paginationToken === undefined ? 1 : Number(paginationToken);
		const { cases, isMore } = await readNewestCases(client, page, filter?.trim());
		return {
			results: cases.map((row) => ({
				name: labelOf(row),
				value: String(row.case_id),
				...linkOf(row.url),
			})),
			...(isMore ? { paginationToken: String(page + 1) } : {}),
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error, undefined, redactorOf(this));
	}
}
