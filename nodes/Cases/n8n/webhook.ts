import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Row } from '../api/types';
import { createLog } from './log';
import { createClient } from './transport';
import { readKept } from './waiting';

/** How long a click may wait for the buttons to be taken off, in ms. */
const MAX_CLEANING_MS = 10_000;

/** How requests are sent meanwhile: no single one may use up the time. */
const SENDING = { concurrency: 1, maxRetries: 2, timeout: 4000 };

interface Press {
	isPost: boolean;
	parameters: Record<string, string>;
	body: unknown;
}

type Within = (task: (client: Client) => Promise<boolean>) => Promise<boolean>;

/** Replies to a request to one of the signed URLs; with an output it is the answer. */
export type ReplyTo = (
	press: Press,
	kept: Row | undefined,
	within: Within,
) => Promise<{ page: string; output?: Row }>;

/** False after a while, by a timer that keeps nothing running. */
async function falseAfter(ms: number): Promise<boolean> {
	return await new Promise((resolve) => {
		AbortSignal.timeout(ms).addEventListener('abort', () => resolve(false), { once: true });
	});
}

function limitedTo(context: IWebhookFunctions): Within {
	return async (task) => {
		const work = createClient(context, SENDING, MAX_CLEANING_MS).then(task);
		const done = work.then(undefined, (failure: unknown) => {
			const message = failure instanceof Error ? failure.message : String(failure);
			createLog(context).warn(`The buttons of an answered question stay on the case. ${message}`);
			return false;
		});
		return await Promise.race([done, falseAfter(MAX_CLEANING_MS)]);
	};
}

/**
 * Receives a request of a waiting execution. It never throws: n8n would then continue with an empty item.
 * @returns a page; with `workflowData` n8n resumes the execution, and without it the execution continues to wait
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
		const { page, output } = await replyTo(press, readKept(context), limitedTo(context));
		if (output === undefined) return { webhookResponse: page };
		const item = { json: output, pairedItem: { item: 0 } } as never;
		return { webhookResponse: page, workflowData: [[item]] };
	};
	return await receive().then(undefined, (failure: unknown) => {
		const message = failure instanceof Error ? failure.message : String(failure);
		createLog(context).warn(`An answer could not be read. ${message}`);
		return { webhookResponse: 'The answer could not be read. Please try again.' };
	});
}
