import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../../api/failures/failure';
import type { QueryValue } from '../../api/http/query';
import { rowsForm } from '../form';
import { entriesOf, isBlank, listOf, parseText, rowsOf } from '../values';

const LABEL = 'Other Filters';

/** Filters of the service that the form doesn't have, an entry of Filters. */
export const OTHER_FILTERS: INodeProperties = {
	...rowsForm('Filter', 'Add Other Filter', [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. exclude_tags[]',
			description:
				'Name of the filter in the API, without filters[…] around it. For a list, add [] to the name. For several values, add one filter for each.',
		},
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'e.g. VIP',
			description:
				'Text, number, true or false. An expression may also return a list. An empty value is not sent.',
		},
	]),
	displayName: LABEL,
	name: 'other',
	description:
		"Filters of your service that are not in this list. They are sent as you enter them. A service that doesn't know such a filter may ignore it, and return other cases too.",
};

/** A name as the API has them. The brackets are added when the filter is sent. */
const NAME = /^[^\s[\]\p{Cc}]+$/u;

/**
 * Reads the other filters.
 * @param refuse throws for a name that the form has
 * @returns values by the name in the API; a list where the name ends in `[]` or the value is a list
 * @throws InvalidInput naming the filter that can't be used
 */
export function parseOtherFilters(
	value: unknown,
	refuse: (name: string) => void,
): Record<string, QueryValue> {
	const values: Record<string, QueryValue> = {};
	for (const [given, entry] of rowsOf(value, LABEL, 'filter', ['name', 'value'])) {
		const name = parseName(given);
		refuse(name);
		const isList = String(given).trim().endsWith('[]') || listOf(entry) !== undefined;
		const texts = entriesOf(entry).map(toText);
		const before = Object.hasOwn(values, name) ? values[name] : undefined;
		if (before !== undefined && !(isList && Array.isArray(before))) {
			throw new InvalidInput(
				`'${LABEL}': ${quote(name)} is there twice`,
				`Keep one of the two. If it is a list, enter its name as ${name}[].`,
			);
		}
		if (texts.length === 0) continue;
		values[name] = isList ? [...((before as string[] | undefined) ?? []), ...texts] : texts[0];
	}
	return values;
}

function parseName(value: unknown): string {
	const name = isBlank(value) ? '' : parseText(value, LABEL).trim().replace(/\[\]$/, '');
	if (NAME.test(name) && name !== '__proto__') return name;
	throw new InvalidInput(
		name === ''
			? `'${LABEL}': a filter has no name`
			: `'${LABEL}': ${quote(name)} can't be the name of a filter`,
		"Enter the name as in the service's API documentation, without filters[…] around it. Only [] may follow it, for a list.",
	);
}

function toText(value: unknown): string {
	return typeof value === 'boolean' ? String(value) : parseText(value, LABEL);
}
