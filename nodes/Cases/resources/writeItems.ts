import { ApiFailure, nameSome } from '../api/failure';
import type { Row } from '../api/types';
import { ItemFailure, settle, type Checked, type Result, type Run } from '../n8n/run';

const OUTCOMES = ['Failed', 'Perhaps written', 'Written', 'Not started'] as const;
type Outcome = (typeof OUTCOMES)[number];

/**
 * Carries out the writes of all input items, several at a time.
 * @param checked the write of each item, which returns its output; checked before the first write
 * @param nameOf names items in the report of a failed run
 * @throws ItemFailure, unless the run continues on fail: of the first item that can't be written, with a report of which
 * were
 */
export async function writeItems(
	run: Run,
	checked: Array<Checked<() => Promise<Row[]>>>,
	nameOf: (items: number[]) => string,
): Promise<Result[]> {
	const outcomes = new Map<number, Outcome>();
	checked.forEach((one, item) => 'value' in one && outcomes.set(item, 'Not started'));
	const carryOut = async (item: number, write: () => Promise<Row[]>) => {
		outcomes.set(item, 'Failed');
		const rows = await write().catch((failure: unknown) => {
			const isUnsure = failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
			if (isUnsure) outcomes.set(item, 'Perhaps written');
			throw failure;
		});
		outcomes.set(item, 'Written');
		return rows;
	};
	return await run.client
		.map(checked.length, async (item): Promise<Result> => {
			const one = checked[item];
			if ('failure' in one) return { items: [item], failure: one.failure };
			return await settle(run, [item], async () => await carryOut(item, one.value));
		})
		.catch((error: unknown) => {
			throw withReport(error, outcomes, nameOf);
		});
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
