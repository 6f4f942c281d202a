import { InvalidInput, quote } from '../../api/failures/failure';
import type { Kind } from '../form';
import { listOf, parseEntries, parseText, parseValue, rowsOf } from '../values';
import { textRows } from './filterKinds';

/** The name of a filter in the API. Brackets are added only when the filter is sent. */
const NAME = /^[^\s[\]\p{Cc}]+$/u;

/** Filters that the form doesn't have. A filter is sent as a list if its name ends in `[]` or its value is a list. */
export const others: Kind<Record<string, string | string[]>> = {
	form: textRows(
		'Filter',
		'Add Other Filter',
		[
			'Name',
			'e.g. exclude_tags[]',
			'Name of the filter in the API, without filters[…] around it. For a list, add [] to the name. For several values, add one filter for each.',
		],
		[
			'Value',
			'e.g. VIP',
			'Text, number, true or false. An expression may also return a list. An empty value is not sent.',
		],
	),
	read: (value, label) => {
		const values = new Map<string, string | string[]>();
		for (const { name: given, value: entry } of rowsOf(value, label, 'filter')) {
			const [name, brackets] = parseName(given, label);
			const texts = parseEntries(entry ?? '', label).map((one) => parseValue(one, label));
			const isList = brackets !== '' || listOf(entry) !== undefined;
			const before = values.get(name) ?? [];
			if (values.has(name) && !(isList && Array.isArray(before))) {
				throw new InvalidInput(
					`'${label}': ${quote(name)} is there twice`,
					`Keep one of the two. If it is a list, enter its name as ${name}[].`,
				);
			}
			if (texts.length > 0) values.set(name, isList ? [...before, ...texts] : texts[0]);
		}
		return Object.fromEntries(values);
	},
};

function parseName(value: unknown, label: string): [name: string, brackets: string] {
	const given = parseText(value ?? '', label).trim();
	const name = given.replace(/\[\]$/, '');
	if (NAME.test(name)) return [name, given.slice(name.length)];
	throw new InvalidInput(
		`'${label}': ${quote(name)} can't be the name of a filter`,
		"Enter the name as in the service's API documentation, without filters[…] around it. Only [] may follow it, for a list.",
	);
}
