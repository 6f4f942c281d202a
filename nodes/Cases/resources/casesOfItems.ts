import { splitIntoBatches } from '../api/cases/caseQuery';
import { caseNotFound, readCasesById } from '../api/cases/cases';
import type { ApiFailure } from '../api/failures/failure';
import type { Observed } from '../api/lists/readList';
import type { Case } from '../api/types';
import { readCaseId } from '../fields/caseLocator';
import { readNumberOption } from '../fields/options';
import { noteObserved } from '../n8n/hints';
import { checkItems, settle, valueOf, type Checked, type Run } from '../n8n/run';

/** A case, and the input items that are about it. */
export interface CaseOfItems {
	caseId: string;
	items: number[];
}

/** The case that each input item is about, checked before any request. */
export function caseIdsOfItems(run: Run): Array<Checked<string>> {
	const { baseUrl } = run.client.tenant;
	return checkItems(run, (item) => readCaseId(run, item, baseUrl));
}

/** The cases that items name, each once, in the order of their first items. */
export function groupItems(ids: Array<Checked<string>>): CaseOfItems[] {
	const groups = new Map<string, CaseOfItems>();
	ids.forEach((id, item) => {
		if ('failure' in id) return;
		const group = groups.get(id.value) ?? { caseId: id.value, items: [] };
		groups.set(id.value, group);
		group.items.push(item);
	});
	return [...groups.values()];
}

/**
 * Reads cases, up to a page of them to a request.
 * The API has no request for a single case, so they come from the list, filtered by ID.
 * @param note gets the cases of each request as they come
 * @returns a function that returns one of the cases, or throws why it can't be read; called again, it returns a copy
 * @throws ItemFailure when a request fails, with no further one sent, unless the run continues on fail
 */
export async function readCasesOfItems(
	run: Run,
	groups: CaseOfItems[],
	note: (cases: Map<string, Case>) => void = () => {},
): Promise<(id: string) => Case> {
	const { client } = run;
	const pageSize = readNumberOption(run.parameter('options', 0, {}), 'pageSize');
	const itemsOf = new Map(groups.map(({ caseId, items }) => [caseId, items]));
	const batches = splitIntoBatches(client, { filters: {}, caseIds: [...itemsOf.keys()] }, pageSize);
	const read = new Map<string, Checked<Case>>();
	await client.mapReads(batches.length, async (index) => {
		const { caseIds } = batches[index];
		const items = caseIds.flatMap((id) => itemsOf.get(id) ?? []);
		const result = await settle(run, items, async () => {
			const refused = new Map<string, ApiFailure>();
			const noteBatch = (observed: Observed) => noteObserved(run.notes, caseIds.length, observed);
			const cases = await readCasesById(client, caseIds, pageSize, noteBatch, refused);
			for (const [id, failure] of refused) read.set(id, { failure });
			note(cases);
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
