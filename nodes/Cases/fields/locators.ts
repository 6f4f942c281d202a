// Fields with the ID of a thing, and with a list to choose it from.

import type { INodePropertyMode } from 'n8n-workflow';

import { field, textForm, textIn, type Field, type FieldForm } from './form';
import { asRecord, parseEach, parseId } from './values';

/** A locator with the modes From List and By ID. */
export const locatorForm = (
	thing: string,
	searchListMethod: string,
	id: string,
): FieldForm & { modes: INodePropertyMode[] } => ({
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Select a ${thing}…`,
			typeOptions: { searchListMethod, searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${id}` },
	],
});

/** A team, chosen from the list or by its ID. */
export const TEAM_LOCATOR = locatorForm('team', 'searchTeams', '12');

/** The value in a stored locator, or the value of an expression in place of the locator. */
export function locatedIn(value: unknown): unknown {
	return 'mode' in asRecord(value) ? asRecord(value).value : value;
}

/**
 * A required field with one ID.
 * @param thing its name in messages, such as `comment`
 * @param form a locator, where the ID can be chosen from a list
 */
export const idField = (
	name: string,
	displayName: string,
	thing: string,
	description: string,
	form = textIn('e.g. 815'),
): Field<string> =>
	field({ ...form, displayName, name, required: true, description }, (value, label) =>
		parseId(locatedIn(value), `${thing} ID`, label),
	);

export const teamField = (description: string) =>
	idField('teamId', 'Team', 'team', description, TEAM_LOCATOR);

export const taskField = (description: string) =>
	idField('taskId', 'Task', 'task', description, locatorForm('task', 'searchTasks', '815'));

export const commentIdField = (description: string) =>
	idField('commentId', 'Comment ID', 'comment', `${description}, as Get Many returns it`);

export const FILE_ID = idField(
	'fileId',
	'File ID',
	'file',
	'ID of the file, as Get Many returns it, or of the activity that attached it',
);

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
			...textForm(
				'linkedCaseIds',
				'Linked Case IDs',
				'e.g. 4712, 4713',
				`${description}. Numbers with commas between them, or an expression that returns a list.`,
			),
			required: true,
		},
		(value, label) => {
			const ids = parseEach(value, label, (id) => parseId(id, 'case ID', label));
			return ids.length > 0 ? ids : [parseId('', 'case ID', label)];
		},
	);
