// Law of this folder: suggestions only help to fill in the form. Other values can be entered by an expression.

import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { fetchCases, readCase, readCases } from '../api/cases/cases';
import { readListOfCase } from '../api/cases/listsOfCase';
import { unlessFailed } from '../api/failures/failure';
import type { Client } from '../api/http/client';
import { exactId } from '../api/identity';
import { isObject } from '../api/json';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { fieldsOfType, readRecordTypes } from '../api/writes/recordWrites';
import { parseCaseLocator } from '../fields/caseLocator';
import { locatedIn } from '../fields/locators';
import { nameOfUser } from '../fields/output';
import { asRecord, isBlank } from '../fields/values';
import { matching, method, READING, readRows, toldApart, wordOf, type Suggestion } from './reading';

/** How many of the newest cases are read for suggestions, where the service has no list, such as of users or types. */
const MOST_CASES = 200;

const NEWEST = { filters: {}, order: 'CREATED_DESC' } as const;

const nameIn = ({ name }: Row) => String(name);

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

/**
 * Makes a function that reads suggestions, each once.
 * @param optionsOf finds suggestions in a case
 * @param list the service's own list of the values. Without such a list, or if it can't be read, the newest cases are read.
 */
const suggest =
	(optionsOf: (row: Case) => Suggestion[], list?: 'teams' | 'tags') => async (client: Client) => {
		const listed = list && (await readRows(client, list).catch(unlessFailed));
		const reads = { ...READING, limit: MOST_CASES, shape: (row: Case) => row };
		// Each team or tag is put into a case, because `optionsOf` takes cases.
		const cases =
			listed?.map((row): Case => ({ tags: [row], team: row })) ??
			(await readCases(client, NEWEST, reads)).rows;
		const byValue = new Map(cases.flatMap(optionsOf).map((option) => [option.value, option]));
		return toldApart([...byValue.values()]).sort((a, b) => a.name.localeCompare(b.name));
	};

const usersOf = ({ assignees, author, opened_by, resolved_by }: Case) =>
	[assignees, author, opened_by, resolved_by].flat();

const personIn = (user: Row) => nameOfUser(user) ?? String(user.email ?? '');

const suggestTeams = suggest(({ team }) => options([team], 'id', nameIn), 'teams');

/** Turns rows of a list of the service, in their order, into entries with their IDs, which the form needs. */
const entriesOf = (rows: Row[], nameOf = nameIn) => toldApart(options(rows, 'id', nameOf));

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
const blankEntry = (name: string): INodePropertyOptions => ({ name, value: '' });

/** Makes a method that lists what belongs to a team, each with its ID, which an expression gives. */
const ofTeam = (list: string, nameOf = nameIn) =>
	method(async (client, form) => {
		const team_id = await teamOf(form, client);
		const rows = team_id === undefined ? [] : await readRows(client, list, { team_id });
		const entries = entriesOf(rows, (row) => `${nameOf(row)} (${String(row.id)})`);
		const blank = team_id === undefined ? 'Needs a Fixed Case or Team' : 'Not Chosen';
		return [blankEntry(blank), ...entries.sort((a, b) => a.name.localeCompare(b.name))];
	});

/** The methods that fill the lists of fields. n8n wants them under this name. */
export const loadOptions = {
	getTags: method(suggest(({ tags }) => options([tags], 'name'), 'tags')),
	getTeams: method(async (client) => [blankEntry('Any Team'), ...(await suggestTeams(client))]),
	getUserIds: method(suggest((row) => options(usersOf(row), 'user_id', personIn))),
	getUserEmails: method(
		suggest((row) =>
			options(usersOf(row), 'email', (user) => `${personIn(user)} <${String(user.email)}>`),
		),
	),
	getActivityTypes: method(suggest(({ activities }) => options([activities], 'activity_type'))),
	getRecordTypes: method(suggest(({ records }) => options([records], 'record_type_name'))),
	getCaseFields: ofTeam('case_inputs'),
	getSubStatuses: ofTeam(
		'case_sub_statuses',
		(row) => `${wordOf(row.parent_status)}: ${nameIn(row)}`,
	),
	getTemplates: ofTeam('case_templates'),
	/** The fields of the chosen record type. */
	getRecordFields: method(async (client, form) => {
		const chosen = locatedIn(form.getCurrentNodeParameter('recordTypeId'));
		const types = await readRecordTypes(client);
		const type = types.find(({ id }) => exactId(id) === String(chosen));
		return [blankEntry('Not Chosen'), ...entriesOf(fieldsOfType(type ?? {}))];
	}),
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
	/** The tasks of the chosen case; those that are not done come first. */
	searchTasks: method(async (client, form, filter) => {
		const caseId = parseCaseLocator(form.getCurrentNodeParameter('caseId'), client.tenant.baseUrl);
		const limits = { pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };
		const { rows } = await readListOfCase(client, caseId, 'tasks', limits);
		const isDone = ({ completed }: Row) => completed === true;
		const inOrder = [...rows.filter((row) => !isDone(row)), ...rows.filter(isDone)];
		const nameOf = (row: Row) => `${String(row.description)}${isDone(row) ? ' (done)' : ''}`;
		return { results: matching(entriesOf(inOrder, nameOf), filter) };
	}),
	searchRecordTypes: method(async (client, _form, filter) => ({
		results: matching(entriesOf(await readRecordTypes(client)), filter),
	})),
};
