import { ApiFailure, InvalidInput, nameSome } from '../../api/failure';
import { actionsOfCase, replaceActions } from '../../api/replaceActions';
import type { ActionInput, Case, Row } from '../../api/types';
import { readPreviewOnly } from '../../fields/previewOnly';
import {
	checkItems,
	ItemFailure,
	settle,
	valueOf,
	type Checked,
	type Result,
	type Run,
} from '../../n8n/run';
import { groupItems, type CaseOfItems } from '../casesOfItems';

/** What one input item gives its case. */
export interface Given {
	actions: ActionInput[];
	/** Whether to show the write without making it. */
	previewOnly: boolean;
}

/** A case to write, and the actions that its items give it. */
export interface CaseWrite extends CaseOfItems {
	given: ActionInput[];
	/** Whether any of its items is only a preview. */
	previewOnly: boolean;
}

/** What to do with a case. */
export interface Plan {
	/** The case as it is now; undefined where the write doesn't depend on it. */
	current?: Case;
	/** The actions that the case is to have. */
	actions: ActionInput[];
	/** Whether the write changes the case: false leaves it out, null is unknown. */
	changed: boolean | null;
	/** Further fields of the output. */
	besides?: Row;
}

/** Checks what each input item gives its case, before any request. */
export function checkGiven(
	run: Run,
	actionsOf: (item: number) => ActionInput[],
): Array<Checked<Given>> {
	return checkItems(run, (item) => ({
		actions: actionsOf(item),
		previewOnly: readPreviewOnly(run, item),
	}));
}

/** Names input items at the start of a message, by the numbers that n8n shows. */
export function nameItems({ itemCount }: Run, items: number[]): string {
	return items.length === itemCount
		? `All ${itemCount} input items`
		: `${items.length} input items (${nameSome(items)})`;
}

/** What to do where several items name one case. All of them do where the case isn't mapped. */
export function adviceFor({ itemCount }: Run, items: number[]): string {
	return items.length === itemCount
		? "To use each item's own case, drag case_id into 'Case'. For one fixed case, turn on Execute Once in Settings."
		: 'Keep one item for each case, for example with the node Remove Duplicates.';
}

interface Grouped {
	writes: CaseWrite[];
	/** Items that can't be worked on; only where the run continues on fail. */
	failed: Result[];
}

/**
 * Groups items by case, so that writes to one case can't overlap or wipe each other.
 * A case with a bad item isn't written at all: some of its actions would be missing.
 */
export function groupByCase(ids: Array<Checked<string>>, given: Array<Checked<Given>>): Grouped {
	const writes: CaseWrite[] = [];
	const failed: Result[] = ids.flatMap((id, item) =>
		'failure' in id ? [{ items: [item], failure: id.failure }] : [],
	);
	for (const { caseId, items } of groupItems(ids)) {
		const bad = items.find((item) => 'failure' in given[item]);
		if (bad === undefined) {
			const values = items.map((item) => valueOf(given[item]));
			writes.push({
				caseId,
				items,
				given: values.flatMap(({ actions }) => actions),
				previewOnly: values.some(({ previewOnly }) => previewOnly),
			});
			continue;
		}
		const unchanged = new InvalidInput(
			`Case ${caseId} was not changed, because item ${bad} for the same case can't be used`,
			'Correct that item. All actions of a case are written together.',
		);
		for (const item of items) {
			const own = given[item];
			failed.push({ items: [item], failure: 'failure' in own ? own.failure : unchanged });
		}
	}
	return { writes, failed };
}

function listCases(writes: CaseWrite[]): string {
	const ids = writes.map(({ caseId }) => caseId);
	return ids.length === 0 ? 'none' : nameSome(ids, 100);
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
	const failed = writes.filter((write) => started.has(write) && !done.has(write));
	const left = writes.filter((write) => !started.has(write));
	const noun = failed.length === 1 ? 'case' : 'cases';
	const description = `${details.description} Failed ${noun}: ${listCases(failed)}. Written before: ${listCases(written)}. Not written: ${listCases(left)}.`;
	return new ItemFailure(new ApiFailure(message, { ...details, description }), error.item);
}

/** A case and what to do with it. */
interface Planned {
	write: CaseWrite;
	plan: Plan;
}

const isWritten = ({ write, plan }: Planned) => !write.previewOnly && plan.changed !== false;

/** Writes, skips or previews a planned case. @returns the output of the case */
async function carryOut(run: Run, planned: Planned): Promise<Row> {
	const { caseId, previewOnly } = planned.write;
	const { current = { case_id: caseId }, actions, changed, besides } = planned.plan;
	if (isWritten(planned)) {
		const answer = await replaceActions(run.client, caseId, actions);
		return { ...answer, changed: true, ...besides };
	}
	const { case_id } = current;
	const before = actionsOfCase(current) ?? null;
	if (!previewOnly) return { case_id, actions: before, changed, ...besides };
	run.notes.previewedCases++;
	return { case_id, before, after: actions, changed };
}

/**
 * Plans all cases, then writes or previews them, several at a time.
 * @param plan decides what to do with a case; it may read, and throws to refuse
 * @throws ItemFailure, unless the run continues on fail: of the first case that can't be planned, with nothing written,
 * or of the first that can't be written, with a report of what was
 */
export async function planAndWrite(
	run: Run,
	{ writes, failed }: Grouped,
	plan: (write: CaseWrite) => Promise<Plan>,
): Promise<Result[]> {
	const plans = new Map<CaseWrite, Plan>();
	const planned = await run.client.map(writes.length, async (index) =>
		settle(run, writes[index].items, async () => {
			plans.set(writes[index], await plan(writes[index]));
			return [];
		}),
	);
	const ready = writes.flatMap((write): Planned[] => {
		const decided = plans.get(write);
		return decided === undefined ? [] : [{ write, plan: decided }];
	});
	const started = new Set<CaseWrite>();
	const done = new Set<CaseWrite>();
	const results = await run.client
		.map(ready.length, async (index) => {
			const { write } = ready[index];
			return await settle(run, write.items, async () => {
				started.add(write);
				const row = await carryOut(run, ready[index]);
				done.add(write);
				return [row];
			});
		})
		.catch((error: unknown) => {
			const written = ready.filter(isWritten).map(({ write }) => write);
			throw withReport(error, written, started, done);
		});
	const unplanned = planned.filter((result) => 'failure' in result);
	return [...failed, ...unplanned, ...results].sort((a, b) => a.items[0] - b.items[0]);
}
