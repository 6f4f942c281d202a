import type { Tenant } from './tenant';
import type { ApiFailure } from './failure';
import type { UnusableAnswer } from './answerFailures';
import { listRequest, type ApiRequest } from './requests';
import { parsePage } from './page';
import type { Query } from './query';
import type { Page, Row } from './types';

/** A usable answer: its JSON body, and when it came. */
export interface ApiAnswer {
	body: unknown;
	/** When the service began to answer, by its own clock, in ms since the epoch; undefined where it tells no time. */
	servedAt?: number;
	/** The failure to throw when the body is not what was asked for. */
	unusable: (reason: UnusableAnswer) => ApiFailure;
}

/** Sends the requests of one run; the one thing that the code in this folder needs from outside. */
export interface Client {
	tenant: Tenant;
	/** Most requests in flight at the same time. */
	concurrency: number;
	/** @throws ApiFailure when there is no usable answer */
	send: (request: ApiRequest) => Promise<ApiAnswer>;
}

/**
 * Fetches one page of a list.
 * @param listKey where the rows stand in the answer
 * @throws ApiFailure when the answer has no such list
 */
export async function fetchPage<T extends Row>(
	client: Client,
	path: string,
	listKey: string,
	query: Query,
): Promise<Page<T>> {
	const answer = await client.send(listRequest(path, query, client.tenant.arrayFormat));
	const page = parsePage<T>(answer.body, listKey, answer.servedAt);
	if (page === undefined) {
		throw answer.unusable({ message: `The answer of the service has no list "${listKey}"` });
	}
	return page;
}
