import { readCasesById } from '../cases';
import { caseNotFound } from '../caseNotFound';
import { fetchPage, type Client } from '../client';
import { ApiFailure } from '../failure';
import { exactId } from '../identity';
import { isObject } from '../json';
import { readList } from '../lists/readList';
import { actionsPath } from '../requests';
import { MAX_PAGE_SIZE, type Case, type CaseAction } from '../types';
import { told } from './sameAction';

/**
 * The failure of a request for single actions, with the way out where the service may have no such request. The API
 * document has none of them.
 */
export function explained(failure: unknown): unknown {
	if (!(failure instanceof ApiFailure)) return failure;
	const { httpCode, description } = failure.details;
	if (httpCode !== 404 && httpCode !== 405) return failure;
	const what =
		httpCode === 404
			? 'Not found, or the API key has no access to it, or the service'
			: 'The service';
	return new ApiFailure(`${what} has no request for single actions (${httpCode})`, {
		...failure.details,
		description: `${description} Replace All sets all actions of a case.`,
	});
}

/**
 * The actions of a case, with their button texts, by its own list of actions.
 * @throws ApiFailure when it can't be read, or may not have all of them
 */
export async function readActions(client: Client, caseId: string): Promise<CaseAction[]> {
	const source = {
		noun: 'actions',
		isByCreation: true,
		fetchPage: async (page: number, per_page: number) =>
			await fetchPage<CaseAction>(
				client,
				actionsPath(caseId),
				'actions',
				{ per_page, page },
				caseId,
			),
		idOf: (action: CaseAction) => exactId(action.id) ?? told(action).key,
	};
	const options = { pageSize: MAX_PAGE_SIZE, pool: client, shape: (row: CaseAction) => row };
	const { rows, observed } = await readList([source], options).catch((failure: unknown) => {
		throw explained(failure);
	});
	if (observed.keptChanging === undefined) return rows;
	throw new ApiFailure(`The list of actions of case ${caseId} may not have all of them`, {
		description: "Run again. If it keeps happening, contact the service's administrator.",
		retryable: false,
	});
}

/** The actions that a case in a list carries, often without button texts; undefined where it carries none at all. */
export function actionsOfCase({ actions }: Case): CaseAction[] | undefined {
	return Array.isArray(actions) && actions.every(isObject) ? actions : undefined;
}

/** A case as the list of cases has it now. @throws ApiFailure when it can't be read, or isn't found */
export async function readCase(client: Client, caseId: string): Promise<Case> {
	const row = (await readCasesById(client, [caseId], 1)).get(caseId);
	if (row === undefined) throw caseNotFound(caseId);
	return row;
}
