import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readCase } from '../api/cases/cases';
import type { Client } from '../api/http/client';
import { readList } from '../api/lists/readList';
import { listAt } from '../api/lists/source';
import type { Row } from '../api/types';
import { parseCaseLocator } from '../fields/caseLocator';
import { locatedIn } from '../fields/teamLocator';
import { asRecord, isBlank } from '../fields/values';
import { READING, withClient } from './reading';

// Lists of what belongs to a team: where the form has a Team, of that team, otherwise of the team of the chosen case.

/** The ID of the team that the form knows; undefined where an expression gives the team or the case. */
async function teamOf(context: ILoadOptionsFunctions, client: Client): Promise<string | undefined> {
	const [team, given] = ['teamId', 'caseId'].map((name) => {
		const value = locatedIn(context.getCurrentNodeParameter(name));
		return isBlank(value) || String(value).startsWith('=') ? undefined : value;
	});
	if (team !== undefined || given === undefined) return team as string | undefined;
	const row = await readCase(client, parseCaseLocator(given, client.tenant.baseUrl));
	return String(asRecord(row.team).id);
}

/** The editor shows a value that isn't in the list as an error, so there is an entry for the blank value of a new field. */
const NOT_CHOSEN: INodePropertyOptions = { name: 'Not Chosen', value: '' };

/**
 * Makes a method that lists what belongs to a team, each with its ID, which an expression gives.
 * @param name of the list in the address and in the answer. Its entries have `id` and `name`
 */
const ofTeam = (name: string, nameOf = (row: Row) => String(row.name)) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await withClient(this, async (client) => {
			const team_id = await teamOf(this, client);
			if (team_id === undefined) return [NOT_CHOSEN];
			const source = listAt(client, `/api/v1/${name}`, name, { team_id });
			const { rows } = await readList([source], { ...READING, pool: client });
			const entries = rows.map((row) => ({
				...{ name: `${nameOf(row)} (${String(row.id)})`, value: String(row.id) },
			}));
			return [NOT_CHOSEN, ...entries.sort((a, b) => a.name.localeCompare(b.name))];
		});
	};

/** Turns `OPEN` into "Open". */
export const wordOf = (value: unknown) =>
	String(value).replace(/\B\w+/, (letters) => letters.toLowerCase());

export const loadOptionsOfTeam = {
	getCaseFields: ofTeam('case_inputs'),
	getSubStatuses: ofTeam(
		'case_sub_statuses',
		(row) => `${wordOf(row.parent_status)}: ${String(row.name)}`,
	),
	getTemplates: ofTeam('case_templates'),
};
