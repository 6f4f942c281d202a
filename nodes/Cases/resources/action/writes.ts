import { readCase } from '../../api/actions/readActions';
import { inTurn } from '../../api/actions/turns';
import type { Case, Row } from '../../api/types';
import { readNumberOption } from '../../fields/options';
import { settle, type Result, type Run } from '../../n8n/run';
import { readCasesOfItems } from '../casesOfItems';
import type { CaseWrite, Grouped } from './caseWrites';
import { Progress } from './progress';

/**
 * Writes, skips or previews one case, while no other write of its actions in this process is under way.
 * @param read returns the case by the list of cases
 * @returns its output, with `changed`; that of a preview has `before`
 */
export type WriteCase<T> = (write: CaseWrite<T>, read: () => Promise<Case>) => Promise<Row>;

/** A failure is that of each of its input items, and n8n shows it at each of them. */
function perItem(result: Result): Result[] {
	if (!('failure' in result)) return [result];
	return result.items.map((item) => ({ items: [item], failure: result.failure }));
}

function note({ notes }: Run, caseId: string, row: Row): Row {
	if ('before' in row) notes.previewedCases++;
	else if (row.actions === null) notes.doubtfulWrites.add(caseId);
	return row;
}

/** Writes some cases, several at a time. Those that are read first are read fifty to a request, right before. */
async function writeBatch<T>(
	run: Run,
	batch: Array<CaseWrite<T>>,
	isRead: (write: CaseWrite<T>) => boolean,
	writeCase: WriteCase<T>,
	progress: Progress,
): Promise<Result[]> {
	const { client } = run;
	const caseOf = await readCasesOfItems(run, batch.filter(isRead));
	const rows = new Map<string, Case>();
	for (const { caseId, items } of batch.filter(isRead)) {
		// One that isn't found ends the run before any of them is written.
		await settle(run, items, async () => {
			rows.set(caseId, caseOf(caseId));
			return await Promise.resolve([]);
		});
	}
	return await client.map(batch.length, async (index) => {
		const write = batch[index];
		const task = async (hasWaited: boolean) => {
			const read = async () =>
				hasWaited
					? await readCase(client, write.caseId)
					: (rows.get(write.caseId) ?? caseOf(write.caseId));
			return await progress.track(write, async () => await writeCase(write, read));
		};
		return await settle(run, write.items, async () => [
			note(run, write.caseId, await inTurn(client, write.caseId, task)),
		]);
	});
}

/**
 * Writes all cases of a run.
 * @param isRead whether the list of cases is read before a write
 * @throws ItemFailure, unless the run continues on fail: the first failure, with a report of what was written
 */
export async function writeCases<T>(
	run: Run,
	{ writes, failed }: Grouped<T>,
	isRead: (write: CaseWrite<T>) => boolean = () => false,
	writeCase: WriteCase<T>,
): Promise<Result[]> {
	const pageSize = readNumberOption(run.parameter('options', 0, {}), 'pageSize');
	const size = writes.some(isRead) ? pageSize : Math.max(1, writes.length);
	const progress = new Progress(writes);
	const results = [...failed];
	for (let start = 0; start < writes.length; start += size) {
		const batch = writes.slice(start, start + size);
		const written = await writeBatch(run, batch, isRead, writeCase, progress).catch(
			(failure: unknown) => {
				throw progress.report(failure);
			},
		);
		results.push(...written.flatMap(perItem));
	}
	return results.sort((a, b) => a.items[0] - b.items[0]);
}
