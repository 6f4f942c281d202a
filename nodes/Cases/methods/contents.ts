import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { readListOfCase } from '../api/cases/listsOfCase';
import { exactId } from '../api/identity';
import { MAX_PAGE_SIZE, type Row } from '../api/types';
import { readRecordTypes } from '../api/writes/recordWrites';
import { parseCaseLocator } from '../fields/caseLocator';
import { fieldsOfType } from '../fields/contents/records';
import { locatedIn } from '../fields/teamLocator';
import { withClient } from './reading';

/** The lists of what a case holds. They come from the service's own lists, because the form needs IDs. */

/** Turns rows into entries of a list: those that a text is part of. */
const entriesOf = (rows: Row[], nameOf: (row: Row) => string, searched = '') =>
	rows
		.map((row) => ({ name: nameOf(row), value: String(row.id) }))
		.filter(({ name }) => name.toLowerCase().includes(searched.trim().toLowerCase()));

const nameOfType = ({ name }: Row) => String(name);

/** The tasks of the chosen case; those that are not done come first. */
export async function searchTasks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withClient(this, async (client) => {
		const caseId = parseCaseLocator(this.getCurrentNodeParameter('caseId'), client.tenant.baseUrl);
		const limits = { pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };
		const { rows } = await readListOfCase(client, caseId, 'tasks', limits);
		const isDone = ({ completed }: Row) => completed === true;
		const inOrder = [...rows.filter((row) => !isDone(row)), ...rows.filter(isDone)];
		const nameOf = (row: Row) => `${String(row.description)}${isDone(row) ? ' (done)' : ''}`;
		return { results: entriesOf(inOrder, nameOf, filter) };
	});
}

export async function searchRecordTypes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await withClient(this, async (client) => ({
		results: entriesOf(await readRecordTypes(client), nameOfType, filter),
	}));
}

/** The fields of the chosen record type. */
export async function getRecordFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await withClient(this, async (client) => {
		const chosen = locatedIn(this.getCurrentNodeParameter('recordTypeId'));
		const types = await readRecordTypes(client);
		const type = types.find(({ id }) => exactId(id) === String(chosen));
		return entriesOf(fieldsOfType(type ?? {}), nameOfType);
	});
}
