import { caseNotFound, readCasesById, splitIntoBatches } from '../api/cases/cases';
import type { ApiFailure } from '../api/failures/failure';
import type { Observed } from '../api/lists/readList';
import { MAX_PAGE_SIZE, type Case } from '../api/types';
import { noteObserved } from '../n8n/hints';
import { settle, valueOf, type Checked, type Run } from '../n8n/run';

/** What is read of an input item that names a case. */
type OfCase = Checked<{ caseId: string }>;

/** Groups the input items by their case. Items that can't be used are left out. */
export function groupItems(checked: OfCase[]): Map<string, number[]> {
	const itemsOf = new Map<string, number[]>();
	checked.forEach((one, item) => {
		if ('failure' in one) return;
		const { caseId } = one.value;
		const items = itemsOf.get(caseId) ?? [];
		itemsOf.set(caseId, items);
		items.push(item);
	});
	return itemsOf;
}

/**
 * Reads the cases of the input items, up to a page of cases with each request. They come from the list of cases, filtered
 * by ID, because the API has no request for a single case.
 * @returns a function that returns a case, or throws its failure. A second call for the same case returns a copy.
 * @throws ItemFailure when a request fails, unless the run continues on fail
 */
export async function readCasesOfItems(run: Run, checked: OfCase[]): Promise<(id: string) => Case> {
	const { client } = run;
	const itemsOf = groupItems(checked);
	const query = { filters: {}, caseIds: [...itemsOf.keys()] };
	const batches = splitIntoBatches(client, query, MAX_PAGE_SIZE);
	const read = new Map<string, Checked<Case>>();
	await client.mapReads(batches.length, async (index) => {
		const { caseIds } = batches[index];
		const items = caseIds.flatMap((id) => itemsOf.get(id) ?? []);
		const result = await settle(run, items, async () => {
			const refused = new Map<string, ApiFailure>();
			const noteBatch = (observed: Observed) => noteObserved(run, 'cases', observed);
			const cases = await readCasesById(client, caseIds, MAX_PAGE_SIZE, noteBatch, refused);
			for (const [id, failure] of refused) read.set(id, { failure });
			for (const [id, value] of cases) read.set(id, { value });
			return [];
		});
		if ('failure' in result) for (const id of caseIds) read.set(id, result);
	});

	const returned = new Set<string>();
	return (id) => {
		const found = read.get(id);
		if (found === undefined) throw caseNotFound(id);
		const row = valueOf(found);
		if (returned.has(id)) return structuredClone(row);
		returned.add(id);
		return row;
	};
}
