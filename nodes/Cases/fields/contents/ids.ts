import { field, type Field } from '../form';
import { locatedIn, locatorForm } from '../teamLocator';
import { parseEach, parseId } from '../values';

/** The fields with the IDs of what a case holds. */

/**
 * A required field with one ID.
 * @param thing its name in messages, such as `comment`
 * @param method the method of the node that fills the list to choose from; without one, the ID is entered
 */
export const idField = (
	name: string,
	displayName: string,
	thing: string,
	description: string,
	method?: string,
): Field<string> => {
	const text = { type: 'string', default: '', placeholder: 'e.g. 815' } as const;
	const form = method === undefined ? text : locatorForm(thing, method, '815');
	return field({ ...form, displayName, name, required: true, description }, (value, label) =>
		parseId(locatedIn(value), `${thing} ID`, label),
	);
};

export const taskField = (description: string) =>
	idField('taskId', 'Task', 'task', description, 'searchTasks');

export const RECORD_ID = idField(
	'recordId',
	'Record ID',
	'record',
	'ID of the record, as Get Many or Create returns it',
);

/** The field with the cases that a case is linked to: at least one, and each once. */
export const linkedCasesField = (description: string): Field<string[]> =>
	field(
		{
			displayName: 'Linked Case IDs',
			name: 'linkedCaseIds',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 4712, 4713',
			description: `${description}. Numbers with commas between them, or an expression that returns a list.`,
		},
		(value, label) => {
			const ids = parseEach(value, label, (id) => parseId(id, 'case ID', label));
			return ids.length > 0 ? ids : [parseId('', 'case ID', label)];
		},
	);
