import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import { Canceled } from '../api/failure';
import { mapConcurrently } from '../api/pool';
import type { Row } from '../api/types';
import { toNodeError } from './errors';
import { createNotes, describeNotes, type Notes } from './hints';
import { parseClientOptions } from '../fields/options';
import { createClient } from './transport';

/** One run of the node, as an operation sees it: it gets parameters and a client, and never n8n itself. */
export interface Run {
	itemCount: number;
	client: Client;
	/** Of the workflow. */
	timezone: string;
	/** When the run began, by n8n's clock, in ms since the epoch: the end of periods such as "the last 24 hours". */
	startedAt: number;
	/** A failed item goes into the output instead of ending the run. */
	continueOnFail: boolean;
	/** A parameter of the node for an input item; the fallback where the form doesn't show it. */
	parameter: (name: string, item: number, fallback?: unknown) => unknown;
	/** Gives what an equal read of this run has read, each time as a copy of its own. */
	readOnce: <T>(key: unknown, read: () => Promise<T>) => Promise<T>;
	notes: Notes;
}

/** What an operation gives for one or several input items: rows, or the failure of these items. */
export type Result = { items: number[] } & ({ rows: Row[] } | { failure: unknown });

/** An operation of a resource: its form above, its behaviour below. */
export type Operation = (run: Run) => Promise<Result[]>;

/** What was found out about an item before any request: a value, or why the item can't be worked on. */
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

/** The value of a checked item. @throws what kept the item from being worked on */
export function valueOf<T>(checked: Checked<T>): T {
	if ('failure' in checked) throw checked.failure;
	return checked.value;
}

/** Does the same for each input item, several at a time, in input order; failures are per item. */
export async function forEachItem(
	run: Run,
	task: (item: number) => Promise<Row[]>,
): Promise<Result[]> {
	return await mapConcurrently(run.itemCount, run.client.concurrency, async (item) => {
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

/** Remembers reads of one run by their key; see {@link Run.readOnce}. */
function createReadOnce(notes: Notes): Run['readOnce'] {
	const reads = new Map<string, Promise<unknown>>();
	return async <T>(key: unknown, read: () => Promise<T>): Promise<T> => {
		const text = JSON.stringify(key);
		const known = reads.get(text) as Promise<T> | undefined;
		if (known !== undefined) {
			notes.sharedReads++;
			// Items go by reference from node to node, so a shared row could change under another item.
			return structuredClone(await known);
		}
		notes.distinctReads++;
		const started = read();
		reads.set(text, started);
		return await started;
	};
}

/**
 * Runs an operation over all input items of a node.
 * @param noun what the operation gives, for the hints
 * @throws NodeApiError or NodeOperationError of the first failed item, unless the node continues on fail
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
	noun: 'case' | 'comment' | 'action',
): Promise<Result[]> {
	const notes = createNotes();
	try {
		const parameter: Run['parameter'] = (name, item, fallback) =>
			context.getNodeParameter(name, item, fallback);
		const client = await createClient(context, parseClientOptions(parameter('options', 0, {})));
		const results = await operation({
			itemCount: context.getInputData().length,
			client,
			timezone: context.getTimezone(),
			startedAt: Date.now(),
			continueOnFail: context.continueOnFail(),
			parameter,
			readOnce: createReadOnce(notes),
			notes,
		});
		showHints(context, describeNotes(notes, noun));
		return results;
	} catch (error) {
		const { failure, item } =
			error instanceof ItemFailure ? error : { failure: error as unknown, item: undefined };
		if (context.continueOnFail() && !(failure instanceof Canceled)) {
			// What fails the whole run, such as a credential without a key, fails each of its items.
			return context.getInputData().map((_, index) => ({ items: [index], failure }));
		}
		throw toNodeError(context.getNode(), failure, item);
	}
}

/** Shows hints over the output. A tool's output goes to a model, and old versions of n8n have no hints. */
function showHints(context: IExecuteFunctions, texts: string[]): void {
	if (context.isToolExecution?.() || typeof context.addExecutionHints !== 'function') return;
	context.addExecutionHints(
		...texts.map((message) => ({ message, location: 'outputPane' as const })),
	);
}
