import { isObject } from './actions';
import { fetchPage, type Client } from './client';
import { ApiFailure } from './failure';
import { readAll } from './readList';
import { actionsPath } from './requests';
import { MAX_PAGE_SIZE, type Case, type CaseAction } from './types';

/** The actions that a case carries; undefined where the service sent no list of them, which doesn't mean none. */
export function actionsOfCase({ actions }: Case): CaseAction[] | undefined {
	return Array.isArray(actions) && actions.every(isObject) ? actions : undefined;
}

/** @throws ApiFailure where the service sent no list of the actions */
export function knownActionsOfCase(row: Case, remedy: string): CaseAction[] {
	const actions = actionsOfCase(row);
	if (actions !== undefined) return actions;
	throw new ApiFailure(`The service returned case ${String(row.case_id)} without its actions`, {
		description: remedy,
		retryable: false,
	});
}

/** What tells an action of a case from its others. */
function identityOf({ id, url, label }: CaseAction): string {
	return id === undefined || id === null ? JSON.stringify([url, label]) : String(id);
}

/** @returns undefined where the service has no such list */
async function readOwnList(client: Client, caseId: string): Promise<CaseAction[] | undefined> {
	const source = {
		fetchPage: async (page: number, per_page: number) =>
			await fetchPage<CaseAction>(client, actionsPath(caseId), 'actions', { per_page, page }),
		idOf: identityOf,
	};
	const options = { pageSize: MAX_PAGE_SIZE, pool: client, shape: (row: CaseAction) => row };
	return await readAll([source], options).then(
		({ rows }) => rows,
		(failure: unknown) => {
			if (failure instanceof ApiFailure && failure.details.httpCode === 404) return undefined;
			throw failure;
		},
	);
}

/**
 * Adds the button texts to the actions of a case, from the case's own list of actions. The API document doesn't have
 * that list, newer services do.
 * @returns the actions as they are where the service has no such list, or where an action isn't in it
 */
export async function withButtonTexts(
	client: Client,
	caseId: string,
	actions: CaseAction[],
): Promise<CaseAction[]> {
	const own = await readOwnList(client, caseId);
	const byIdentity = new Map(own?.map((action) => [identityOf(action), action]));
	return actions.map((action) => {
		const { action_text, query_params } = byIdentity.get(identityOf(action)) ?? {};
		return {
			...action,
			...(action_text === undefined ? {} : { action_text }),
			...(query_params === undefined ? {} : { query_params }),
		};
	});
}
