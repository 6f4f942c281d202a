import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Client } from '../api/http/client';
import type { Row } from '../api/types';
import { readSendingOptions } from '../fields/options';
import { createLog } from './log';
import { createClient } from './transport';
import { readKept } from './waiting';

/**
 * Replies with a page to a request to one of the signed URLs, which are behind the buttons of a question. An answer also has
 * the output of the node, and what is done once n8n has taken the answer.
 */
export type ReplyTo = (
	press: {
		/** Only a POST counts as an answer: a GET only opens a page. */
		isPost: boolean;
		/** The signed parameters of the URL. */
		parameters: Record<string, string>;
		body: unknown;
	},
	kept: Row | undefined,
) => {
	page: string;
	answered?: {
		output: Row;
		/** Takes the buttons off the case. @returns whether all are off */
		cleanUp: (client: Client) => Promise<boolean>;
	};
};

/** How long a request that takes a button off may last, in ms. It is short, because the next write of the case waits. */
const CLEANING_TIMEOUT_MS = 10_000;

/** Questions whose answer n8n may not have taken yet, so that a second click still arrives here. */
const beingAnswered = new Set<string>();

/**
 * Receives a request to a waiting execution. It never throws, because n8n would then continue with an empty item.
 * @returns a page, and for an answer `workflowData`, with which n8n resumes the execution
 */
export function receiveAnswer(context: IWebhookFunctions, replyTo: ReplyTo): IWebhookResponseData {
	const { warn } = createLog(context);
	try {
		const press = {
			isPost: context.getRequestObject().method === 'POST',
			parameters: context.getQueryData() as Record<string, string>,
			body: context.getBodyData(),
		};
		const kept = readKept(context);
		const question = JSON.stringify(kept);
		const { page, answered } = replyTo(press, beingAnswered.has(question) ? undefined : kept);
		if (answered === undefined) return { webhookResponse: page };
		beingAnswered.add(question);
		const response = context.getResponseObject();
		const afterReply = async () => {
			// n8n sends the page once it has taken the answer. It sends an error if another process took an answer before.
			if (response.statusCode >= 400) return;
			const sending = { ...readSendingOptions({}), timeout: CLEANING_TIMEOUT_MS };
			const isClean = await createClient(context, sending).then(answered.cleanUp);
			if (!isClean) throw new Error('The service did not delete all of them.');
		};
		// At a second click the browser closes the connection of the first one. So the question leaves `beingAnswered` only
		// when its buttons are off, not when the connection closes.
		const finish = () =>
			void afterReply()
				.catch(({ message }: Error) => {
					warn(`The buttons of an answered question may still be on the case. ${message}`);
				})
				.finally(() => beingAnswered.delete(question));
		if (response.closed) finish();
		else response.once('close', finish);
		const item = { json: answered.output as IDataObject, pairedItem: { item: 0 } };
		return { webhookResponse: page, workflowData: [[item]] };
	} catch (error) {
		warn(`An answer could not be read. ${(error as Error).message}`);
		return { webhookResponse: 'The answer could not be read. Please try again.' };
	}
}
