import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Client } from '../api/http/client';
import type { Row } from '../api/types';
import { createLog } from './log';
import { createClient } from './transport';
import { readKept } from './waiting';

/** How long a click may wait for the buttons to be taken off, in ms. */
const MAX_CLEANING_MS = 10_000;

/** How requests are sent meanwhile: no single one may use up the time. */
const SENDING = { concurrency: 1, maxRetries: 2, timeout: 4000 };

/** A request to one of the signed URLs. */
interface Press {
	/** Only a POST answers. */
	isPost: boolean;
	/** The signed parameters of the URL. */
	parameters: Record<string, string>;
	body: unknown;
}

/** Runs a task for a limited time; false where it failed or took too long. */
export type Within = (task: (client: Client) => Promise<boolean>) => Promise<boolean>;

/** Replies to a request to one of the signed URLs; with an output it is the answer. */
export type ReplyTo = (
	press: Press,
	kept: Row | undefined,
) => { page: string; output?: (within: Within) => Promise<Row> };

/** A text after a while, by a timer that keeps nothing running. */
async function textAfter(ms: number, text: string): Promise<string> {
	return await new Promise((resolve) => {
		AbortSignal.timeout(ms).addEventListener('abort', () => resolve(text), { once: true });
	});
}

function messageOf(failure: unknown): string {
	return failure instanceof Error ? failure.message : String(failure);
}

function limitedTo(context: IWebhookFunctions): Within {
	return async (task) => {
		const work = createClient(context, SENDING, MAX_CLEANING_MS).then(task);
		const problem = await Promise.race([
			work.then(
				(isDone) => (isDone ? undefined : 'The service did not delete all of them.'),
				messageOf,
			),
			textAfter(MAX_CLEANING_MS, 'The service takes too long.'),
		]);
		if (problem !== undefined) {
			createLog(context).warn(
				`The buttons of an answered question may still be on the case. ${problem}`,
			);
		}
		return problem === undefined;
	};
}

/**
 * Receives a request of a waiting execution. It never throws: n8n would then continue with an empty item.
 * @returns with `workflowData` n8n resumes the execution, and without it the execution continues to wait
 */
export async function receiveAnswer(
	context: IWebhookFunctions,
	replyTo: ReplyTo,
): Promise<IWebhookResponseData> {
	const receive = async (): Promise<IWebhookResponseData> => {
		const press = {
			isPost: context.getRequestObject().method === 'POST',
			parameters: context.getQueryData() as Record<string, string>,
			body: context.getBodyData(),
		};
		const { page, output } = replyTo(press, readKept(context));
		if (output === undefined) return { webhookResponse: page };
		const item = { json: await output(limitedTo(context)), pairedItem: { item: 0 } } as never;
		// n8n sends the page once it has taken the answer: of clicks that reach several processes only one is.
		return { webhookResponse: page, workflowData: [[item]] };
	};
	return await receive().then(undefined, (failure: unknown) => {
		createLog(context).warn(`An answer could not be read. ${messageOf(failure)}`);
		return { webhookResponse: 'The answer could not be read. Please try again.' };
	});
}
