import type { INodeProperties } from 'n8n-workflow';

import type { CaseDetails } from '../api/caseDetails';
import { InvalidInput, quote } from '../api/failure';
import { hasField, type Output } from './output';
import type { Parameters } from './parameters';
import { asRecord, parseNames } from './values';

/** Which lists of the output cases to read beyond their first page, an entry of Options. */
export const LOAD_IN_FULL: INodeProperties = {
	displayName: 'Load in Full',
	name: 'loadInFull',
	type: 'multiOptions',
	default: [],
	displayOptions: { hide: { '/output': ['simplified'] } },
	options: [
		{ name: 'Activities', value: 'activities' },
		{ name: 'Records', value: 'records' },
	],
	description:
		'Parts to read whole. Without this, a case carries only the first page of each. Needs further requests for each case that has more.',
};

/** What an input item wants in full, of what its output has. @throws InvalidInput */
export function readLoadInFull(
	{ parameter }: Parameters,
	item: number,
	output: Output,
): CaseDetails[] {
	const { loadInFull = [] } = asRecord(parameter('options', item, {}));
	return parseNames(loadInFull, 'Load in Full')
		.map((name) => {
			if (name === 'activities' || name === 'records') return name;
			throw new InvalidInput(
				`Load in Full: ${quote(name)} is unknown`,
				'Choose activities, records or both.',
			);
		})
		.filter((details) => hasField(output, details));
}
