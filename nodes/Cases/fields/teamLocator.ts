import type { INodePropertyMode } from 'n8n-workflow';

import { field, type Field, type FieldForm } from './form';
import { asRecord, parseId } from './values';

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
	return typeof value === 'object' && value !== null ? asRecord(value).value : value;
}

/** The field Team. */
export const teamField = (description: string): Field<string> =>
	field(
		{ ...TEAM_LOCATOR, displayName: 'Team', name: 'teamId', description, required: true },
		(value, label) => parseId(locatedIn(value), 'team ID', label),
	);
