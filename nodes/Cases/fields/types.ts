import { suggested } from './filters/filterKinds';
import { formOf, type Field } from './form';
import { isNothing, parseNames, refuseNothing } from './values';

/**
 * A field with the types of rows that the user chooses, in capitals so that letter case doesn't matter; none means all.
 * An expression that returns none is refused.
 * @param method the method of the node that suggests the names of types
 */
function typesField(
	name: string,
	displayName: string,
	method: string,
	description: string,
): Field<string[]> {
	return {
		form: [formOf(name, [displayName, suggested(method, 'type names'), description])],
		read: ({ parameter, stored }, item) => {
			const given = parameter(name, item, []);
			refuseNothing(`'${displayName}'`, stored(name), given, isNothing);
			return [...new Set(parseNames(given, displayName).map((type) => type.toUpperCase()))];
		},
	};
}

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
