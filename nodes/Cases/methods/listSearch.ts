import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { fetchCases, type CaseFilters } from '../api/cases/caseQuery';
import type { Client } from '../api/http/client';
import { exactId } from '../api/identity';
import { MAX_PAGE_SIZE, type Case } from '../api/types';
import { readSendingOptions } from '../fields/options';
import { toNodeError } from '../n8n/errors';
import { redactorOf } from '../n8n/redactors';
import { createClient } from '../n8n/transport';

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

/** What to search for: the ID where somebody enters `#500 Port scan`, as the list shows it, or the address of a case. */
function searchedFor(filter = ''): string {
	const [, id] = /^(?:#|https?:.*\/cases\/)(\d+)/i.exec(filter.trim()) ?? [];
	return id ?? filter.trim();
}

/** A page of fifty of the newest cases, without those that can't be requested by an ID, and whether there may be more. */
async function readPage(client: Client, page: number, search: string) {
	const filters: CaseFilters['filters'] = search === '' ? {} : { search };
	const query = { filters, order: 'CREATED_DESC' } as const;
	const { rows, meta } = await fetchCases(client, query, page, MAX_PAGE_SIZE);
	const { pages = page, hasNextPage } = meta;
	const cases = rows.filter(({ case_id }) => exactId(case_id) !== undefined);
	return { cases, isMore: rows.length > 0 && (pages > page || hasNextPage) };
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
		const { cases, isMore } = await readPage(client, page, searchedFor(filter));
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
