// Law of this folder: only here is n8n touched at run time. What is inside knows a run, a client and its parameters.

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Canceled } from '../api/failures/failure';
import { readSendingOptions } from '../fields/options';
import { errorJson, redactorOf, toNodeError } from './errors';
import { Notes } from './hints';
import { ItemFailure, type Operation, type Result, type Run } from './run';
import { createClient } from './transport';
import { createWaiting, isPlainTool } from './waiting';

/** Remembers reads of one run by their key; see {@link Run.readOnce}. */
function createReadOnce(notes: Notes): Run['readOnce'] {
	const reads = new Map<string, Promise<unknown>>();
	return async <T>(key: unknown, read: () => Promise<T>): Promise<T> => {
		const text = JSON.stringify(key);
		const known = reads.get(text) as Promise<T> | undefined;
		if (known !== undefined) {
			notes.hint('shared');
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
 * Runs an operation over all input items of the node.
 * @param noun what the operation returns, for the hints
 * @returns the output of the node, each item paired with the input items that it comes from
 * @throws NodeApiError or NodeOperationError of the first failed item, unless the node continues on fail
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
	noun: string,
): Promise<INodeExecutionData[]> {
	const notes = new Notes(noun);
	const results = await resultsOf(context, operation, notes);
	// The key is known once the run has read its credential.
	const redact = redactorOf(context);
	const items = results.flatMap((result) => toItems(result, redact));
	const isTool = isPlainTool(context);
	// A tool says itself that nothing was found.
	if (isTool) notes.forget('noMatches');
	const hints = notes.hints().map(redact);
	if (isTool) return forModel(items, hints, noun);
	// Old versions of n8n have no hints.
	context.addExecutionHints?.(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
	return items;
}

/** A model sees no hints, and could not tell an empty output from a failure. */
function forModel(
	items: INodeExecutionData[],
	hints: string[],
	noun: string,
): INodeExecutionData[] {
	const pairedItem = { item: 0 };
	const none = { json: { result: `No ${noun} found` }, pairedItem };
	const notes = hints.map((note) => ({ json: { note }, pairedItem }));
	return items.length === 0 ? [none, ...notes] : [...items, ...notes];
}

async function resultsOf(
	context: IExecuteFunctions,
	operation: Operation,
	notes: Notes,
): Promise<Result[]> {
	try {
		const run = await createRun(context, notes);
		const results = await operation(run);
		if (notes.rereadLists > 0) {
			run.client.log?.info(
				`Lists read again because they changed meanwhile: ${notes.rereadLists}.`,
			);
		}
		return results;
	} catch (error) {
		const { failure, item } =
			error instanceof ItemFailure ? error : { failure: error as unknown, item: undefined };
		if (context.continueOnFail() && !(failure instanceof Canceled)) {
			// What fails the whole run, such as a credential without a key, fails each of its items.
			return context.getInputData().map((_, index) => ({ items: [index], failure }));
		}
		throw toNodeError(context.getNode(), failure, item, redactorOf(context));
	}
}

/** No parameter has a type for n8n to check, yet n8n would go through all forms to find that out for each item. */
const SKIP_CHECK = { skipValidation: true };

async function createRun(context: IExecuteFunctions, notes: Notes): Promise<Run> {
	const parameter: Run['parameter'] = (name, item, fallback) =>
		context.getNodeParameter(name, item, fallback, SKIP_CHECK);
	// One run has one client, so the options of the first item hold for all.
	const client = await createClient(context, readSendingOptions(parameter('options', 0, {})));
	return {
		itemCount: context.getInputData().length,
		client,
		timezone: context.getTimezone(),
		startedAt: Date.now(),
		continueOnFail: context.continueOnFail(),
		isTool: isPlainTool(context),
		parameter,
		stored: (name) => context.getNode().parameters[name],
		readOnce: createReadOnce(notes),
		notes,
		waiting: () => createWaiting(context),
	};
}

function toItems(result: Result, redact: (text: string) => string): INodeExecutionData[] {
	const pairedItem = result.items.map((item) => ({ item }));
	const rows = 'rows' in result ? result.rows : [errorJson(result.failure, redact)];
	return rows.map((row) => ({ json: row, pairedItem }) as INodeExecutionData);
}
