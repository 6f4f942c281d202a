import type { INodeProperties } from 'n8n-workflow';

import { asRecord, parseId } from './values';

const LABEL = 'Team';

/** The team that a case belongs to, chosen from the teams that the key can see. */
export function teamLocator(name: string, description: string): INodeProperties {
	return {
		displayName: LABEL,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a team…',
				typeOptions: { searchListMethod: 'searchTeams', searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 12' },
		],
	};
}

/** The value of a team locator, or of an expression in place of it. */
export function teamValue(value: unknown): unknown {
	return typeof value === 'object' && value !== null ? asRecord(value).value : value;
}

/** @throws InvalidInput when it is not a team ID */
export function parseTeam(value: unknown): number {
	return Number(parseId(teamValue(value), 'team ID', LABEL));
}
