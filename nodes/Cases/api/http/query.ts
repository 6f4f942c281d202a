import { InvalidInput, quote } from '../failures/failure';
import type { ArrayFormat } from '../types';

/** Value of one query parameter or filter. */
export type QueryValue = string | number | boolean | string[] | Array<[key: string, value: string]>;

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

function encodeList(name: string, values: string[], format: ArrayFormat, field: string): string[] {
	const key = encode(name, field);
	const encoded = values.map((value) => encode(value, field));
	switch (format) {
		case 'brackets':
			return encoded.map((value) => `${key}%5B%5D=${value}`);
		case 'indices':
			return encoded.map((value, index) => `${key}%5B${index}%5D=${value}`);
		case 'repeat':
			return encoded.map((value) => `${key}=${value}`);
		case 'comma': {
			const divided = values.find((value) => value.includes(','));
			if (divided !== undefined) {
				throw new InvalidInput(
					`${field}: ${quote(divided)} contains a comma, which would split it into two values`,
					"In the credential, choose another 'List Format in Requests' that the service accepts.",
				);
			}
			return [`${key}=${encoded.join(',')}`];
		}
	}
}

function encodeValue(
	name: string,
	value: QueryValue,
	format: ArrayFormat,
	field = `'${name}'`,
): string[] {
	if (!Array.isArray(value)) return [`${encode(name, field)}=${encode(String(value), field)}`];
	const isPairs = Array.isArray(value[0]);
	return isPairs
		? (value as Array<[string, string]>).flatMap(([key, text]) =>
				encodeValue(`${name}[${key}]`, text, format, field),
			)
		: encodeList(name, value as string[], format, field);
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
	const plain = Object.entries(parameters).flatMap(([name, value]) =>
		value === undefined ? [] : encodeValue(name, value, format),
	);
	const filtering = Object.entries(filters).flatMap(([name, value]) =>
		encodeValue(`filters[${name}]`, value, format, nameFilter(name)),
	);
	return [...filtering, ...plain].join('&');
}
