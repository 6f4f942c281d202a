import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { readCases } from '../api/cases/cases';
import type { Client } from '../api/http/client';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { readV1List } from '../api/lists/v1Lists';
import { readSendingOptions } from '../fields/options';
import { nameOfUser } from '../fields/output';
import { toNodeError } from '../n8n/errors';
import { redactorOf } from '../n8n/redactors';
import { createClient } from '../n8n/transport';

/**
 * Suggestions come from the newest cases that the key can see, at most this many: the API has no request for users, and
 * not every service one for teams and tags.
 */
const SAMPLE = 200;

/** Reads the newest cases, and whether there are more. */
async function readSample(client: Client): Promise<{ cases: Case[]; isTruncated: boolean }> {
	const query = { filters: {}, order: 'CREATED_DESC' } as const;
	const reading = { limit: SAMPLE, pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };
	const { rows, observed } = await readCases(client, query, { ...reading, shape: (row) => row });
	return { cases: rows, isTruncated: observed.isTruncated };
}

function objects(...values: unknown[]): Row[] {
	return values.flat().filter((value): value is Row => typeof value === 'object' && value !== null);
}

/** Users that a case names. */
function usersOf({ assignees, author, opened_by, resolved_by }: Case): Row[] {
	return objects(assignees, author, opened_by, resolved_by);
}

function nameOf(user: Row): string {
	return nameOfUser(user) ?? String(user.email ?? '');
}

/** Each option once, by name, with how many of the newest cases have it, so that the list itself says where it comes from. */
async function suggestFromCases(
	client: Client,
	optionsOf: (row: Case) => INodePropertyOptions[],
): Promise<INodePropertyOptions[]> {
	const { cases, isTruncated } = await readSample(client);
	const byValue = new Map<string, { option: INodePropertyOptions; count: number }>();
	for (const row of cases) {
		const ofCase = new Map(optionsOf(row).map((option) => [String(option.value), option]));
		for (const [value, option] of ofCase) {
			byValue.set(value, { option, count: (byValue.get(value)?.count ?? 0) + 1 });
		}
	}
	const sample = isTruncated ? `${cases.length} newest cases` : `${cases.length} cases`;
	return [...byValue.values()]
		.map(({ option, count }) => ({ ...option, description: `${count} of ${sample}` }))
		.sort(byName);
}

const byName = (a: INodePropertyOptions, b: INodePropertyOptions) => a.name.localeCompare(b.name);

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

export const getTags = suggest(
	({ tags }) =>
		objects(tags)
			.filter(({ name }) => typeof name === 'string' && name !== '')
			.map(({ name }) => ({ name: String(name), value: String(name) })),
	'tags',
);

const suggestTeams = suggest(
	({ team }) =>
		objects(team)
			.filter(({ id }) => id !== undefined)
			.map(({ id, name }) => ({ name: String(name ?? id), value: String(id) })),
	'teams',
);

/** The editor shows a value that is in no list as an error, so the blank one of a new filter is an entry too. */
export async function getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return [{ name: 'Any Team', value: '' }, ...(await suggestTeams.call(this))];
}

/** The entries of the team locator's From List. */
export async function searchTeams(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const teams = await suggestTeams.call(this);
	const isMeant = ({ name }: INodePropertyOptions) =>
		name.toLowerCase().includes(filter.trim().toLowerCase());
	return {
		results: teams.filter(isMeant).map(({ name, value }) => ({ name, value: String(value) })),
	};
}

export const getUserIds = suggest((row) =>
	usersOf(row)
		.filter(({ user_id }) => user_id !== undefined)
		.map((user) => ({ name: nameOf(user), value: String(user.user_id) })),
);

const typesOf = (rows: unknown, field: string) =>
	objects(rows)
		.map((row) => row[field])
		.filter((type): type is string => typeof type === 'string' && type !== '')
		.map((type) => ({ name: type, value: type }));

export const getActivityTypes = suggest(({ activities }) => typesOf(activities, 'activity_type'));

export const getRecordTypes = suggest(({ records }) => typesOf(records, 'record_type_name'));

export const getUserEmails = suggest((row) =>
	usersOf(row)
		.filter(({ email }) => typeof email === 'string' && email !== '')
		.map((user) => ({
			name: `${nameOf(user)} <${String(user.email)}>`,
			value: String(user.email),
		})),
);
