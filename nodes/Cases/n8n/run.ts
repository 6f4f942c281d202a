import type { IBinaryKeyData } from 'n8n-workflow';

import type { Client } from '../api/http/client';
import { Canceled } from '../api/failures/failure';
import type { Row } from '../api/types';
import type { Parameters } from '../fields/form';
import type { Files } from './files';
import type { Notes } from './hints';
import type { Waiting } from './waiting';

/** One run of the node, as an operation sees it: with parameters and a client, but without n8n itself. */
export interface Run extends Parameters {
	itemCount: number;
	client: Client;
	/** Whether a failed item goes into the output instead of ending the run. */
	continueOnFail: boolean;
	/** Runs a read once for each key; a later call with an equal key gets a copy of the first result. */
	readShared: <T>(key: unknown, read: () => Promise<T>) => Promise<T>;
	notes: Notes;
	/** What Ask and Wait needs of n8n. @throws InvalidInput in versions of n8n that can't wait for an answer */
	waiting: () => Waiting;
	/** @throws InvalidInput in a tool */
	files: () => Files;
}

/** What an operation returns for one or several input items: their rows or their failure, and the files of a row. */
export type Result = { items: number[]; binary?: IBinaryKeyData } & (
	| { rows: Row[] }
	| { failure: unknown }
);

/** What an operation of a resource does in a run. */
export type Operation = (run: Run) => Promise<Result[]>;

/** An input item after the checks before any request: what was read from its parameters, or why they can't be used. */
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

/** The value of a checked item. @throws the failure of its check */
export function valueOf<T>(checked: Checked<T>): T {
	if ('failure' in checked) throw checked.failure;
	return checked.value;
}

/** Runs a task for each input item, several at a time. The results are in the order of the input items. */
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
