import { readCasesById } from '../api/cases';
import { ApiFailure } from '../api/failure';
import type { Case } from '../api/types';
import { parsePageSize } from '../options';
import type { Checked, Run } from '../run';

function notFound(id: string): ApiFailure {
	return new ApiFailure(`Case ${id} was not found, or the API key has no access to it`, {
		description:
			'The service answers both alike. Check the ID, and whether the key may see the case: a team key sees the cases of its team only.',
		retryable: false,
	});
}

/**
 * Reads the cases that the items are about, up to fifty to a request, each case once.
 * The API has no request for a single case, so they come from the list, filtered by ID.
 * @returns a reader of one case, which fails if the case wasn't found; equal IDs get copies of their own
 */
export function createCaseReader(
	{ client, parameter }: Run,
	ids: Array<Checked<string>>,
): (id: string) => Promise<Case> {
	const pageSize = parsePageSize(parameter('options', 0, {}));
	const distinct = [...new Set(ids.flatMap((id) => ('value' in id ? [id.value] : [])))];
	const reads = new Map<string, Promise<Map<string, Case>>>();
	for (let start = 0; start < distinct.length; start += pageSize) {
		const part = distinct.slice(start, start + pageSize);
		const read = readCasesById(client, part, pageSize);
		// Each item that waits for the read gets its failure; one that nobody waits for any more is no news.
		read.catch(() => undefined);
		for (const id of part) reads.set(id, read);
	}
	const given = new Set<string>();
	return async (id) => {
		const row = (await reads.get(id))?.get(id);
		if (row === undefined) throw notFound(id);
		if (given.has(id)) return structuredClone(row);
		given.add(id);
		return row;
	};
}
