import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import { CASE_ORDERS, type CaseOrder } from '../api/types';
import type { Show } from './form';
import type { Parameters } from './parameters';
import { asRecord } from './values';

const ORDERS: Array<INodePropertyOptions & { value: CaseOrder }> = [
	{ name: 'Least Recently Edited First', value: 'LEAST_RECENTLY_EDITED' },
	{ name: 'Newest First', value: 'CREATED_DESC' },
	{ name: 'Oldest First', value: 'CREATED_ASC' },
	{ name: 'Opened, Earliest First', value: 'OPENED_ASC' },
	{ name: 'Opened, Latest First', value: 'OPENED_DESC' },
	{ name: 'Priority, Highest First', value: 'PRIORITY_DESC' },
	{ name: 'Priority, Lowest First', value: 'PRIORITY_ASC' },
	{ name: 'Recently Edited First', value: 'RECENTLY_EDITED' },
];

export function sortField(show: Show): INodeProperties {
	return {
		displayName: 'Sort',
		name: 'sort',
		type: 'collection',
		placeholder: 'Add Order',
		default: {},
		displayOptions: { show },
		description:
			'Order of the cases. If none is added, it is up to the service where one page is read, else oldest first.',
		options: [
			{
				displayName: 'Order',
				name: 'order',
				type: 'options',
				default: 'CREATED_DESC',
				options: ORDERS,
				description: 'What comes first',
			},
		],
	};
}

/** The order that an input item chose, if any. @throws InvalidInput */
export function readOrder({ parameter }: Parameters, item: number): CaseOrder | undefined {
	const { order } = asRecord(parameter('sort', item, {}));
	if (order === undefined || order === null || order === '') return undefined;
	const known = CASE_ORDERS.find((name) => name === order);
	if (known !== undefined) return known;
	throw new InvalidInput(
		`Sort: ${quote(order)} is not an order of the service`,
		`The orders are: ${CASE_ORDERS.join(', ')}.`,
	);
}
