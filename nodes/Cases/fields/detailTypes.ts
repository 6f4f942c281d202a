import type { INodeProperties } from 'n8n-workflow';

import { suggestions } from './filters/filterKinds';
import type { Parameters } from './parameters';
import { parseNames } from './values';

/** Which activities or records to keep, by the names of their types. */
interface TypesField {
	label: string;
	/** The method of the node that fills the list. */
	method: string;
	description: string;
}

const TYPES_FIELDS = {
	activityTypes: {
		label: 'Activity Types',
		method: 'getActivityTypes',
		description: 'Only activities of these types. If empty, all of them.',
	},
	recordTypes: {
		label: 'Record Types',
		method: 'getRecordTypes',
		description:
			'Only records of these types. If empty, all of them. Each type has fields of its own, so for a table choose one type.',
	},
} satisfies Record<string, TypesField>;

type TypesFieldName = keyof typeof TYPES_FIELDS;

/** The field Activity Types or Record Types: several names, with suggestions from the newest cases. */
export function typesField(
	name: TypesFieldName,
	displayOptions: INodeProperties['displayOptions'],
): INodeProperties {
	const { label, method, description } = TYPES_FIELDS[name];
	return {
		displayName: label,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: method, allowArbitraryValues: true },
		default: [],
		displayOptions,
		description: `${description} ${suggestions('type names')}`,
	};
}

/** The names that an input item chose, in capitals, since their case doesn't matter; empty for all. @throws InvalidInput */
export function readTypes({ parameter }: Parameters, item: number, name: TypesFieldName): string[] {
	const names = parseNames(parameter(name, item, []), TYPES_FIELDS[name].label);
	return [...new Set(names.map((type) => type.toUpperCase()))];
}

/** Whether a type is one of the chosen ones. */
export function isOfTypes(type: unknown, chosen: string[]): boolean {
	if (chosen.length === 0) return true;
	const isText = typeof type === 'string' || typeof type === 'number';
	return isText && chosen.includes(String(type).trim().toUpperCase());
}
