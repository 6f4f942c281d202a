// Law of this folder: suggestions only help to fill in the form. Other values can be entered by an expression.

import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { CaseFilters } from '../api/cases/caseQuery';
import { fetchCases, readCases } from '../api/cases/cases';
import { unlessFailed } from '../api/failures/failure';
import type { Client } from '../api/http/client';
import { isObject } from '../api/json';
import { readList } from '../api/lists/readList';
import { listAt } from '../api/lists/source';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { nameOfUser } from '../fields/output';
import { isBlank } from '../fields/values';
import { getRecordFields, searchRecordTypes, searchTasks } from './contents';
import { loadOptionsOfTeam, wordOf } from './ofTeam';
import { READING, withClient } from './reading';

/** How many of the newest cases are read for suggestions, where the service has no list, such as of users or types. */
const MOST_CASES = 200;

/**
 * Reads the teams or tags that the key can see, from lists that the API document doesn't have. Each team or tag is put
 * into a case, because {@link suggest} takes cases.
 * @returns undefined where the service refuses
 */
async function readOwnList(client: Client, name: 'teams' | 'tags'): Promise<Case[] | undefined> {
	const source = listAt(client, `/api/v1/${name}`, name);
	const options = { ...READING, pool: client };
	const list = await readList([source], options).catch(unlessFailed);
	return list?.rows.map((row) => ({ tags: [row], team: row }));
}

async function readNewestCases(client: Client): Promise<Case[]> {
	const query = { filters: {}, order: 'CREATED_DESC' } as const;
	return (await readCases(client, query, { ...READING, limit: MOST_CASES, shape: (row) => row }))
		.rows;
}

/** An entry of a list. @property email tells entries of the same name apart; otherwise their values do */
type Suggestion = INodePropertyOptions & { email?: string };

/** Adds the email or, where that doesn't help, the ID to the names that look the same in the list. */
function toldApart(suggestions: Suggestion[]): INodePropertyOptions[] {
	const adding = (list: Suggestion[], tellApart: (one: Suggestion) => unknown) => {
		const looks = list.map(({ name }) => name.replace(/\s+/g, ' ').trim());
		const isAlone = (place: number) =>
			looks.indexOf(looks[place]) === looks.lastIndexOf(looks[place]);
		return list.map((one, place) =>
			isAlone(place) ? one : { ...one, name: `${one.name} <${tellApart(one)}>` },
		);
	};
	const byEmail = adding(suggestions, ({ email, value }) => email ?? value);
	return adding(byEmail, ({ value }) => value).map(({ name, value }) => ({ name, value }));
}

/**
 * Makes a method that returns suggestions, each once.
 * @param optionsOf finds suggestions in a case
 * @param list the service's own list of the values. Without such a list, or if it can't be read, the newest cases are read.
 */
function suggest(optionsOf: (row: Case) => Suggestion[], list?: 'teams' | 'tags') {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await withClient(this, async (client) => {
			const listed = list && (await readOwnList(client, list));
			const rows = listed ?? (await readNewestCases(client));
			const byValue = new Map(rows.flatMap(optionsOf).map((option) => [option.value, option]));
			return toldApart([...byValue.values()]).sort((a, b) => a.name.localeCompare(b.name));
		});
	};
}

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
	getTags: suggest(({ tags }) => options([tags], 'name'), 'tags'),
	/** The editor shows a value that isn't in the list as an error, so there is an entry for the blank value of a new filter. */
	async getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return [{ name: 'Any Team', value: '' }, ...(await suggestTeams.call(this))];
	},
	getUserIds: suggest((row) => options(usersOf(row), 'user_id', nameOf)),
	getUserEmails: suggest((row) =>
		options(usersOf(row), 'email', (user) => `${nameOf(user)} <${String(user.email)}>`),
	),
	getActivityTypes: suggest(({ activities }) => options([activities], 'activity_type')),
	...loadOptionsOfTeam,
	getRecordTypes: suggest(({ records }) => options([records], 'record_type_name')),
	getRecordFields,
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
	searchRecordTypes,
	searchTasks,
	/**
	 * Finds the newest cases whose name, description or ID matches.
	 * @param filter a text, an entry of the list such as `#500 Port scan`, or the address of a case
	 * @param page the `paginationToken` of the page before
	 */
	async searchCases(
		this: ILoadOptionsFunctions,
		filter = '',
		page = '1',
	): Promise<INodeListSearchResult> {
		const [, id] = /^(?:#|https?:.*\/cases\/)(\d+)/i.exec(filter.trim()) ?? [];
		const search = id ?? filter.trim();
		const filters: CaseFilters['filters'] = search === '' ? {} : { search };
		const query = { filters, order: 'CREATED_DESC' } as const;
		return await withClient(this, async (client) => {
			const { rows, meta } = await fetchCases(client, query, Number(page), MAX_PAGE_SIZE);
			const isMore = (meta.pages ?? 1) > Number(page);
			return {
				results: rows.map(entryOf),
				...(isMore && { paginationToken: String(Number(page) + 1) }),
			};
		});
	},

	async searchTeams(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const teams = await suggestTeams.call(this);
		const searched = filter.trim().toLowerCase();
		return {
			results: teams
				.filter(({ name }) => name.toLowerCase().includes(searched))
				.map(({ name, value }) => ({ name, value: String(value) })),
		};
	},
};
