import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readCase } from '../api/cases/cases';
import { readListOfCase } from '../api/cases/listsOfCase';
import type { Client } from '../api/http/client';
import { exactId } from '../api/identity';
import { MAX_PAGE_SIZE, type Row } from '../api/types';
import { fieldsOfType, readRecordTypes } from '../api/writes/recordWrites';
import { parseCaseLocator } from '../fields/caseLocator';
import { locatedIn } from '../fields/locators';
import { asRecord, isBlank } from '../fields/values';
import { matching, method, readRows, toldApart, wordOf } from './reading';

/** The lists of what a team or a case has. They come from the service's own lists, because the form needs IDs. */

const nameIn = ({ name }: Row) => String(name);

/** Turns rows into entries of a list. */
const entriesOf = (rows: Row[], nameOf = nameIn) =>
	toldApart(rows.map((row) => ({ name: nameOf(row), value: String(row.id) })));

/** The tasks of the chosen case; those that are not done come first. */
const searchTasks = method(async (client, form, filter) => {
	const caseId = parseCaseLocator(form.getCurrentNodeParameter('caseId'), client.tenant.baseUrl);
	const limits = { pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };
	const { rows } = await readListOfCase(client, caseId, 'tasks', limits);
	const isDone = ({ completed }: Row) => completed === true;
	const inOrder = [...rows.filter((row) => !isDone(row)), ...rows.filter(isDone)];
	const nameOf = (row: Row) => `${String(row.description)}${isDone(row) ? ' (done)' : ''}`;
	return { results: matching(entriesOf(inOrder, nameOf), filter) };
});

const searchRecordTypes = method(async (client, _form, filter) => ({
	results: matching(entriesOf(await readRecordTypes(client)), filter),
}));

/** The fields of the chosen record type. */
const getRecordFields = method(async (client, form) => {
	const chosen = locatedIn(form.getCurrentNodeParameter('recordTypeId'));
	const types = await readRecordTypes(client);
	const type = types.find(({ id }) => exactId(id) === String(chosen));
	return [blankEntry('Not Chosen'), ...entriesOf(fieldsOfType(type ?? {}))];
});

/** The ID of the team that the form knows, or of the team of its case; undefined where an expression gives them. */
async function teamOf(form: ILoadOptionsFunctions, client: Client): Promise<string | undefined> {
	const [team, given] = ['teamId', 'caseId'].map((name) => {
		const value = locatedIn(form.getCurrentNodeParameter(name));
		return isBlank(value) || String(value).startsWith('=') ? undefined : String(value);
	});
	if (team !== undefined || given === undefined) return team;
	const row = await readCase(client, parseCaseLocator(given, client.tenant.baseUrl));
	return String(asRecord(row.team).id);
}

/** The editor shows a value that isn't in the list as an error, so there is an entry for the blank value of a new field. */
export const blankEntry = (name: string): INodePropertyOptions => ({ name, value: '' });

/** Makes a method that lists what belongs to a team, each with its ID, which an expression gives. */
const ofTeam = (list: string, nameOf = nameIn) =>
	method(async (client, form): Promise<INodePropertyOptions[]> => {
		const team_id = await teamOf(form, client);
		const rows = team_id === undefined ? [] : await readRows(client, list, { team_id });
		const entries = entriesOf(rows, (row) => `${nameOf(row)} (${String(row.id)})`);
		const blank = team_id === undefined ? 'Needs a Fixed Case or Team' : 'Not Chosen';
		return [blankEntry(blank), ...entries.sort((a, b) => a.name.localeCompare(b.name))];
	});

const inStatus = (row: Row) => `${wordOf(row.parent_status)}: ${nameIn(row)}`;

export const LISTS_OF_CONTENTS = {
	getCaseFields: ofTeam('case_inputs'),
	getSubStatuses: ofTeam('case_sub_statuses', inStatus),
	getTemplates: ofTeam('case_templates'),
	getRecordFields,
};

export const SEARCHES_OF_CONTENTS = { searchRecordTypes, searchTasks };
