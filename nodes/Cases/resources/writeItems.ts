import { inTurn, remembering, type Kept } from '../n8n/turns';
import { readCase, readCasesById } from '../api/cases/cases';
import { ApiFailure, nameSome } from '../api/failures/failure';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import type { Observed } from '../api/lists/readList';
import { mayBeDone } from '../api/writes/caseWrites';
import { noteObserved } from '../n8n/hints';
import { ItemFailure, settle, type Checked, type Result, type Run } from '../n8n/run';

/** What an input item writes. Items share a write if each of them is one action of the same case. */
export interface Write {
	/** The case that is written; undefined for a new case. The writes of a case are carried out one at a time. */
	caseId?: string;
	/** Whether `carryOut` calls `read`. */
	isRead?: boolean;
	/**
	 * @param read returns the case as the list of cases has it
	 * @param kept holds what the write before this one kept of the case
	 */
	carryOut: (read: () => Promise<Case>, kept: Kept) => Promise<Done>;
}

/** What a write that didn't fail did, and its row of the output, or one row for each of its items. */
export interface Done {
	row: Row | Row[];
	outcome: 'Written' | 'Unchanged' | 'Preview';
}

/** What Preview Only returns of something new. @param ids of what it belongs to */
export const previewOfNew = (ids: Row, after: Row): Done => ({
	row: { ...ids, changed: true, before: null, after },
	outcome: 'Preview',
});

const OUTCOMES = [
	'Failed',
	'Perhaps written',
	'Written',
	'Unchanged',
	'Preview',
	'Not started',
] as const;

/** A write with its input items, and how far it came. `writtenId` is the ID of the case, also of a new one. */
interface Started extends Write {
	items: number[];
	outcome: (typeof OUTCOMES)[number];
	writtenId?: unknown;
}

/**
 * Carries out the writes of the input items: several at a time, but those of one case in the order of the items.
 * @param checked the write of each item; all are checked before the first one is carried out
 * @throws ItemFailure for the first item that can't be written, unless the run continues on fail. It reports which items
 * were written.
 */
export async function writeItems(run: Run, checked: Array<Checked<Write>>): Promise<Result[]> {
	const failed: Result[] = [];
	const byWrite = new Map<Write, Started>();
	checked.forEach((one, item) => {
		if ('failure' in one) failed.push({ items: [item], failure: one.failure });
		else if (byWrite.has(one.value)) byWrite.get(one.value)?.items.push(item);
		else byWrite.set(one.value, { ...one.value, items: [item], outcome: 'Not started' });
	});
	const writes = [...byWrite.values()];
	const ofSameCase = namedAgain(writes);
	const readFor = createReader(run, writes, ofSameCase);
	const results = await remembering(run.client, ofSameCase, async (memory) => {
		return await run.client.map(writes.length, async (index): Promise<Result[]> => {
			const write = writes[index];
			const { caseId, items } = write;
			const task = async (hasWaited: boolean, kept: Kept) =>
				await carryOut(run, write, async () => await readFor(caseId, hasWaited), kept);
			const result = await settle(run, items, async () =>
				caseId === undefined
					? await task(false, {})
					: await inTurn(run.client, caseId, task, memory),
			);
			return resultsOf(result);
		});
	}).catch((error: unknown) => {
		throw withReport(error, writes);
	});
	return [...failed, ...results.flat()].sort((a, b) => a.items[0] - b.items[0]);
}

/** The result of a write for each of its items, where each has a row. n8n shows a failure at each of them. */
function resultsOf(result: Result): Result[] {
	const { items } = result;
	if ('failure' in result) return items.map((item) => ({ items: [item], failure: result.failure }));
	const { rows } = result;
	return rows.length !== items.length
		? [result]
		: items.map((item, index) => ({ items: [item], rows: [rows[index]] }));
}

/** Carries out one write, and notes how far it came. */
async function carryOut(
	run: Run,
	write: Started,
	...given: Parameters<Write['carryOut']>
): Promise<Row[]> {
	write.outcome = 'Failed';
	const { row, outcome } = await write.carryOut(...given).catch((failure: unknown) => {
		if (mayBeDone(failure)) write.outcome = 'Perhaps written';
		throw failure;
	});
	if (outcome === 'Preview') run.notes.hint('preview');
	write.outcome = outcome;
	const rows = [row].flat();
	write.writtenId = rows[0]?.case_id;
	return rows;
}

/** The cases that several writes name. */
function namedAgain(writes: Write[]): Set<string> {
	const named = new Set<string>();
	const again = new Set<string>();
	for (const { caseId = '' } of writes) (named.has(caseId) ? again : named).add(caseId);
	return again;
}

/**
 * Creates a function that reads the case of a write. The first call for a batch of fifty cases reads the whole batch with
 * one request. A case that another write may have changed since then is read alone.
 */
function createReader(run: Run, writes: Write[], ofSameCase: Set<string>) {
	const { client } = run;
	const ids = writes.flatMap(({ isRead, caseId = '' }) =>
		isRead && !ofSameCase.has(caseId) ? [caseId] : [],
	);
	const note = (observed: Observed) => noteObserved(run, 'cases', observed);
	const batchOf = new Map<string, () => Promise<Map<string, Case>>>();
	for (let start = 0; start < ids.length; start += MAX_PAGE_SIZE) {
		const batch = ids.slice(start, start + MAX_PAGE_SIZE);
		let reading: Promise<Map<string, Case>> | undefined;
		const read = async () =>
			// If the service refuses a case, the batch lacks it. The case is then read alone, which throws its failure.
			await (reading ??= readCasesById(client, batch, MAX_PAGE_SIZE, note, new Map()));
		for (const id of batch) batchOf.set(id, read);
	}
	return async (caseId = '', hasWaited: boolean): Promise<Case> => {
		const cases = hasWaited ? undefined : await batchOf.get(caseId)?.();
		return cases?.get(caseId) ?? (await readCase(client, caseId));
	};
}

/** Lists the outcomes of all writes in the failure: a retry of the node would repeat those that were carried out. */
function withReport(error: unknown, writes: Started[]): unknown {
	if (!(error instanceof ItemFailure) || !(error.failure instanceof ApiFailure)) return error;
	if (writes.length === 1) return error;
	const said = OUTCOMES.map((outcome) => {
		const names = writes.filter((one) => one.outcome === outcome).flatMap(namesOf);
		const items = names.length === 1 ? 'item' : 'items';
		return names.length === 0 ? '' : ` ${outcome}: ${items} ${nameSome(names, 100)}.`;
	});
	return new ItemFailure(error.failure.adding(said.join('').trim()), error.item);
}

function namesOf({ items, caseId, writtenId = caseId }: Started): string[] {
	return items.map((item) => (writtenId === undefined ? `${item}` : `${item} (case ${writtenId})`));
}
