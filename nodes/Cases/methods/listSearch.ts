import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { fetchCases, type CaseFilters } from '../api/cases/caseQuery';
import { exactId } from '../api/identity';
import { MAX_PAGE_SIZE, type Case } from '../api/types';
import { readSendingOptions } from '../fields/options';
import { redactorOf, toNodeError } from '../n8n/errors';
import { createClient } from '../n8n/transport';
import { suggestTeams } from './loadOptions';

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

/**
 * The entries of the case locator's From List: the newest cases whose name, description or ID matches, fifty a page. Cases
 * that can't be requested by an ID are left out.
 * @param paginationToken number of the page, as the result before returned it
 */
async function searchCases(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	try {
		const client = await createClient(this, readSendingOptions({}));
		const search = searchedFor(filter);
		const filters: CaseFilters['filters'] = search === '' ? {} : { search };
		const query = { filters, order: 'CREATED_DESC' } as const;
		const page = Number(paginationToken);
		const { rows, meta } = await fetchCases(client, query, page, MAX_PAGE_SIZE);
		const { pages = page, hasNextPage } = meta;
		const isMore = rows.length > 0 && (pages > page || hasNextPage);
		return {
			results: rows
				.filter(({ case_id }) => exactId(case_id) !== undefined)
				.map((row) => ({ name: labelOf(row), value: String(row.case_id), ...linkOf(row.url) })),
			...(isMore ? { paginationToken: String(page + 1) } : {}),
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error, undefined, redactorOf(this));
	}
}

/** The entries of the team locator's From List. */
async function searchTeams(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const teams = await suggestTeams.call(this);
	const isMeant = ({ name }: INodePropertyOptions) =>
		name.toLowerCase().includes(filter.trim().toLowerCase());
	return {
		results: teams.filter(isMeant).map(({ name, value }) => ({ name, value: String(value) })),
	};
}

/** What fills the lists of locators, under n8n's own name. */
export const listSearch = { searchCases, searchTeams };
