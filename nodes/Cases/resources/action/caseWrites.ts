import { InvalidInput, nameSome } from '../../api/failure';
import { readWriteSwitches, strictest, type WriteSwitches } from '../../fields/writeSwitches';
import { checkItems, valueOf, type Checked, type Result, type Run } from '../../n8n/run';
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

/** Checks what each input item wants of its case, before any request. */
export function checkGiven<T>(run: Run, read: (item: number) => T): Array<Checked<Given<T>>> {
	return checkItems(run, (item) => ({
		value: read(item),
		switches: readWriteSwitches(run, item),
	}));
}

/**
 * Input items that name one case, for a message, and what to do about it. They are named by the numbers that n8n shows.
 * All of them name it where the case isn't mapped.
 */
export function namesOfItems({ itemCount }: Run, items: number[]): [string, string] {
	return items.length === itemCount
		? [
				`All ${itemCount} input items`,
				"If each item has its own case, drag case_id into 'Case'. If one item is enough, turn on Execute Once in Settings: only the first item is then used.",
			]
		: [
				`${items.length} input items (${nameSome(items)})`,
				'Keep one item for each case, for example with the node Remove Duplicates.',
			];
}

export interface Grouped<T> {
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
			const switches = strictest(checked.map((one) => one.switches));
			writes.push({ caseId, items, given: checked.map(({ value }) => value), ...switches });
			continue;
		}
		const unchanged = new InvalidInput(
			`Case ${caseId} was not changed, because item ${bad} for the same case can't be used`,
			'Correct that item. What the items of a case give is written together.',
		);
		for (const item of items) {
			const own = given[item];
			failed.push({ items: [item], failure: 'failure' in own ? own.failure : unchanged });
		}
	}
	return { writes, failed };
}
