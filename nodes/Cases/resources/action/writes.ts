import { ApiFailure, InvalidInput, nameSome } from '../../api/failure';
import { CurrentCases, type ReadCase } from '../../api/currentCases';
import { replaceActions, type Written } from '../../api/replaceActions';
import { NotNeeded } from '../../api/sender';
import type { ActionInput, Case, CaseAction, Row } from '../../api/types';
import { readNumberOption } from '../../fields/options';
import { readWriteSwitches, strictest, type WriteSwitches } from '../../fields/writeSwitches';
import { noteObserved } from '../../n8n/hints';
import {
	checkItems,
	ItemFailure,
	settle,
	valueOf,
	type Checked,
	type Result,
	type Run,
} from '../../n8n/run';
import { groupItems, readCasesOfItems, type CaseOfItems } from '../casesOfItems';
import { noteLostTexts } from './lostTexts';

/** What one input item wants of its case. */
export interface Given<T> {
	value: T;
	switches: WriteSwitches;
}

/** A case to write. Where several items want something of it, the strictest of them decides how. */
export interface CaseWrite<T> extends CaseOfItems, WriteSwitches {
	/** What each item wants, in input order. */
	given: T[];
}

/** What to do with a case. */
export interface Plan {
	/** The case as it was read; undefined where it wasn't. */
	row?: Case;
	/** When it was read; undefined where the write doesn't rest on that. */
	readAt?: number;
	/** The actions that the case had then; undefined where they are unknown. */
	existing?: CaseAction[];
	/** The actions that the case is to have. */
	actions: ActionInput[];
	/** Whether the write changes the case: false leaves it out, null is unknown. */
	changed: boolean | null;
	/** The kept actions whose button texts get lost, for a hint. */
	losingText?: CaseAction[];
	/** How many actions the write removes, where the output shows it; null is unknown. */
	removed?: number | null;
	/** Whether no action was found to delete, for a hint. */
	hasNoMatch?: boolean;
}

/**
 * Decides what to do with a case.
 * @param read returns the case: the first time as it was read before all writes, later as it is then
 * @throws to refuse
 */
export type Planner<T> = (write: CaseWrite<T>, read: () => Promise<ReadCase>) => Promise<Plan>;

/** Checks what each input item wants of its case, before any request. */
export function checkGiven<T>(run: Run, read: (item: number) => T): Array<Checked<Given<T>>> {
	return checkItems(run, (item) => ({
		value: read(item),
		switches: readWriteSwitches(run, item),
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
		? "If each item has its own case, drag case_id into 'Case'. If one item is enough, turn on Execute Once in Settings: only the first item is then used."
		: 'Keep one item for each case, for example with the node Remove Duplicates.';
}

interface Grouped<T> {
	writes: Array<CaseWrite<T>>;
	/** Items that can't be worked on; only where the run continues on fail. */
	failed: Result[];
}

/**
 * Groups items by case, so that writes to one case can't overlap or wipe each other.
 * A case with a bad item isn't written at all: some of its actions would be missing.
 */
export function groupByCase<T>(
	ids: Array<Checked<string>>,
	given: Array<Checked<Given<T>>>,
): Grouped<T> {
	const writes: Array<CaseWrite<T>> = [];
	const failed: Result[] = ids.flatMap((id, item) =>
		'failure' in id ? [{ items: [item], failure: id.failure }] : [],
	);
	for (const { caseId, items } of groupItems(ids)) {
		const bad = items.find((item) => 'failure' in given[item]);
		if (bad === undefined) {
			const checked = items.map((item) => valueOf(given[item]));
			writes.push({
				caseId,
				items,
				given: checked.map(({ value }) => value),
				...strictest(checked.map(({ switches }) => switches)),
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

/** A case and what to do with it. */
interface Planned<T = unknown> {
	write: CaseWrite<T>;
	plan: Plan;
}

const isWritten = ({ write, plan }: Planned) => !write.previewOnly && plan.changed !== false;

type Outcome = 'Failed' | 'Perhaps written' | 'Written' | 'Not started';

/** Whether a write that failed, or that turned out not to be needed, may have been carried out. */
function mayHaveBeenDone(failure: unknown): boolean {
	if (failure instanceof NotNeeded) return failure.mayHaveBeenDone;
	return failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
}

/** Notes how far the writes of a run come. */
class Progress {
	private readonly outcomes = new Map<CaseWrite<unknown>, Outcome>();

	async track<R>(write: CaseWrite<unknown>, task: () => Promise<R>): Promise<R> {
		const note = (outcome: Outcome) => this.outcomes.set(write, outcome);
		note('Failed');
		return await task().then(
			(result) => {
				note('Written');
				return result;
			},
			(failure: unknown) => {
				if (mayHaveBeenDone(failure)) note('Perhaps written');
				throw failure;
			},
		);
	}

	/** The failure that ended the writes, with a report of which cases were written. */
	report(error: unknown, writes: Array<CaseWrite<unknown>>): unknown {
		if (!(error instanceof ItemFailure)) return error;
		const { failure, item } = error;
		if (!(failure instanceof ApiFailure || failure instanceof InvalidInput)) return error;
		const casesWith = (outcome: Outcome) =>
			writes.filter((write) => (this.outcomes.get(write) ?? 'Not started') === outcome);
		const said = (['Failed', 'Perhaps written', 'Written', 'Not started'] as const)
			.map((outcome) => [outcome, casesWith(outcome)] as const)
			.filter(([, cases]) => cases.length > 0)
			.map(([outcome, cases]) => `${outcome}: ${listCases(cases)}.`);
		const reported =
			failure instanceof ApiFailure
				? new ApiFailure(failure.message, {
						...failure.details,
						description: [failure.details.description, ...said].join(' '),
					})
				: new InvalidInput(failure.message, [failure.description, ...said].join(' '));
		return new ItemFailure(reported, item);
	}
}

function listCases(writes: Array<CaseWrite<unknown>>): string {
	const ids = writes.map(({ caseId }) => caseId);
	return `${ids.length === 1 ? 'case' : 'cases'} ${nameSome(ids, 100)}`;
}

/**
 * Writes a planned case.
 * @param replan plans the case by how it is now; where the plan is too old before a try, it is replaced
 */
async function write(
	run: Run,
	planned: Planned,
	replan: () => Promise<Plan>,
): Promise<Written | NotNeeded> {
	const { caseId } = planned.write;
	const { actions, readAt, losingText } = planned.plan;
	const again = async () => {
		planned.plan = await replan();
		// A plan that rests on no read is not too old.
		const { actions, readAt = run.client.now() } = planned.plan;
		return isWritten(planned) ? { actions, readAt } : undefined;
	};
	const basis = readAt === undefined ? undefined : { readAt, again };
	return await replaceActions(run.client, caseId, actions, basis).catch((failure: unknown) => {
		if (mayHaveBeenDone(failure)) noteLostTexts(run, caseId, losingText);
		if (failure instanceof NotNeeded) return failure;
		throw failure;
	});
}

/** Writes, skips or previews a planned case. @returns the output of the case */
async function carryOut(run: Run, planned: Planned, replan: () => Promise<Plan>): Promise<Row> {
	const { caseId, previewOnly } = planned.write;
	const outcome = isWritten(planned) ? await write(run, planned, replan) : undefined;
	const { row = { case_id: caseId }, existing, actions, changed, removed } = planned.plan;
	const isUnsure =
		outcome instanceof NotNeeded ? outcome.mayHaveBeenDone : outcome?.doubt !== undefined;
	const besides = removed === undefined ? {} : { removed: isUnsure ? null : removed };
	noteLostTexts(run, caseId, planned.plan.losingText);
	if (planned.plan.hasNoMatch && !isUnsure) run.notes.casesWithoutMatch.add(caseId);

	if (outcome !== undefined && !(outcome instanceof NotNeeded)) {
		const { doubt, ...written } = outcome;
		if (doubt !== undefined) run.notes.doubtfulWrites.set(caseId, doubt);
		const isUnknown = planned.plan.row !== undefined && existing === undefined;
		return { ...written, changed: isUnknown || doubt !== undefined ? null : true, ...besides };
	}
	const before = existing ?? null;
	const { case_id } = row;
	if (!previewOnly) {
		return { case_id, actions: before, changed: isUnsure ? null : changed, ...besides };
	}
	run.notes.previewedCases++;
	return { case_id, before, after: actions, changed };
}

/** A failure is that of each of its input items, and n8n shows it at each of them. */
function perItem(result: Result): Result[] {
	if (!('failure' in result)) return [result];
	return result.items.map((item) => ({ items: [item], failure: result.failure }));
}

/** Reads the cases that are to be planned. @returns them, and a function that returns one as it was then */
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
			// It has the failure of a read that failed for some items only.
			caseOf(caseId);
			return cases.last(caseId);
		},
	};
}

/**
 * Plans all cases, then writes or previews them, several at a time. A plan that rests on a read is made again where that
 * is too old right before a try to write: what others add during a long run or a wait is kept.
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
