import { readListOfCase } from '../cases/listsOfCase';
import { deleteAt, notThere, type Client } from '../http/client';
import { objectsIn } from '../json';
import { listPath } from '../http/requests';
import { exactId } from '../identity';
import { nameSome } from '../failures/failure';
import { MAX_PAGE_SIZE, type Row } from '../types';
import { afterWrites, createOnce } from './caseWrites';

/** The largest number of cases that a request links: newer services take 150, older ones 50. */
const MAX_LINKS = 50;

/** The links to these cases in an answer, in their order; undefined where one is missing. */
function linksTo(ids: string[], { linked_cases }: Row): Row[] | undefined {
	const rows = objectsIn(linked_cases);
	const found = ids.flatMap((id) =>
		rows.filter(({ case_id }) => exactId(case_id) === id).slice(0, 1),
	);
	return found.length === ids.length ? found : undefined;
}

/** Links a case to others. @returns the links. @throws ApiFailure, which says how many links were made before */
export async function linkCases(client: Client, caseId: string, ids: string[]): Promise<Row[]> {
	const links: Row[] = [];
	for (let start = 0; start < ids.length; start += MAX_LINKS) {
		const batch = ids.slice(start, start + MAX_LINKS);
		const creating = createOnce(client, {
			path: `${listPath(caseId, 'linked_cases')}/batch`,
			body: { ids: batch },
			noun: 'links',
			read: (row) => linksTo(batch, row),
			find: async () => {
				const limits = { pageSize: MAX_PAGE_SIZE };
				const { rows } = await readListOfCase(client, caseId, 'linked_cases', limits);
				return { linked_cases: rows };
			},
			check: `case ${caseId} is linked to all of these cases: ${nameSome(batch)}`,
		});
		links.push(...(await creating.catch(afterWrites(start, 'Links'))));
	}
	return links;
}

/**
 * Removes links of a case, one after the other. Skips those that are not there.
 * @returns how many were removed
 * @throws ApiFailure also where none is there, because then the case itself may be another one
 */
export async function unlinkCases(client: Client, caseId: string, ids: string[]): Promise<number> {
	let removed = 0;
	for (const id of ids) {
		const path = `${listPath(caseId, 'linked_cases')}/${id}`;
		if (await deleteAt(client, path).catch(afterWrites(removed, 'Links'))) removed++;
	}
	if (removed > 0) return removed;
	const what = `A link of case ${caseId} to ${ids.length === 1 ? `case ${ids[0]}` : 'these cases'}`;
	throw notThere(what, 'Check the IDs of the cases.');
}
