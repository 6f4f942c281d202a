import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Client } from '../api/http/client';
import { MAX_PAGE_SIZE } from '../api/types';
import { QUICK_SENDING } from '../fields/options';
import { toNodeError } from '../n8n/errors';
import { createClient } from '../n8n/transport';

/** How many entries of a list are read. */
export const MOST_ROWS = 1000;

/** How lists for the form are read. */
export const READING = {
	limit: MOST_ROWS,
	pageSize: MAX_PAGE_SIZE,
	acceptIncomplete: true,
};

/** Runs `work` with a client of the service. n8n shows the error, if it fails, in the form. */
export async function withClient<T>(
	context: ILoadOptionsFunctions,
	work: (client: Client) => Promise<T>,
): Promise<T> {
	try {
		return await work(await createClient(context, QUICK_SENDING));
	} catch (error) {
		throw toNodeError(context, error);
	}
}
