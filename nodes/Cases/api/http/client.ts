import { isObject } from './json';
import { shorten } from '../failures/failure';
import { exactId } from '../identity';
import type { Pool } from '../pool';
import type { Tenant } from './tenant';
import { listRequest, type ApiRequest } from './requests';
import { parsePage } from './page';
import type { NameFilter, Query } from './query';
import type { ApiAnswer } from './readAnswer';
import type { Page, Row } from '../types';

/**
 * Writes lines for whoever operates n8n. A line names requests by method and path, cases by their ID. It never holds
 * the API key, a query, a search text or a body.
 */
export interface Log {
	/** What helps to find out why something was slow, such as a retry. */
	debug: (text: string) => void;
	/** What explains an unusual run, such as a list that was read again or a row that was skipped. */
	info: (text: string) => void;
	/** What somebody should check, such as a write that may have been carried out. */
	warn: (text: string) => void;
}

/** Sends the requests of one run, several at a time; the one thing that the code in this folder needs from outside. */
export interface Client extends Pool {
	tenant: Tenant;
	/**
	 * @throws ApiFailure when there is no usable answer
	 * @throws Canceled when the user has stopped the execution
	 */
	send: (request: ApiRequest) => Promise<ApiAnswer>;
	nameFilter: NameFilter;
	/** The local time, in ms since the epoch. */
	now: () => number;
	/** Left out where nobody operates the client, as in simulations. */
	log?: Log;
}

/**
 * Fetches one page of a list.
 * @param listKey where the rows stand in the answer
 * @param caseId of the case that the list belongs to; left out for the list of cases
 * @throws ApiFailure when the answer has no such list, or that of another case, or speaks of an error: what came with it
 * may not be all
 */
export async function fetchPage<T extends Row>(
	client: Client,
	path: string,
	listKey: string,
	query: Query,
	caseId?: string,
): Promise<Page<T>> {
	const { tenant, nameFilter } = client;
	const answer = await client.send(listRequest(path, query, tenant.arrayFormat, nameFilter));
	const answered = exactId(isObject(answer.body) ? answer.body.case_id : undefined);
	if (caseId !== undefined && answered !== undefined && answered.trim() !== caseId) {
		throw answer.unusable({
			message: `The service answered with the ${listKey} of another case`,
			remedy: `Case ${caseId} was requested, and the answer is about case ${shorten(answered, 60)}. Contact the service's administrator.`,
		});
	}
	const page = parsePage<T>(answer.body, listKey, answer.servedAt);
	// Some services have an error beside the empty list behind the last page.
	const isEnd = page?.rows.length === 0 && (query.page ?? 1) > 1;
	if (answer.saidError !== undefined && !isEnd) {
		throw answer.unusable({
			message: 'The service answered with an error',
			isSaid: true,
			remedy: `It says: ${answer.saidError}. Run again. If it keeps happening, contact the service's administrator.`,
		});
	}
	if (page === undefined) {
		throw answer.unusable({ message: `The answer of the service has no list "${listKey}"` });
	}
	return page;
}
