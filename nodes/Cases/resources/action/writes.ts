import { replaceActions } from '../../api/replaceActions';
import { ApiFailure, InvalidInput } from '../../api/failure';
import { mapConcurrently } from '../../api/pool';
import type { ActionInput, Row } from '../../api/types';
import { ItemFailure, settle, type Checked, type Result, type Run } from '../../n8n/run';
import type { CaseOfItems } from '../readCasesOfItems';

/** What is to happen to one case: the actions that its items give. */
export interface CaseWrite extends CaseOfItems {
	given: ActionInput[];
}

/** What to do with a case once its present state is known: write actions, or answer without a write. */
export type Plan = { actions: ActionInput[] } | { answer: Row };

interface Grouped {
	writes: CaseWrite[];
	/** Items that can't be worked on; only where the run continues on fail. */
	failed: Result[];
}

/**
 * Puts items about the same case together, so that writes to one case can't overlap or wipe each other.
 * A case of which any item is bad isn't written at all: part of its actions would be missing.
 */
export function groupByCase(
	ids: Array<Checked<string>>,
	actions: Array<Checked<ActionInput[]>>,
): Grouped {
	const writes = new Map<string, CaseWrite>();
	const failed: Result[] = [];
	const bad = new Map<string, number>();
	ids.forEach((id, item) => {
		if ('failure' in id) {
			failed.push({ items: [item], failure: id.failure });
			return;
		}
		const write = writes.get(id.value) ?? { caseId: id.value, items: [], given: [] };
		writes.set(id.value, write);
		write.items.push(item);
		const given = actions[item];
		if ('value' in given) {
			for (const action of given.value) write.given.push(action);
		} else if (!bad.has(id.value)) {
			bad.set(id.value, item);
		}
	});
	for (const [caseId, firstBad] of bad) {
		for (const item of writes.get(caseId)?.items ?? []) {
			const given = actions[item];
			const failure =
				'failure' in given
					? given.failure
					: new InvalidInput(
							`Case ${caseId} was left as it is, because item ${firstBad} for the same case can't be used`,
							'Correct that item; then all actions of the case are written together.',
						);
			failed.push({ items: [item], failure });
		}
		writes.delete(caseId);
	}
	return { writes: [...writes.values()], failed };
}

function listCases(writes: CaseWrite[]): string {
	return writes.length === 0 ? 'none' : writes.map(({ caseId }) => caseId).join(', ');
}

/** The failure that ended the writes, telling of each case whether it was written. */
function withReport(
	error: unknown,
	writes: CaseWrite[],
	started: Set<CaseWrite>,
	done: Set<CaseWrite>,
): unknown {
	if (!(error instanceof ItemFailure) || !(error.failure instanceof ApiFailure)) return error;
	const { message, details } = error.failure;
	const written = writes.filter((write) => done.has(write));
	const failed = [...started].filter((write) => !done.has(write));
	const left = writes.filter((write) => !started.has(write));
	const noun = failed.length === 1 ? 'case' : 'cases';
	const description = `${details.description} Failed ${noun}: ${listCases(failed)}. Written before: ${listCases(written)}. Not written: ${listCases(left)}.`;
	return new ItemFailure(new ApiFailure(message, { ...details, description }), error.item);
}

/**
 * Plans all cases, and only then writes them, several at a time.
 * @param plan what to do with a case; it may read, and refuses by throwing
 * @param toRow the output of a written case
 * @throws ItemFailure of the first case that can't be planned, with nothing written; or can't be written,
 * with a report of what was; unless the run continues on fail
 */
export async function planAndWrite(
	run: Run,
	{ writes, failed }: Grouped,
	plan: (write: CaseWrite) => Promise<Plan>,
	toRow: (answer: Row) => Row = (answer) => answer,
): Promise<Result[]> {
	const { client } = run;
	const plans = new Map<CaseWrite, Plan>();
	const planned = await mapConcurrently(writes.length, client.concurrency, async (index) =>
		settle(run, writes[index].items, async () => {
			plans.set(writes[index], await plan(writes[index]));
			return [];
		}),
	);
	const started = new Set<CaseWrite>();
	const done = new Set<CaseWrite>();
	const ready = writes.filter((write) => plans.has(write));
	const results = await mapConcurrently(ready.length, client.concurrency, async (index) =>
		settle(run, ready[index].items, async () => {
			const decided = plans.get(ready[index]) as Plan;
			if ('answer' in decided) return [decided.answer];
			started.add(ready[index]);
			const answer = await replaceActions(client, ready[index].caseId, decided.actions);
			done.add(ready[index]);
			return [toRow(answer)];
		}),
	).catch((error: unknown) => {
		throw withReport(error, ready, started, done);
	});
	const unplanned = planned.filter((result) => 'failure' in result);
	return [...failed, ...unplanned, ...results].sort((a, b) => a.items[0] - b.items[0]);
}
