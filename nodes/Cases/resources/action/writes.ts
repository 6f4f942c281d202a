import { ApiFailure, InvalidInput, nameSome } from '../../api/failure';
import { actionsOfCase } from '../../api/caseActions';
import { replaceActions } from '../../api/replaceActions';
import type { ActionInput, Case, Row } from '../../api/types';
import { readWriteSwitches, strictest, type WriteSwitches } from '../../fields/writeSwitches';
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
	/** The case as it is now; undefined where the write doesn't depend on it. */
	current?: Case;
	/** The actions that the case is to have. */
	actions: ActionInput[];
	/** Whether the write changes the case: false leaves it out, null is unknown. */
	changed: boolean | null;
	/** Further fields of the output. */
	besides?: Row;
}

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
interface Planned {
	write: CaseWrite<unknown>;
	plan: Plan;
}

const isWritten = ({ write, plan }: Planned) => !write.previewOnly && plan.changed !== false;

type Outcome = 'Failed' | 'Perhaps written' | 'Written' | 'Not started';

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
				if (failure instanceof ApiFailure && failure.details.mayHaveBeenDone)
					note('Perhaps written');
				throw failure;
			},
		);
	}

	/** The failure that ended the writes, with a report of which cases were written. */
	report(error: unknown, writes: Array<CaseWrite<unknown>>): unknown {
		if (!(error instanceof ItemFailure) || !(error.failure instanceof ApiFailure)) return error;
		const { message, details } = error.failure;
		const casesWith = (outcome: Outcome) =>
			writes.filter((write) => (this.outcomes.get(write) ?? 'Not started') === outcome);
		const said = (['Failed', 'Perhaps written', 'Written', 'Not started'] as const)
			.map((outcome) => [outcome, casesWith(outcome)] as const)
			.filter(([, cases]) => cases.length > 0)
			.map(([outcome, cases]) => `${outcome}: ${listCases(cases)}.`);
		const description = [details.description, ...said].join(' ');
		return new ItemFailure(new ApiFailure(message, { ...details, description }), error.item);
	}
}

function listCases(writes: Array<CaseWrite<unknown>>): string {
	const ids = writes.map(({ caseId }) => caseId);
	return `${ids.length === 1 ? 'case' : 'cases'} ${nameSome(ids, 100)}`;
}

/** Writes, skips or previews a planned case. @returns the output of the case */
async function carryOut(run: Run, planned: Planned): Promise<Row> {
	const { caseId, previewOnly } = planned.write;
	const { current = { case_id: caseId }, actions, changed, besides } = planned.plan;
	const isUnknown = planned.plan.current !== undefined && actionsOfCase(current) === undefined;
	if (isWritten(planned)) {
		const { doubt, ...written } = await replaceActions(run.client, caseId, actions);
		if (doubt !== undefined) run.notes.doubtfulWrites.set(caseId, doubt);
		const isChanged = isUnknown || doubt !== undefined ? null : true;
		return { ...written, changed: isChanged, ...besides };
	}
	const { case_id } = current;
	const before = actionsOfCase(current) ?? null;
	if (!previewOnly) return { case_id, actions: before, changed, ...besides };
	run.notes.previewedCases++;
	return { case_id, before, after: actions, changed };
}

/** A failure is that of each of its input items, and n8n shows it at each of them. */
function perItem(result: Result): Result[] {
	if (!('failure' in result)) return [result];
	return result.items.map((item) => ({ items: [item], failure: result.failure }));
}

/**
 * Plans all cases, then writes or previews them, several at a time.
 * @param plan decides what to do with a case; it may read, and throws to refuse
 * @throws ItemFailure, unless the run continues on fail: of the first case that can't be planned, with nothing written,
 * or of the first that can't be written, with a report of what was
 */
export async function planAndWrite<T>(
	run: Run,
	{ writes, failed }: Grouped<T>,
	plan: (write: CaseWrite<T>) => Promise<Plan>,
): Promise<Result[]> {
	const plans = new Map<CaseWrite<T>, Plan>();
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
	const progress = new Progress();
	const results = await run.client
		.map(ready.length, async (index) => {
			const { write } = ready[index];
			const task = async () => [await carryOut(run, ready[index])];
			return await settle(run, write.items, async () => await progress.track(write, task));
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
