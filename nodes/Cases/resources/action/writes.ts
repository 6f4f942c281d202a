import { CurrentCases, type ReadCase } from '../../api/currentCases';
import { readNumberOption } from '../../fields/options';
import { noteObserved } from '../../n8n/hints';
import { settle, type Result, type Run } from '../../n8n/run';
import { readCasesOfItems } from '../casesOfItems';
import { carryOut, isWritten, type Plan, type Planned } from './carryOut';
import type { CaseWrite, Grouped } from './caseWrites';
import { Progress } from './progress';

/**
 * Decides what to do with a case.
 * @param read returns the case: the first time as it was read before all writes, later as it is then
 * @throws to refuse
 */
export type Planner<T> = (write: CaseWrite<T>, read: () => Promise<ReadCase>) => Promise<Plan>;

/** A failure is that of each of its input items, and n8n shows it at each of them. */
function perItem(result: Result): Result[] {
	if (!('failure' in result)) return [result];
	return result.items.map((item) => ({ items: [item], failure: result.failure }));
}

/** Reads the cases that are to be planned. @returns them, and a function that returns a case as it was at this read */
async function readCases<T>(run: Run, writes: Array<CaseWrite<T>>) {
	const { client, notes } = run;
	const cases = new CurrentCases(client, {
		pageSize: readNumberOption(run.parameter('options', 0, {}), 'pageSize'),
		note: (count, observed) => noteObserved(notes, count, observed),
	});
	const caseOf = await readCasesOfItems(run, writes, (read) => {
		for (const [id, row] of read) cases.add(id, row, client.now());
	});
	return {
		cases,
		atFirst: async (caseId: string) => {
			// Throws where the read failed for some items only.
			caseOf(caseId);
			return cases.last(caseId);
		},
	};
}

/**
 * Plans all cases, then writes or previews them, several at a time. A plan is made again where the read that
 * it rests on is too old right before a try to write: what others add during a long run or a wait is kept.
 * @param isRead whether a case is read before the first write
 * @throws ItemFailure, unless the run continues on fail: of the first case that can't be planned, with nothing written,
 * or of the first that can't be written, with a report of what was
 */
export async function planAndWrite<T>(
	run: Run,
	{ writes, failed }: Grouped<T>,
	plan: Planner<T>,
	isRead: (write: CaseWrite<T>) => boolean = () => true,
): Promise<Result[]> {
	const { cases, atFirst } = await readCases(run, writes.filter(isRead));
	const plans = new Map<CaseWrite<T>, Plan>();
	const planned = await run.client.map(writes.length, async (index) =>
		settle(run, writes[index].items, async () => {
			const write = writes[index];
			plans.set(write, await plan(write, async () => await atFirst(write.caseId)));
			return [];
		}),
	);
	const ready = writes.flatMap((write): Planned<T>[] => {
		const decided = plans.get(write);
		return decided === undefined ? [] : [{ write, plan: decided }];
	});
	cases.expect(ready.filter(isWritten).map(({ write }) => write.caseId));
	const progress = new Progress();
	const results = await run.client
		.map(ready.length, async (index) => {
			const { write } = ready[index];
			const replan = async () => await plan(write, async () => await cases.now(write.caseId));
			const task = async () => [await carryOut(run, ready[index], replan)];
			return await settle(run, write.items, async () => await progress.track(write, task)).finally(
				() => cases.finish(write.caseId),
			);
		})
		.catch((error: unknown) => {
			throw progress.report(
				error,
				ready.filter(isWritten).map(({ write }) => write),
			);
		});
	const unplanned = planned.filter((result) => 'failure' in result);
	return [...failed, ...[...unplanned, ...results].flatMap(perItem)].sort(
		(a, b) => a.items[0] - b.items[0],
	);
}
