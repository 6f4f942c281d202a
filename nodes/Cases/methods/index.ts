// Law of this folder: suggestions only help to fill in the form. Other values can be entered by an expression.

import { fetchCases, readCases } from '../api/cases/cases';
import { unlessFailed } from '../api/failures/failure';
import type { Client } from '../api/http/client';
import { isObject } from '../api/json';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { nameOfUser } from '../fields/output';
import { isBlank } from '../fields/values';
import { blankEntry, LISTS_OF_CONTENTS, SEARCHES_OF_CONTENTS } from './contents';
import { matching, method, READING, readRows, toldApart, wordOf, type Suggestion } from './reading';

/** How many of the newest cases are read for suggestions, where the service has no list, such as of users or types. */
const MOST_CASES = 200;

const NEWEST = { filters: {}, order: 'CREATED_DESC' } as const;

/**
 * Reads the teams or tags that the key can see. Each is put into a case, because {@link suggest} takes cases.
 * @returns undefined where the service refuses
 */
async function readOwnList(client: Client, name: 'teams' | 'tags'): Promise<Case[] | undefined> {
	const rows = await readRows(client, name).catch(unlessFailed);
	return rows?.map((row) => ({ tags: [row], team: row }));
}

/**
 * Makes a function that reads suggestions, each once.
 * @param optionsOf finds suggestions in a case
 * @param list the service's own list of the values. Without such a list, or if it can't be read, the newest cases are read.
 */
const suggest =
	(optionsOf: (row: Case) => Suggestion[], list?: 'teams' | 'tags') => async (client: Client) => {
		const reads = { ...READING, limit: MOST_CASES, shape: (row: Case) => row };
		const listed = list && (await readOwnList(client, list));
		const rows = listed ?? (await readCases(client, NEWEST, reads)).rows;
		const byValue = new Map(rows.flatMap(optionsOf).map((option) => [option.value, option]));
		return toldApart([...byValue.values()]).sort((a, b) => a.name.localeCompare(b.name));
	};

/** Turns objects of a case, such as its tags, into suggestions. Objects without the given field are left out. */
const options = (
	values: unknown[],
	field: string,
	nameOf = (row: Row) => String(row[field]),
): Suggestion[] =>
	values
		.flat()
		.filter((value): value is Row => isObject(value) && !isBlank(value[field]))
		.map((row) => ({
			...{ name: nameOf(row), value: String(row[field]) },
			email: isBlank(row.email) ? undefined : String(row.email),
		}));

const usersOf = ({ assignees, author, opened_by, resolved_by }: Case) =>
	[assignees, author, opened_by, resolved_by].flat();

const nameOf = (user: Row) => nameOfUser(user) ?? String(user.email ?? '');

const suggestTeams = suggest(
	({ team }) => options([team], 'id', ({ name }) => String(name)),
	'teams',
);

/** The methods that fill the lists of fields. n8n wants them under this name. */
export const loadOptions = {
	getTags: method(suggest(({ tags }) => options([tags], 'name'), 'tags')),
	getTeams: method(async (client) => [blankEntry('Any Team'), ...(await suggestTeams(client))]),
	getUserIds: method(suggest((row) => options(usersOf(row), 'user_id', nameOf))),
	getUserEmails: method(
		suggest((row) =>
			options(usersOf(row), 'email', (user) => `${nameOf(user)} <${String(user.email)}>`),
		),
	),
	getActivityTypes: method(suggest(({ activities }) => options([activities], 'activity_type'))),
	getRecordTypes: method(suggest(({ records }) => options([records], 'record_type_name'))),
	...LISTS_OF_CONTENTS,
};

/** A case as an entry of a list, such as `#500 Port scan · Open · High`. n8n opens the `url`, so only http(s) passes. */
function entryOf({ case_id, name, status, priority, url }: Case) {
	return {
		name: `#${case_id} ${name} · ${wordOf(status)} · ${wordOf(priority)}`,
		value: String(case_id),
		...(/^https?:\/\//i.test(String(url)) && { url: String(url) }),
	};
}

/** The methods that fill the lists of locators. n8n wants them under this name. */
export const listSearch = {
	...SEARCHES_OF_CONTENTS,
	/** Finds the newest cases by name, description or ID, by an entry such as `#500 Port scan`, or by the address of a case. */
	searchCases: method(async (client, _form, filter, page) => {
		const [, id] = /^(?:#|https?:.*\/cases\/)(\d+)/i.exec(filter) ?? [];
		const search = id ?? filter;
		const query = { ...NEWEST, filters: { ...(search !== '' && { search }) } };
		const { rows, meta } = await fetchCases(client, query, Number(page), MAX_PAGE_SIZE);
		const isMore = (meta.pages ?? 1) > Number(page);
		return {
			results: rows.map(entryOf),
			...(isMore && { paginationToken: String(Number(page) + 1) }),
		};
	}),
	searchTeams: method(async (client, _form, filter) => ({
		results: matching(await suggestTeams(client), filter),
	})),
};
