// Law of this folder: only here is n8n touched at run time. What is inside knows a run, a client and its parameters.

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Canceled, nameSome } from '../api/failures/failure';
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
			if (reads.size === 1) notes.hint('shared');
			// Items go by reference from node to node, so a shared row could change under another item.
			return structuredClone(await known);
		}
		// Where items request different things, Execute Once would drop all but the first.
		notes.forget('shared');
		const started = read();
		reads.set(text, started);
		return await started;
	};
}

/**
 * Runs an operation over all input items of the node.
 * @param noun what the operation returns
 * @returns the output of the node, each item paired with the input items that it comes from
 * @throws NodeApiError or NodeOperationError of the first failed item, unless the node continues on fail
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
	noun: string,
): Promise<INodeExecutionData[]> {
	const notes = new Notes();
	const isTool = isPlainTool(context);
	const results = await createRun(context, notes, isTool)
		.then(operation)
		.catch((error: unknown) => failAll(context, error));
	// The key is known once the run has read its credential.
	const redact = redactorOf(context);
	const items = results.flatMap((result) => toItems(result, redact));
	const pairedItem = { item: 0 };
	const empty = results.flatMap((one) => ('rows' in one && one.rows.length === 0 ? one.items : []));
	if (isTool && items.length === 0) {
		// A model could not tell an empty output from a failure.
		items.push({ json: { result: `No ${noun} found` }, pairedItem });
	} else if (empty.length > 0) {
		const which = items.length === 0 ? '' : ` for these input items: ${nameSome(empty)}`;
		notes.hint('nothing', `No ${noun} found${which}.`);
	}
	const hints = notes.hints().map(redact);
	// A model sees no hints.
	if (isTool) return [...items, ...hints.map((note) => ({ json: { note }, pairedItem }))];
	// Old versions of n8n have no hints.
	context.addExecutionHints?.(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
	return items;
}

/** The results of a run that failed as a whole, such as one without a key. @throws unless the node continues on fail */
function failAll(context: IExecuteFunctions, error: unknown): Result[] {
	const { failure, item } =
		error instanceof ItemFailure ? error : { failure: error, item: undefined };
	if (context.continueOnFail() && !(failure instanceof Canceled)) {
		return context.getInputData().map((_, index) => ({ items: [index], failure }));
	}
	throw toNodeError(context, failure, item);
}

async function createRun(context: IExecuteFunctions, notes: Notes, isTool: boolean): Promise<Run> {
	// No parameter has a type for n8n to check, yet n8n would go through all forms to find that out for each item.
	const parameter: Run['parameter'] = (name, item, fallback) =>
		context.getNodeParameter(name, item, fallback, { skipValidation: true });
	// One run has one client, so the options of the first item hold for all.
	const client = await createClient(context, readSendingOptions(parameter('options', 0, {})));
	return {
		itemCount: context.getInputData().length,
		client,
		timezone: context.getTimezone(),
		startedAt: Date.now(),
		continueOnFail: context.continueOnFail(),
		isTool,
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
