import { fetchPage, type Client } from '../http/client';
import { exactId, numericId, rowIdentity } from '../identity';
import { listPath } from '../http/requests';
import { MAX_PAGE_SIZE, type Row } from '../types';
import { createOnce, watchCreations } from './caseWrites';

/**
 * Adds a comment or a file to a case.
 * @param isSame whether a row of the list has what is created
 * @param known the entries that this run has added, by `rowIdentity`; the new entry is added to the set
 * @returns the entry, with its `case_id`
 */
export async function createEntry(
	client: Client,
	caseId: string,
	list: 'comments' | 'files',
	creation: Row,
	isSame: (row: Row) => boolean,
	known: Set<string>,
): Promise<Row> {
	const path = listPath(caseId, list);
	const newRows = watchCreations(client, known);
	const read = async (page: number) =>
		await fetchPage(client, path, list, { per_page: MAX_PAGE_SIZE, page });
	/** Looks for the entry on the first and the last page, because a list may begin or end with its newest entries. */
	const find = async () => {
		const first = await read(1);
		const { pages = 1 } = first.meta;
		const last = pages > 1 ? await read(pages) : first;
		return newRows({ ...last, rows: [...first.rows, ...last.rows] }).find(isSame);
	};
	const noun = list.slice(0, -1);
	const entry = await createOnce(client, path, creation, {
		noun,
		isMeant: ({ id }) => exactId(id) !== undefined,
		find,
		check: `the case has the ${noun}`,
	});
	known.add(rowIdentity(entry));
	return { case_id: numericId(caseId), ...entry };
}
