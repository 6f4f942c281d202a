import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../api/http/client';
import type { Query } from '../api/http/requests';
import { readList } from '../api/lists/readList';
import { listAt } from '../api/lists/source';
import { MAX_PAGE_SIZE, type Row } from '../api/types';
import { QUICK_SENDING } from '../fields/options';
import { toNodeError } from '../n8n/errors';
import { createClient } from '../n8n/transport';

/** How lists for the form are read. */
export const READING = { limit: 1000, pageSize: MAX_PAGE_SIZE, acceptIncomplete: true };

/** Reads a list that the API document doesn't have. @param name of the list in the address and in the answer */
export async function readRows(client: Client, name: string, query?: Query): Promise<Row[]> {
	const source = listAt(client, `/api/v1/${name}`, name, query);
	return (await readList([source], { ...READING, pool: client })).rows;
}

/**
 * Makes a method of the node. n8n shows the error, if it fails, in the form.
 * @param work gets what n8n gives a method of a locator: the text to search, and the `paginationToken` of the page before
 */
export const method = <T>(
	work: (client: Client, form: ILoadOptionsFunctions, filter: string, page: string) => Promise<T>,
) =>
	async function (this: ILoadOptionsFunctions, filter = '', page = '1'): Promise<T> {
		try {
			return await work(await createClient(this, QUICK_SENDING), this, filter.trim(), page);
		} catch (error) {
			throw toNodeError(this, error);
		}
	};

/** The entries of a list that a text is part of the name of. */
export const matching = <Entry extends { name: string }>(entries: Entry[], filter: string) =>
	entries.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));

/** An entry of a list. @property email tells entries of the same name apart; otherwise their values do */
export type Suggestion = INodePropertyOptions & { email?: string };

/** Adds the email or, where that doesn't help, the ID to the names that look the same in the list. */
export function toldApart(suggestions: Suggestion[]): INodePropertyOptions[] {
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

/** Turns `OPEN` into "Open". */
export const wordOf = (value: unknown) =>
	String(value).replace(/\B\w+/, (letters) => letters.toLowerCase());
