import { InvalidInput, quote } from '../failures/failure';
import { OTHER_FORMAT } from '../failures/failureTable';
import type { ActionInput, ArrayFormat, Row } from '../types';

/** A request to send: the sender adds the address of the tenant and the API key. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Path below the base URL, with its encoded query. */
	path: string;
	body?: Row;
	/** Takes the bytes of an answer that isn't JSON, such as a file. A retry calls it again. */
	sink?: (body: AsyncIterable<Uint8Array>, headers: Record<string, unknown>) => Promise<void>;
}

/** Whether a request changes something. */
export const isWrite = ({ method }: ApiRequest): boolean => method !== 'GET';

/** The request without its query, for messages: `GET /api/v2/cases`. */
export function describeRequest({ method, path }: ApiRequest): string {
	return `${method} ${path.split('?')[0]}`;
}

export const CASES_PATH = '/api/v2/cases';

/** What a path is about, in words: `Task 7 of case 12`, or `Case 12`; undefined where it names no case. */
export function subjectOf(path: string): string | undefined {
	const [, recordId, ofRecord] = /\/records\/(\d+)\/cases(?:\/(\d+))?/.exec(path) ?? [];
	if (recordId !== undefined)
		return `Record ${recordId} or ${ofRecord ? `case ${ofRecord}` : 'the case'}`;
	const [, statusId] = /\/case_sub_statuses\/(\d+)/.exec(path) ?? [];
	if (statusId !== undefined) return `Sub-status ${statusId}`;
	const [, caseId, list, id] = /\/cases\/(\d+)(?:\/(\w+)s\/(\d+))?/.exec(path) ?? [];
	const others = path.endsWith('/linked_cases/batch') ? ', or a case to link to it,' : '';
	if (id === undefined) return caseId && `Case ${caseId}${others}`;
	return `${list[0].toUpperCase()}${list.slice(1).replace('_', ' ')} ${id} of case ${caseId}`;
}

/** The lists of a case that have a path of their own. The API document has only the comments. */
export type ListOfCase = 'actions' | 'comments' | 'files' | 'linked_cases' | 'tasks';

export const listPath = (caseId: string, list: ListOfCase) => `${CASES_PATH}/${caseId}/${list}`;

/** The path of the cases that have a record. */
export const casesOfRecordPath = (recordId: string) => `/api/v2/records/${recordId}/cases`;

/** Whether a POST may be repeated: the service promises it of links of records, and fields are set with `upsert`. */
export const isRepeatable = (path: string): boolean =>
	/\/(records\/\d+\/cases|cases\/bulk\/fields)$/.test(path);

export const isBatchUpdate = (path: string): boolean => path.endsWith('/actions/batch');

/** The lists of the API document: the cases, and what it names of each. */
const DOCUMENTED = /^\/api\/v2\/cases(\/\d+\/(activities|comments|records))?(\?|$)/;

/** Whether the API document has a request. Older versions of the service may lack the other requests. */
export const isDocumented = ({ method, path }: ApiRequest): boolean =>
	isBatchUpdate(path) || (method === 'GET' && DOCUMENTED.test(path));

/** The batch update of a case's actions, which replaces all of them. */
export function replaceActionsRequest(caseId: string, actions: ActionInput[]): ApiRequest {
	return { method: 'PUT', path: `${listPath(caseId, 'actions')}/batch`, body: { actions } };
}

export type QueryValue = string | number | boolean | string[] | Pair[];
export type Pair = [key: string, value: string];

/** Parameters of a list request, by the API's own names. */
export interface Query {
	filters?: Record<string, QueryValue>;
	team_id?: string;
	order?: string;
	per_page?: number;
	page?: number;
}

/** Returns the name of a filter in messages, such as 'Tags (All)' for `and_tags`. */
export type NameFilter = (name: string) => string;

/** The longest URL that is sent: common servers and proxies refuse URLs of 8,000 characters and more. */
export const MAX_URL_LENGTH = 6000;

/** As JSON, half of a character of two halves, such as an emoji, and NUL. Only an odd backslash begins an escape. */
const BROKEN = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * Returns a text, or an object with texts, that the service can store.
 * @param field its name in messages
 * @throws InvalidInput for half of a character and for NUL
 */
export function storable<T>(value: T, field: string): T {
	if (!BROKEN.test(JSON.stringify(value))) return value;
	throw new InvalidInput(
		`${field}: ${quote(value)} contains a broken character`,
		'It was truncated in the middle of an emoji or a similar character, or it has a NUL character. Truncate it before or after that character, and remove NUL with .replaceAll("\\0", "").',
	);
}

const isPairs = (list: string[] | Pair[]): list is Pair[] => Array.isArray(list[0]);

/** The parameters that send a value: each a name with one value or, in the format `comma`, a name with all values. */
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
 * Builds a query string. A filter is sent as `filters[name]`, an array in the given format.
 * @throws InvalidInput when a value has a broken character, or a comma that the format would take as a separator
 */
export function encodeQuery(
	{ filters = {}, ...parameters }: Query,
	format: ArrayFormat,
	nameFilter: NameFilter = quote,
): string {
	const filtering = Object.entries(filters).flatMap(([filter, value]) => {
		const field = nameFilter(filter);
		const encode = (text: string) => encodeURIComponent(storable(text, field));
		const named = namedValues(`filters[${filter}]`, value, format, field);
		return named.map(([name, ...values]) => `${encode(name)}=${values.map(encode).join(',')}`);
	});
	const plain = Object.entries(parameters).flatMap(
		([name, value]: [string, string | number | undefined]) =>
			value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
	);
	return [...filtering, ...plain].join('&');
}
