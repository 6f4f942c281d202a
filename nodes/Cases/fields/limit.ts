import { CASE_ORDERS, type CaseOrder } from '../api/cases/caseQuery';
import { field, type Field } from './form';
import { parseChoice, parseSwitch, parseWhole } from './values';

// How many rows to return, and which of them come first.

/** The fields Return All and Limit: how many rows to return at most; undefined means all. */
export const LIMIT: Field<number | undefined> = {
	form: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { returnAll: [false] } },
			description: 'Max number of results to return',
		},
	],
	read: ({ parameter }, item) => {
		if (parseSwitch(parameter('returnAll', item), 'Return All')) return undefined;
		return parseWhole(parameter('limit', item), 'Limit', 1);
	},
};

/** The label of an order, such as "Created, Newest First". */
function labelOf([dateOrPriority, direction]: (typeof CASE_ORDERS)[CaseOrder]): string {
	const isPriority = dateOrPriority === 'priority';
	const first = direction === -1 ? ['Highest', 'Newest'] : ['Lowest', 'Oldest'];
	const [letter, ...letters] = dateOrPriority.replace('_at', '');
	return `${letter.toUpperCase()}${letters.join('')}, ${first[isPriority ? 0 : 1]} First`;
}

const ORDERS = Object.keys(CASE_ORDERS) as CaseOrder[];

export const ORDER: Field<CaseOrder> = field(
	{
		displayName: 'Order',
		name: 'order',
		type: 'options',
		default: 'CREATED_DESC',
		options: ORDERS.map((value) => ({ name: labelOf(CASE_ORDERS[value]), value })),
		description: 'Which cases come first. With Limit, only the first ones are returned.',
	},
	(value, label) => parseChoice(value, label, ORDERS),
);
