// Law of this folder: only this folder calls n8n at run time. Operations get a `Run`, with parameters and a client.

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Canceled, nameSome } from '../api/failures/failure';
import { readSendingOptions } from '../fields/options';
import { errorJson, redactorOf, toNodeError } from './errors';
import { createFiles } from './files';
import { Notes } from './hints';
import { ItemFailure, type Operation, type Result, type Run } from './run';
import { createClient } from './transport';
import { createWaiting, isPlainTool } from './waiting';

/** Creates {@link Run.readShared} for one run. */
function createReadShared(notes: Notes): Run['readShared'] {
	const reads = new Map<string, Promise<unknown>>();
	return async <T>(key: unknown, read: () => Promise<T>): Promise<T> => {
		const text = JSON.stringify(key);
		const known = reads.get(text) as Promise<T> | undefined;
		if (known !== undefined) {
			if (reads.size === 1) notes.hint('shared');
			// n8n passes items by reference, so without a copy a later node that changes one item would change another, too.
			return structuredClone(await known);
		}
		// The hint advises Execute Once, which would drop all but the first read, so a second different read removes the hint.
		notes.forget('shared');
		const started = read();
		reads.set(text, started);
		return await started;
	};
}

/**
 * Runs an operation over all input items of the node.
 * @param noun the name of a result in messages, such as `comment`
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
	// This comes after the run, because the key is known only once the run has read the credential.
	const redact = redactorOf(context);
	const items = results.flatMap((result) => toItems(result, redact));
	const pairedItem = { item: 0 };
	const empty = results.flatMap((one) => ('rows' in one && one.rows.length === 0 ? one.items : []));
	if (isTool && items.length === 0) {
		// A model couldn't tell an empty output from a failure.
		items.push({ json: { result: `No ${noun} found` }, pairedItem });
	} else if (empty.length > 0) {
		const nameOf = (item: number) => {
			const { value } = Object(context.getNodeParameter('caseId', item, {})) as { value?: unknown };
			return value === undefined ? `input item ${item}` : `case ${String(value)}`;
		};
		const which = items.length === 0 ? '' : ` for ${nameSome([...new Set(empty.map(nameOf))])}`;
		notes.hint('nothing', `No ${noun} found${which}.`);
	}
	// n8n itself advises Execute Once beside every Get Many.
	if (items.length === 0 || context.getNodeParameter('operation', 0, '') === 'getAll') {
		notes.forget('shared');
	}
	const hints = notes.hints().map(redact);
	// A model sees only items, so hints become items for it.
	if (isTool) return [...items, ...hints.map((note) => ({ json: { note }, pairedItem }))];
	// Old versions of n8n don't have this method.
	context.addExecutionHints?.(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
	return items;
}

/** The results when a whole run fails, for example without an API key. @throws unless the node continues on fail */
function failAll(context: IExecuteFunctions, error: unknown): Result[] {
	const { failure, item } =
		error instanceof ItemFailure ? error : { failure: error, item: undefined };
	if (context.continueOnFail() && !(failure instanceof Canceled)) {
		return context.getInputData().map((_, index) => ({ items: [index], failure }));
	}
	throw toNodeError(context, failure, item);
}

async function createRun(context: IExecuteFunctions, notes: Notes, isTool: boolean): Promise<Run> {
	// n8n's validation would search all forms for each item, only to find that no parameter has a type to check.
	const parameter: Run['parameter'] = (name, item, fallback) =>
		context.getNodeParameter(name, item, fallback, { skipValidation: true });
	// A run has one client, so the sending options of the first item hold for all items.
	const sending = readSendingOptions(parameter('options', 0, {}));
	const itemCount = context.getInputData().length;
	const onPause = (ms: number) => void (notes.pausedMs += ms);
	const client = await createClient(context, { ...sending, onPause }, itemCount);
	return {
		itemCount,
		client,
		timezone: context.getTimezone(),
		startedAt: Date.now(),
		continueOnFail: context.continueOnFail(),
		isTool,
		parameter,
		stored: (name) => context.getNode().parameters[name],
		readShared: createReadShared(notes),
		notes,
		waiting: () => createWaiting(context),
		files: () => createFiles(context, isTool),
	};
}

function toItems(result: Result, redact: (text: string) => string): INodeExecutionData[] {
	const pairedItem = result.items.map((item) => ({ item }));
	const rows = 'rows' in result ? result.rows : [errorJson(result.failure, redact)];
	const files = result.binary && { binary: result.binary };
	return rows.map((row) => ({ json: row, pairedItem, ...files }) as INodeExecutionData);
}
