import { isObject } from './actions';
import { fetchPage, type Client } from './client';
import { ApiFailure, InvalidInput, quote } from './failure';
import { readList } from './lists/readList';
import { hasTwoVersions } from './twoVersions';
import { actionsPath } from './requests';
import { MAX_PAGE_SIZE, type Case, type CaseAction } from './types';

/** Whether the case itself says that the actions it carries are not all of them. */
function isTruncated({ actions_meta: meta }: Case, carried: number): boolean {
	if (!isObject(meta)) return false;
	const { pages, count, next_page } = meta;
	return (
		Number(pages) > 1 ||
		Number(count) > carried ||
		(typeof next_page === 'string' && next_page !== '')
	);
}

/**
 * The actions that a case carries; undefined where it is unknown which ones it has: the service sent no list of them,
 * only the first page, or two different lists. That doesn't mean none.
 */
export function actionsOfCase(row: Case): CaseAction[] | undefined {
	const { actions } = row;
	if (!Array.isArray(actions) || !actions.every(isObject)) return undefined;
	return isTruncated(row, actions.length) || hasTwoVersions(row) ? undefined : actions;
}

/**
 * The actions that a case carries.
 * @param remedy what to do where they are unknown
 * @throws ApiFailure where it is unknown which ones it has
 */
export function knownActionsOfCase(row: Case, remedy: string): CaseAction[] {
	const actions = actionsOfCase(row);
	if (actions !== undefined) return actions;
	const what = hasTwoVersions(row)
		? 'twice, with different actions'
		: Array.isArray(row.actions) && row.actions.every(isObject)
			? 'with only some of its actions'
			: 'without its actions';
	throw new ApiFailure(`The service returned case ${String(row.case_id)} ${what}`, {
		description: remedy,
		retryable: false,
	});
}

/** What tells an action of a case from its others. */
function identityOf({ id, url, label }: CaseAction): string {
	return id === undefined || id === null ? JSON.stringify([url, label]) : String(id);
}

/**
 * @returns undefined where the service has no such list
 * @throws ApiFailure where it doesn't have all actions, or is that of another case: the others would be removed
 */
async function readOwnList(client: Client, caseId: string): Promise<CaseAction[] | undefined> {
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
		idOf: identityOf,
	};
	const options = { pageSize: MAX_PAGE_SIZE, pool: client, shape: (row: CaseAction) => row };
	const list = await readList([source], options).catch((failure: unknown) => {
		if (failure instanceof ApiFailure && failure.details.httpCode === 404) return undefined;
		throw failure;
	});
	if (list === undefined) return undefined;
	const { keptChanging, unusable } = list.observed;
	if (keptChanging === undefined && unusable === undefined) return list.rows;
	throw new ApiFailure(`The case's own list may not have all actions of case ${caseId}`, {
		description:
			'Actions that are not in it would be removed, so the case was not written. Run again, or use the operation Replace All to set all actions of the case.',
		retryable: false,
	});
}

/** Whether two lists mean the same action. An ID alone isn't enough: it may be the place in the list. */
function isSame(one: CaseAction, other: CaseAction): boolean {
	const known = (id: unknown) => id !== undefined && id !== null;
	const hasSameId = !known(one.id) || !known(other.id) || String(one.id) === String(other.id);
	return hasSameId && one.url === other.url && one.label === other.label;
}

/** An action as the case carries it, with what its own list knows besides: null there may mean that it leaves that out. */
function withKnown(carried: CaseAction, own: CaseAction): CaseAction {
	const known = Object.entries(own).filter(
		([name, value]) => value !== null || !Object.hasOwn(carried, name),
	);
	return { ...carried, ...Object.fromEntries(known) };
}

/**
 * The actions of a case by its own list of actions, which has button texts. The API document doesn't have that list,
 * newer services do. It decides: an action that only this list has is kept too.
 * @param carried the actions that the case carries; undefined where they are unknown
 * @returns these, in their order, with what the case's own list knows; `carried` where the service has no such list
 * @throws InvalidInput where the case carries an action that its own list doesn't have
 */
export async function withButtonTexts(
	client: Client,
	caseId: string,
	carried: CaseAction[] | undefined,
): Promise<CaseAction[] | undefined> {
	const own = await readOwnList(client, caseId);
	if (own === undefined || carried === undefined) return own ?? carried;
	const left = [...own];
	const completed = carried.map((action) => {
		const index = left.findIndex((one) => isSame(one, action));
		if (index !== -1) return withKnown(action, left.splice(index, 1)[0]);
		throw new InvalidInput(
			`The list of cases and the case's own list have different actions of case ${caseId}: ${quote(action.label ?? action.url ?? '')}`,
			'It is unclear which list is right, so the case was not written. Run again later, when both are up to date.',
		);
	});
	return [...completed, ...left];
}
