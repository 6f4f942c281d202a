import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readNewestCases } from '../api/cases';
import { readSendingOptions } from '../fields/options';
import { toNodeError } from '../n8n/errors';
import { createClient } from '../n8n/transport';

/** A link that n8n may open in the browser; anything but http(s) is left out. */
function linkOf(url: unknown): { url?: string } {
	return typeof url === 'string' && /^https?:\/\//i.test(url) ? { url } : {};
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
		const search = filter?.trim() ?? '';
		const { rows, meta } = await readNewestCases(client, search === '' ? {} : { search }, page);
		const isMore = (meta.pages ?? page) > page || meta.hasNextPage;
		return {
			results: rows.map(({ case_id, name, url }) => ({
				name: `#${case_id} ${name ?? ''}`.trim(),
				value: String(case_id),
				...linkOf(url),
			})),
			...(isMore ? { paginationToken: String(page + 1) } : {}),
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}
