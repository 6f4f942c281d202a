// Law of this folder: requests and answers are values. Only the sender waits. Callers pass in what reaches the network.

import { ApiFailure, InvalidInput, isNotThere } from '../failures/failure';
import type { Pool } from '../pool';
import type { Page, PageMeta, Row } from '../types';
import { isObject } from '../json';
import type { ApiAnswer } from './readAnswer';
import {
	encodeQuery,
	MAX_URL_LENGTH,
	subjectOf,
	type ApiRequest,
	type NameFilter,
	type Query,
} from './requests';
import type { Tenant } from './tenant';

/**
 * Writes lines for whoever operates n8n. A line names requests by method and path, and cases by their ID. No line has
 * the API key, a query, a search text or a body in it.
 */
export interface Log {
	/** Writes what helps to find out why something was slow, such as a retry. */
	debug: (text: string) => void;
	/** Writes what explains an unusual run, such as a list that was read again or a row that was skipped. */
	info: (text: string) => void;
	/** Writes what somebody should check, such as a write that may have been carried out. */
	warn: (text: string) => void;
}

/** Sends the requests of one run, several at a time. */
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
	/** Missing where nobody reads a log, as in simulations. */
	log?: Log;
}

/**
 * The address of a list, or of one page of it.
 * @param most how many characters it may have
 * @throws InvalidInput when the filters make it longer, or the array format would split a value
 */
export function addressOf(
	{ tenant, nameFilter }: Client,
	path: string,
	query: Query,
	most = MAX_URL_LENGTH,
): string {
	const url = `${path}?${encodeQuery(query, tenant.arrayFormat, nameFilter)}`;
	if (url.length <= most) return url;
	throw new InvalidInput(
		`The filters are too long: the URL has ${url.length} characters, and may have at most ${most}`,
		'Shorten the longest filter, or split its values over several items.',
	);
}

/**
 * Fetches one page of a list, whose rows are in the field `listKey` of the answer.
 * @throws InvalidInput as {@link addressOf}
 * @throws ApiFailure without that list
 */
export async function fetchPage(
	client: Client,
	path: string,
	listKey: string,
	query: Query,
): Promise<Page> {
	const url = addressOf(client, path, query);
	const { body, servedAt, unusable } = await client.send({ method: 'GET', path: url });
	const { [listKey]: rows, meta }: Row = isObject(body) ? body : {};
	if (Array.isArray(rows) && rows.every(isObject)) {
		return { rows, meta: parseMeta(meta), servedAt };
	}
	throw unusable({ message: `The answer of the service has no list "${listKey}"` });
}

function positiveInteger(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Reads the pagination object of a list, in which every field may be missing or wrong. */
export function parseMeta(value: unknown): PageMeta {
	const meta = isObject(value) ? value : {};
	const perPage = positiveInteger(meta.per_page);
	const pages = positiveInteger(meta.pages);
	const count = positiveInteger(meta.count);
	const isTotal = count && perPage && Math.ceil(count / perPage) === pages;
	return {
		perPage,
		pages,
		count,
		total: isTotal ? count : undefined,
		hasNextPage: typeof meta.next_page === 'string' && meta.next_page !== '',
	};
}

/**
 * Deletes what is at a path.
 * @returns false after a 404: nothing is there, or the key has no access; but true if an earlier try may have deleted it
 * @throws ApiFailure
 */
export async function deleteAt(client: Client, path: string): Promise<boolean> {
	return await client.send({ method: 'DELETE', path }).then(
		() => true,
		(failure: unknown) => {
			if (!isNotThere(failure)) throw failure;
			return failure.details.mayHaveBeenDone === true;
		},
	);
}

/**
 * Deletes what is at a path.
 * @param advice what to do where it isn't there
 * @throws ApiFailure also where `what` is not there
 */
export async function deleteOrFail(
	client: Client,
	path: string,
	advice: string,
	what = subjectOf(path),
): Promise<void> {
	if (!(await deleteAt(client, path))) throw notThere(String(what), advice);
}

/** Makes the failure for a thing that is not there. */
export const notThere = (what: string, advice: string) =>
	new ApiFailure(`${what} not found, or no access (404)`, {
		description: `The service gives the same answer for both. ${advice}`,
		httpCode: 404,
		retryable: false,
	});
