import { fetchPage, type Client } from '../http/client';
import { commentIdentity } from '../identity';
import { readList } from '../lists/readList';
import { actionsPath } from '../http/requests';
import { MAX_PAGE_SIZE, type CaseAction } from '../types';

/** Reads the actions of a case, with their button texts, from its own list of actions. @throws ApiFailure */
export async function readActions(client: Client, caseId: string): Promise<CaseAction[]> {
	const path = actionsPath(caseId);
	const source = {
		noun: 'actions',
		isByCreation: true,
		fetchPage: async (page: number, per_page: number) =>
			await fetchPage<CaseAction>(client, path, 'actions', { per_page, page }, caseId),
		idOf: commentIdentity,
	};
	const options = { pageSize: MAX_PAGE_SIZE, pool: client, shape: (row: CaseAction) => row };
	return (await readList([source], options)).rows;
}
