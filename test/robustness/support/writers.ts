import { failureOfNetwork } from '../../../nodes/Cases/api/http/requestFailures';
import type { RawAnswer } from '../../../nodes/Cases/api/http/requestFailures';
import { createPool } from '../../../nodes/Cases/api/pool';
import { readAnswer } from '../../../nodes/Cases/api/http/readAnswer';
import { createSender } from '../../../nodes/Cases/api/http/sender';
import { parseTenant } from '../../../nodes/Cases/api/http/tenant';
import type { Row } from '../../../nodes/Cases/api/types';
import type { Client } from '../../../nodes/Cases/api/http/client';
import type { ApiRequest } from '../../../nodes/Cases/api/http/requests';
import { nameFilter } from '../../../nodes/Cases/fields/filters/filters';
import { Notes } from '../../../nodes/Cases/n8n/hints';
import { ItemFailure, type Result, type Run } from '../../../nodes/Cases/n8n/run';
import { replyTo } from '../../../nodes/Cases/resources/action/sendAndWait/reply';
import { RESOURCES } from '../../../nodes/Cases/resources/operations';

/** Answers one request; a text is the code of a network error. */
export type Exchange = (request: ApiRequest) => Promise<RawAnswer | string>;

const TENANT = { baseUrl: 'https://cases.example.com', apiKey: 'key' };

/** A client whose waits take no time, with the sender and the retries of the package. */
function clientOf(exchange: Exchange): Client {
	const asIs = (text: string) => text;
	let now = 0;
	const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));
	return {
		tenant: parseTenant(TENANT),
		...createPool(2),
		nameFilter,
		now: () => now,
		send: createSender({
			attempt: async (request) => {
				const outcome = await exchange(request);
				return typeof outcome === 'string' ? failureOfNetwork(request, outcome, 'c') : outcome;
			},
			readAnswer: (request, answer) => readAnswer(request, answer, asIs),
			turn,
			clock: {
				now: () => now,
				sleep: async (ms) => {
					now += ms;
					await turn();
				},
				random: () => 0.5,
				isCanceled: () => false,
			},
			limits: { concurrency: 2, maxRetries: 2, maxWaitMs: 120_000 },
		}),
	};
}

const { operations: OPERATIONS } = RESOURCES.action;

export type OperationName = 'clear' | 'delete' | 'getAll' | 'replace' | 'sendAndWait' | 'upsert';

/** What became of one operation: its results, or its failure as n8n would show it. */
export interface Outcome {
	results: Result[];
	failure?: { message: string; details?: { mayHaveBeenDone?: boolean; description: string } };
	/** What a question keeps with its execution. */
	kept?: Row;
}

/**
 * Runs an operation of the package on its own client, without n8n.
 * @param parameters by name; those in `items` differ between the input items
 */
export async function runOperation(
	name: OperationName,
	parameters: Row,
	items: Row[],
	exchange: Exchange,
): Promise<Outcome> {
	let kept: Row | undefined;
	const run: Run = {
		itemCount: items.length,
		client: clientOf(exchange),
		timezone: 'UTC',
		startedAt: 0,
		continueOnFail: true,
		parameter: (field, item, fallback) => items[item][field] ?? parameters[field] ?? fallback,
		stored: () => undefined,
		readShared: async (_key, read) => await read(),
		notes: new Notes(),
		files: () => {
			throw new Error('No writer has files');
		},
		waiting: () => ({
			signUrl: (signed) => `https://n8n.example/?${new URLSearchParams(signed).toString()}`,
			input: items[0],
			wait: async (question) => {
				kept = question;
				await Promise.resolve();
			},
		}),
	};
	return await OPERATIONS[name].execute(run).then(
		(results) => ({ results, kept }),
		(error: unknown) => {
			const failure = error instanceof ItemFailure ? error.failure : error;
			return { results: [], failure: failure as Outcome['failure'], kept };
		},
	);
}

/** Presses the first button of a question. @returns the output of the node, and whether the buttons are off then */
export async function press(kept: Row, exchange: Exchange) {
	const [{ key }] = kept.buttons as Array<{ key: string }>;
	const { answered } = replyTo({ isPost: true, parameters: { key }, body: {} }, kept);
	const isClean = await answered?.cleanUp(clientOf(exchange)).catch(() => false);
	return { output: answered?.output, isClean };
}
