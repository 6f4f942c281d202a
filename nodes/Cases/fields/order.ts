import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { CASE_ORDERS, type CaseOrder } from '../api/types';
import type { Show } from './form';
import type { Parameters } from './parameters';

const ORDERS: Array<INodePropertyOptions & { value: CaseOrder }> = [
	{ name: 'Created, Newest First', value: 'CREATED_DESC' },
	{ name: 'Created, Oldest First', value: 'CREATED_ASC' },
	{ name: 'Opened, Newest First', value: 'OPENED_DESC' },
	{ name: 'Opened, Oldest First', value: 'OPENED_ASC' },
	{ name: 'Priority, Highest First', value: 'PRIORITY_DESC' },
	{ name: 'Priority, Lowest First', value: 'PRIORITY_ASC' },
	{ name: 'Updated, Newest First', value: 'RECENTLY_EDITED' },
	{ name: 'Updated, Oldest First', value: 'LEAST_RECENTLY_EDITED' },
];

export function orderField(show: Show): INodeProperties {
	return {
		displayName: 'Order',
		name: 'order',
		type: 'options',
		default: 'CREATED_DESC',
		displayOptions: { show },
		options: ORDERS,
		description: 'Which cases come first. With Limit, only the first ones are returned.',
	};
}

/** The order that an input item chose. @throws InvalidInput */
export function readOrder({ parameter }: Parameters, item: number): CaseOrder {
	const order = parameter('order', item);
	const known = CASE_ORDERS.find((name) => name === order);
	if (known !== undefined) return known;
	throw new InvalidInput(
		`'Order': ${quote(order)} is not an order of the service`,
		`The orders are: ${CASE_ORDERS.join(', ')}.`,
	);
}
