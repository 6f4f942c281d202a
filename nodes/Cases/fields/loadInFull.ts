import type { INodeProperties } from 'n8n-workflow';

import type { CaseDetails } from '../api/cases/caseDetails';
import { InvalidInput, quote } from '../api/failures/failure';
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
		'A case includes only the first page of its activities and records. Choose which to load completely; this takes extra requests.',
};

/** Which of the details in its output an input item wants in full. @throws InvalidInput */
export function readLoadInFull(
	{ parameter }: Parameters,
	item: number,
	output: Output,
): CaseDetails[] {
	const { loadInFull = [] } = asRecord(parameter('options', item, {}));
	return parseNames(loadInFull, LOAD_IN_FULL.displayName)
		.map((name) => {
			if (name === 'activities' || name === 'records') return name;
			throw new InvalidInput(
				`'Load in Full' can't load ${quote(name)}`,
				"In an expression for 'Load in Full', use activities, records or both.",
			);
		})
		.filter((details) => hasField(output, details));
}
