// Law of this folder: suggestions help to fill in the form; whatever they lack can be entered by an expression.

import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { readCases } from '../api/cases/cases';
import { fetchPage, type Client } from '../api/http/client';
import { unlessFailed } from '../api/failures/failure';
import { isObject } from '../api/http/json';
import { commentIdentity } from '../api/identity';
import { readList } from '../api/lists/readList';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { readSendingOptions } from '../fields/options';
import { nameOfUser } from '../fields/output';
import { isBlank } from '../fields/values';
import { redactorOf, toNodeError } from '../n8n/errors';
import { createClient } from '../n8n/transport';

/**
 * Suggestions come from the newest cases that the key can see, at most this many: the API has no request for users, and
 * not every service one for teams and tags.
 */
const SAMPLE = 200;

/** Most rows for a list in the editor. */
const MOST_ROWS = 1000;

const objects = (...values: unknown[]): Row[] => values.flat().filter(isObject);

/** Each option once, by name, with how many of the newest cases have it, so that the list itself says where it comes from. */
async function suggestFromCases(
	client: Client,
	optionsOf: (row: Case) => INodePropertyOptions[],
): Promise<INodePropertyOptions[]> {
	const query = { filters: {}, order: 'CREATED_DESC' } as const;
	const reading = { limit: SAMPLE, pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };
	const { rows, observed } = await readCases(client, query, { ...reading, shape: (row) => row });
	const byValue = new Map<string, { option: INodePropertyOptions; count: number }>();
	for (const row of rows) {
		const ofCase = new Map(optionsOf(row).map((option) => [String(option.value), option]));
		for (const [value, option] of ofCase) {
			byValue.set(value, { option, count: (byValue.get(value)?.count ?? 0) + 1 });
		}
	}
	const sample = `${rows.length} ${observed.isTruncated ? 'newest cases' : 'cases'}`;
	return [...byValue.values()]
		.map(({ option, count }) => ({ ...option, description: `${count} of ${sample}` }))
		.sort(byName);
}

const byName = (a: INodePropertyOptions, b: INodePropertyOptions) => a.name.localeCompare(b.name);

/**
 * Reads the teams or the tags that the key can see. The API document doesn't have these lists.
 * @returns undefined where the service doesn't return the list: it has none, or not for this key. The cases are read instead,
 * and show whether it answers.
 */
async function readV1List(client: Client, name: 'teams' | 'tags'): Promise<Row[] | undefined> {
	const source = {
		noun: name,
		isByCreation: true,
		fetchPage: async (page: number, per_page: number) =>
			await fetchPage(client, `/api/v1/${name}`, name, { per_page, page }),
		idOf: commentIdentity,
	};
	const shape = (row: Row) => row;
	const reading = { limit: MOST_ROWS, pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };
	const result = await readList([source], { ...reading, pool: client, shape }).catch(unlessFailed);
	return result?.rows;
}

/**
 * Suggestions of one kind. An error shows as an error in the form.
 * @param list the service's own list of them, where it has one
 */
function suggest(optionsOf: (row: Case) => INodePropertyOptions[], list?: 'teams' | 'tags') {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const client = await createClient(this, readSendingOptions({}));
			const rows = list === undefined ? undefined : await readV1List(client, list);
			// Rows have the shape in which cases carry them.
			const options = rows?.flatMap((row) => optionsOf({ tags: [row], team: row }));
			return options?.sort(byName) ?? (await suggestFromCases(client, optionsOf));
		} catch (error) {
			throw toNodeError(this.getNode(), error, undefined, redactorOf(this));
		}
	};
}

/** Options from one field of some rows; those without it are left out. */
const options = (
	rows: Row[],
	field: string,
	nameOf = (row: Row) => String(row[field]),
): INodePropertyOptions[] =>
	rows
		.filter((row) => !isBlank(row[field]))
		.map((row) => ({ name: nameOf(row), value: String(row[field]) }));

/** Users that a case names. */
const usersOf = ({ assignees, author, opened_by, resolved_by }: Case) =>
	objects(assignees, author, opened_by, resolved_by);

const nameOf = (user: Row) => nameOfUser(user) ?? String(user.email ?? '');

export const suggestTeams = suggest(
	({ team }) => options(objects(team), 'id', ({ id, name }) => String(name ?? id)),
	'teams',
);

/** What fills the lists of fields, under n8n's own name. */
export const loadOptions = {
	getTags: suggest(({ tags }) => options(objects(tags), 'name'), 'tags'),
	/** The editor shows a value that is in no list as an error, so the blank one of a new filter is an entry too. */
	async getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return [{ name: 'Any Team', value: '' }, ...(await suggestTeams.call(this))];
	},
	getUserIds: suggest((row) => options(usersOf(row), 'user_id', nameOf)),
	getUserEmails: suggest((row) =>
		options(usersOf(row), 'email', (user) => `${nameOf(user)} <${String(user.email)}>`),
	),
	getActivityTypes: suggest(({ activities }) => options(objects(activities), 'activity_type')),
	getRecordTypes: suggest(({ records }) => options(objects(records), 'record_type_name')),
};
