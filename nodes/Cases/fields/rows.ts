import { CASE_ORDERS, type CaseOrder } from '../api/cases/caseQuery';
import { suggested } from './filters/filterKinds';
import { field, formOf, strictField, type Field } from './form';
import { isNothing, parseChoice, parseNames, parseSwitch, parseWhole } from './values';

// Which rows to return, how many of them, and which come first.

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

/**
 * A field with the types of rows that the user chooses, in capitals so that letter case doesn't matter; none means all.
 * An expression that returns none is refused.
 * @param method the method of the node that suggests the names of types
 */
const typesField = (name: string, displayName: string, method: string, description: string) =>
	strictField(
		formOf(name, [displayName, suggested(method, 'type names'), description]),
		(given, label) => [...new Set(parseNames(given, label).map((type) => type.toUpperCase()))],
		isNothing,
	);

export const ACTIVITY_TYPES = typesField(
	'activityTypes',
	'Activity Types',
	'getActivityTypes',
	'Only activities of these types. If empty, all of them',
);

export const RECORD_TYPES = typesField(
	'recordTypes',
	'Record Types',
	'getRecordTypes',
	'Only records of these types. If empty, all of them. Each type has fields of its own, so for a table choose one type',
);

/** Whether a type is among the chosen ones. If none is chosen, all types are. */
export function isOfTypes(type: unknown, chosen: string[]): boolean {
	if (chosen.length === 0) return true;
	return typeof type === 'string' && chosen.includes(type.trim().toUpperCase());
}
