import type { Client } from '../api/http/client';
import { Canceled } from '../api/failures/failure';
import type { Row } from '../api/types';
import type { Parameters } from '../fields/form';
import type { Notes } from './hints';
import type { Waiting } from './waiting';

/** One run of the node, as an operation sees it: parameters and a client, but never n8n itself. */
export interface Run extends Parameters {
	itemCount: number;
	client: Client;
	/** Whether a failed item goes into the output instead of ending the run. */
	continueOnFail: boolean;
	/** Whether a model reads the output, because an agent runs the node as its tool. */
	isTool?: boolean;
	/** Returns what an equal read of this run has read, each time as a copy of its own. */
	readOnce: <T>(key: unknown, read: () => Promise<T>) => Promise<T>;
	notes: Notes;
	/** For the operation that waits for an answer. @throws InvalidInput where n8n can't */
	waiting: () => Waiting;
}

/** What an operation returns for one or several input items: rows, or the failure of these items. */
export type Result = { items: number[] } & ({ rows: Row[] } | { failure: unknown });

/** An operation of a resource: its form above, its behaviour below. */
export type Operation = (run: Run) => Promise<Result[]>;

/** An item after the checks before any request: its value, or why it can't be used. */
export type Checked<T> = { value: T } | { failure: unknown };

/**
 * Checks each input item before any request is made.
 * @throws ItemFailure for the first bad item, unless the run continues on fail
 */
export function checkItems<T>(run: Run, check: (item: number) => T): Array<Checked<T>> {
	return Array.from({ length: run.itemCount }, (_, item) => {
		try {
			return { value: check(item) };
		} catch (failure) {
			if (run.continueOnFail) return { failure };
			throw toItemFailure(failure, item);
		}
	});
}

/** The value of a checked item. @throws why it can't be used */
export function valueOf<T>(checked: Checked<T>): T {
	if ('failure' in checked) throw checked.failure;
	return checked.value;
}

/** Runs a task for each input item, several at a time; results are in input order, failures per item. */
export async function forEachItem(
	run: Run,
	task: (item: number) => Promise<Row[]>,
): Promise<Result[]> {
	return await run.client.map(run.itemCount, async (item) => {
		return await settle(run, [item], async () => await task(item));
	});
}

/**
 * Turns the outcome of a task for some items into their result.
 * @throws the task's failure, marked with its first item, unless the run continues on fail
 */
export async function settle(
	{ continueOnFail }: Run,
	items: number[],
	task: () => Promise<Row[]>,
): Promise<Result> {
	return await task().then(
		(rows): Result => ({ items, rows }),
		(failure: unknown): Result => {
			if (continueOnFail && !(failure instanceof Canceled)) return { items, failure };
			throw toItemFailure(failure, items[0]);
		},
	);
}

/** A failure that ends the run, and the input item that caused it. */
export class ItemFailure extends Error {
	constructor(
		readonly failure: unknown,
		readonly item: number,
	) {
		super('An item failed');
	}
}

function toItemFailure(failure: unknown, item: number): ItemFailure {
	return failure instanceof ItemFailure ? failure : new ItemFailure(failure, item);
}
