import { InvalidInput, quote } from '../failures/failure';
import { OTHER_FORMAT } from '../failures/failureTable';
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

export const CASES_PATH = '/api/v2/cases';

export const commentsPath = (caseId: string) => `${CASES_PATH}/${caseId}/comments`;

/** A case's own list of actions. The API document doesn't have the requests for single actions. */
export const actionsPath = (caseId: string) => `${CASES_PATH}/${caseId}/actions`;

export const isBatchUpdate = (path: string): boolean => path.endsWith('/actions/batch');

/** Whether the API document has a request, so that every service has it. */
export const isDocumented = ({ method, path }: ApiRequest): boolean =>
	isBatchUpdate(path) ||
	(method === 'GET' && path.startsWith(CASES_PATH) && !path.includes('/actions'));

/** The batch update of a case's actions: it replaces all of them. */
export function replaceActionsRequest(caseId: string, actions: ActionInput[]): ApiRequest {
	return { method: 'PUT', path: `${actionsPath(caseId)}/batch`, body: { actions } };
}

/** Value of one query parameter or filter. */
export type QueryValue = string | number | boolean | string[] | Pair[];
type Pair = [key: string, value: string];

/** Parameters of a list request, under the API's names; `filters` by filter name. */
export interface Query {
	filters?: Record<string, QueryValue>;
	team_id?: string;
	order?: string;
	per_page?: number;
	page?: number;
}

/** Says what messages call a filter, by the API's name. */
export type NameFilter = (name: string) => string;

/** Longest URL the node sends: common servers and proxies refuse from 8,000 characters on. */
export const MAX_URL_LENGTH = 6000;

/** @param field as messages name it */
function encode(text: string, field: string): string {
	if (/\p{Surrogate}/u.test(text)) {
		throw new InvalidInput(
			`${field}: ${quote(text)} contains a broken character`,
			'The text was truncated in the middle of an emoji or a similar character. Truncate it before or after that character.',
		);
	}
	return encodeURIComponent(text);
}

const isPairs = (list: string[] | Pair[]): list is Pair[] => Array.isArray(list[0]);

/** What a value becomes: names, each with its value or, in the format `comma`, with all values. */
function namedValues(
	name: string,
	value: QueryValue,
	format: ArrayFormat,
	field: string,
): Array<[name: string, ...values: string[]]> {
	if (!Array.isArray(value)) return [[name, String(value)]];
	if (isPairs(value)) return value.map(([key, text]) => [`${name}[${key}]`, text]);
	if (format === 'brackets') return value.map((text) => [`${name}[]`, text]);
	if (format === 'indices') return value.map((text, index) => [`${name}[${index}]`, text]);
	if (format === 'repeat') return value.map((text) => [name, text]);
	const divided = value.find((text) => text.includes(','));
	if (divided === undefined) return [[name, ...value]];
	throw new InvalidInput(
		`${field}: ${quote(divided)} contains a comma, which would split it into two values`,
		OTHER_FORMAT,
	);
}

/**
 * Builds a query string: filters in bracket form, arrays in the format that the credential sets.
 * @throws InvalidInput when a value can't be sent as it is meant
 */
export function encodeQuery(
	{ filters = {}, ...parameters }: Query,
	format: ArrayFormat,
	nameFilter: NameFilter = quote,
): string {
	const filtering = Object.entries(filters).flatMap(([filter, value]) => {
		const field = nameFilter(filter);
		return namedValues(`filters[${filter}]`, value, format, field).map(
			([name, ...values]) =>
				`${encode(name, field)}=${values.map((text) => encode(text, field)).join(',')}`,
		);
	});
	const plain = Object.entries(parameters).flatMap(
		([name, value]: [string, string | number | undefined]) =>
			value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
	);
	return [...filtering, ...plain].join('&');
}

/**
 * The request for a list of the API, such as the cases or the comments of a case.
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
			`The filters are too long: the URL has ${url.length} characters, and may have at most ${MAX_URL_LENGTH}`,
			'Shorten the longest filter, or split its values over several items.',
		);
	}
	return { method: 'GET', path: url };
}
