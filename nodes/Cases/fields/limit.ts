import type { INodeProperties } from 'n8n-workflow';

import type { Show } from './form';
import type { Parameters } from './parameters';
import { parseSwitch, parseWhole } from './values';

/** Return All and Limit. */
export function limitFields(show: Show): INodeProperties[] {
	return [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			displayOptions: { show },
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { ...show, returnAll: [false] } },
			description: 'Max number of results to return',
		},
	];
}

/** How many rows an input item wants at most; undefined for all. @throws InvalidInput */
export function readLimit({ parameter }: Parameters, item: number): number | undefined {
	if (parseSwitch(parameter('returnAll', item), 'Return All')) return undefined;
	return parseWhole(parameter('limit', item), 'Limit', 1);
}
