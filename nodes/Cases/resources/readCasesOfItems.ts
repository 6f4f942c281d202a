import { caseIdentity } from '../api/identity';
import { readCasesById } from '../api/cases';
import { ApiFailure } from '../api/failure';
import { mapReads } from '../api/pool';
import type { Case } from '../api/types';
import { parsePageSize } from '../fields/options';
import { settle, type Checked, type Run } from '../n8n/run';

/** A case, and the input items that are about it. */
export interface CaseOfItems {
	caseId: string;
	items: number[];
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

function notFound(id: string): ApiFailure {
	return new ApiFailure(`Case ${id} was not found, or the API key has no access to it`, {
		description:
			'The service answers both alike. Check the ID, and whether the key may see the case: a team key sees the cases of its team only.',
		retryable: false,
	});
}

/**
 * Reads cases, up to fifty to a request.
 * The API has no request for a single case, so they come from the list, filtered by ID.
 * @returns gives one of the cases, or throws why it can't be had; asked again, it gives a copy
 * @throws ItemFailure when a request fails, with no further one sent, unless the run continues on fail
 */
export async function readCasesOfItems(
	run: Run,
	asked: CaseOfItems[],
): Promise<(id: string) => Case> {
	const pageSize = parsePageSize(run.parameter('options', 0, {}));
	const parts: CaseOfItems[][] = [];
	for (let start = 0; start < asked.length; start += pageSize) {
		parts.push(asked.slice(start, start + pageSize));
	}
	const found = new Map<string, Case>();
	const failures = new Map<string, unknown>();
	await mapReads(parts.length, run.client.concurrency, async (index) => {
		const ids = parts[index].map(({ caseId }) => caseId);
		const items = parts[index].flatMap((group) => group.items);
		const read = await settle(run, items, async () => [
			...(await readCasesById(run.client, ids, pageSize)).values(),
		]);
		if ('failure' in read) for (const id of ids) failures.set(id, read.failure);
		else for (const row of read.rows) found.set(caseIdentity(row), row);
	});

	const given = new Set<string>();
	return (id) => {
		if (failures.has(id)) throw failures.get(id);
		const row = found.get(id);
		if (row === undefined) throw notFound(id);
		if (given.has(id)) return structuredClone(row);
		given.add(id);
		return row;
	};
}
