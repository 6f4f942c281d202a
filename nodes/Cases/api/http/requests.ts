import { encodeQuery, MAX_URL_LENGTH, type NameFilter, type Query } from './query';
import { InvalidInput } from '../failures/failure';
import type { ActionInput, ArrayFormat, Row } from '../types';

/** A request as a value: what to send, not yet how. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Path below the base URL, with its encoded query. */
	path: string;
	body?: Row;
}

/** Whether a request changes something. */
export const isWrite = ({ method }: ApiRequest): boolean => method !== 'GET';

/** The request without its query, for messages: `GET /api/v2/cases`. */
export function describeRequest({ method, path }: ApiRequest): string {
	return `${method} ${path.split('?')[0]}`;
}

/**
 * Any list of the API: cases, the comments of a case, or the pages of its activities and records.
 * @throws InvalidInput when the filters make the URL longer than servers take
 */
export function listRequest(
	path: string,
	query: Query,
	format: ArrayFormat,
	nameFilter?: NameFilter,
): ApiRequest {
	const url = `${path}?${encodeQuery(query, format, nameFilter)}`;
	if (url.length > MAX_URL_LENGTH) {
		throw new InvalidInput(
			`The filters make an address of ${url.length} characters, more than the ${MAX_URL_LENGTH} that services take`,
			'Shorten the longest filter, or split its values over several items.',
		);
	}
	return { method: 'GET', path: url };
}

export const CASES_PATH = '/api/v2/cases';

export const commentsPath = (caseId: string) => `${CASES_PATH}/${caseId}/comments`;

/** A case's own list of actions. The API document doesn't have the requests for single actions. */
export const actionsPath = (caseId: string) => `${CASES_PATH}/${caseId}/actions`;

export const isBatchUpdate = (path: string): boolean => path.endsWith('/actions/batch');

/** Whether the API document has a request, so that every service has it. */
export const isDocumented = ({ method, path }: ApiRequest): boolean =>
	isBatchUpdate(path) || (method === 'GET' && !path.includes('/actions'));

/** The batch update of a case's actions: it replaces all of them. */
export function replaceActionsRequest(caseId: string, actions: ActionInput[]): ApiRequest {
	return { method: 'PUT', path: `${actionsPath(caseId)}/batch`, body: { actions } };
}
