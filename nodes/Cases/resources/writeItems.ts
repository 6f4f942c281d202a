import { ApiFailure, nameSome } from '../api/failure';
import type { Row } from '../api/types';
import { ItemFailure, settle, type Checked, type Result, type Run } from '../n8n/run';

/** A write of one input item. */
export interface ItemWrite {
	item: number;
	/** Writes with the same key go out one after another, in input order. */
	key: string;
	/** @returns the output of the item */
	write: () => Promise<Row[]>;
}

const OUTCOMES = ['Failed', 'Perhaps written', 'Written', 'Not started'] as const;
type Outcome = (typeof OUTCOMES)[number];

/**
 * Carries out the writes of all input items, several at a time.
 * @param checked what each item wants, checked before the first write
 * @param nameOf names items in the report of a failed run
 * @throws ItemFailure, unless the run continues on fail: of the first item that can't be written, with a report of which
 * were
 */
export async function writeItems(
	run: Run,
	checked: Array<Checked<ItemWrite>>,
	nameOf: (items: number[]) => string,
): Promise<Result[]> {
	const outcomes = new Map<number, Outcome>();
	const groups = new Map<string, ItemWrite[]>();
	const results: Result[] = [];
	checked.forEach((one, item) => {
		if ('failure' in one) return results.push({ items: [item], failure: one.failure });
		outcomes.set(item, 'Not started');
		return groups.set(one.value.key, [...(groups.get(one.value.key) ?? []), one.value]);
	});
	const carryOut = async ({ item, write }: ItemWrite) => {
		outcomes.set(item, 'Failed');
		const rows = await write().catch((failure: unknown) => {
			const isUnsure = failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
			if (isUnsure) outcomes.set(item, 'Perhaps written');
			throw failure;
		});
		outcomes.set(item, 'Written');
		return rows;
	};
	const inOrder = [...groups.values()];
	await run.client
		.map(inOrder.length, async (index) => {
			for (const one of inOrder[index]) {
				results.push(await settle(run, [one.item], async () => await carryOut(one)));
			}
		})
		.catch((error: unknown) => {
			throw withReport(error, outcomes, nameOf);
		});
	return results.sort((a, b) => a.items[0] - b.items[0]);
}

/** The failure that ended the run, with a report of what was written: a retry of the whole node would write it again. */
function withReport(
	error: unknown,
	outcomes: Map<number, Outcome>,
	nameOf: (items: number[]) => string,
): unknown {
	if (!(error instanceof ItemFailure) || outcomes.size === 1) return error;
	if (!(error.failure instanceof ApiFailure)) return error;
	const { message, details } = error.failure;
	const said = OUTCOMES.flatMap((outcome) => {
		const items = [...outcomes.keys()].filter((one) => outcomes.get(one) === outcome);
		return items.length === 0 ? [] : [`${outcome}: ${nameOf(items)}.`];
	});
	const description = [details.description, ...said].join(' ');
	return new ItemFailure(new ApiFailure(message, { ...details, description }), error.item);
}

/** Names things in a report: `cases 1, 2`. */
export function listed(noun: string, names: string[]): string {
	const distinct = [...new Set(names)];
	return `${noun}${distinct.length === 1 ? '' : 's'} ${nameSome(distinct, 100)}`;
}
