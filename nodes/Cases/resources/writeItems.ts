import { ApiFailure, InvalidInput, nameSome } from '../api/failure';
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
	const results = checked.flatMap((one, item): Result[] => {
		if ('failure' in one) return [{ items: [item], failure: one.failure }];
		groups.set(one.value.key, [...(groups.get(one.value.key) ?? []), one.value]);
		outcomes.set(item, 'Not started');
		return [];
	});
	const inOrder = [...groups.values()];
	await run.client
		.map(inOrder.length, async (index) => {
			for (const { item, write } of inOrder[index]) {
				outcomes.set(item, 'Failed');
				const result = await settle(run, [item], async () => await write().catch(noteFor(item)));
				if ('rows' in result) outcomes.set(item, 'Written');
				results.push(result);
			}
		})
		.catch((error: unknown) => {
			throw withReport(error, outcomes, nameOf);
		});
	return results.sort((a, b) => a.items[0] - b.items[0]);

	function noteFor(item: number) {
		return (failure: unknown): never => {
			const isUnsure = failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
			if (isUnsure) outcomes.set(item, 'Perhaps written');
			throw failure;
		};
	}
}

/** The failure that ended the run, with a report of what was written: a retry of the whole node would write it again. */
function withReport(
	error: unknown,
	outcomes: Map<number, Outcome>,
	nameOf: (items: number[]) => string,
): unknown {
	if (!(error instanceof ItemFailure) || outcomes.size === 1) return error;
	const { failure, item } = error;
	const said = OUTCOMES.map((outcome) => {
		const items = [...outcomes.keys()].filter((one) => outcomes.get(one) === outcome);
		return items.length === 0 ? '' : `${outcome}: ${nameOf(items)}.`;
	}).filter((text) => text !== '');
	if (failure instanceof ApiFailure) {
		const description = [failure.details.description, ...said].join(' ');
		return new ItemFailure(
			new ApiFailure(failure.message, { ...failure.details, description }),
			item,
		);
	}
	return failure instanceof InvalidInput
		? new ItemFailure(
				new InvalidInput(failure.message, [failure.description, ...said].join(' ')),
				item,
			)
		: error;
}

/** Names things in a report: `cases 1, 2`. */
export function listed(noun: string, names: string[]): string {
	const distinct = [...new Set(names)];
	return `${noun}${distinct.length === 1 ? '' : 's'} ${nameSome(distinct, 100)}`;
}
