import { ApiFailure, InvalidInput } from '../../api/failure';
import { mapConcurrently } from '../../api/pool';
import { replaceActions } from '../../api/replaceActions';
import type { ActionInput, Row } from '../../api/types';
import { ItemFailure, settle, valueOf, type Checked, type Result, type Run } from '../../n8n/run';
import { groupItems, type CaseOfItems } from '../casesOfItems';

/** A case to write, and the actions that its items give it. */
export interface CaseWrite extends CaseOfItems {
	given: ActionInput[];
}

/** What to do with a case once its current actions are known: write, or answer without a write. */
export type Plan = { actions: ActionInput[] } | { answer: Row };

interface Grouped {
	writes: CaseWrite[];
	/** Items that can't be worked on; only where the run continues on fail. */
	failed: Result[];
}

/**
 * Groups items by case, so that writes to one case can't overlap or wipe each other.
 * A case with a bad item isn't written at all: some of its actions would be missing.
 */
export function groupByCase(
	ids: Array<Checked<string>>,
	actions: Array<Checked<ActionInput[]>>,
): Grouped {
	const writes: CaseWrite[] = [];
	const failed: Result[] = ids.flatMap((id, item) =>
		'failure' in id ? [{ items: [item], failure: id.failure }] : [],
	);
	for (const { caseId, items } of groupItems(ids)) {
		const bad = items.find((item) => 'failure' in actions[item]);
		if (bad === undefined) {
			writes.push({ caseId, items, given: items.flatMap((item) => valueOf(actions[item])) });
			continue;
		}
		const leftAsItIs = new InvalidInput(
			`Case ${caseId} was left as it is, because item ${bad} for the same case can't be used`,
			'Correct that item; then all actions of the case are written together.',
		);
		for (const item of items) {
			const given = actions[item];
			failed.push({ items: [item], failure: 'failure' in given ? given.failure : leftAsItIs });
		}
	}
	return { writes, failed };
}

function listCases(writes: CaseWrite[]): string {
	return writes.length === 0 ? 'none' : writes.map(({ caseId }) => caseId).join(', ');
}

/** The failure that ended the writes, with a report of which cases were written. */
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
 * Plans all cases, then writes them, several at a time.
 * @param plan decides what to do with a case; it may read, and throws to refuse
 * @param toRow the output of a written case
 * @throws ItemFailure, unless the run continues on fail: of the first case that can't be planned, with nothing written,
 * or of the first that can't be written, with a report of what was
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
