import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Client } from '../api/http/client';
import type { Row } from '../api/types';
import { readSendingOptions } from '../fields/options';
import { createLog } from './log';
import { createClient } from './transport';
import { readKept } from './waiting';

/** A request to one of the signed URLs. */
interface Press {
	/** Only a POST answers. */
	isPost: boolean;
	/** The signed parameters of the URL. */
	parameters: Record<string, string>;
	body: unknown;
}

/** What the node returns for an answer, and what is done once n8n has taken it. */
export interface Answered {
	output: Row;
	/** @returns whether all of it was done */
	cleanUp: (client: Client) => Promise<boolean>;
}

/** Replies to a request to one of the signed URLs; with `answered` the execution continues. */
export type ReplyTo = (
	press: Press,
	kept: Row | undefined,
) => { page: string; answered?: Answered };

/** How long a request to take a button off may last, in ms: the next write of the case waits for it. */
const CLEANING_TIMEOUT_MS = 10_000;

/** Questions whose answer is worked on: until n8n has taken it, a second click comes here too. */
const beingAnswered = new Set<string>();

const messageOf = (failure: unknown) =>
	failure instanceof Error ? failure.message : String(failure);

/** Takes the buttons off while the execution continues: nobody waits for it, so a failure goes to the log. */
async function clean(context: IWebhookFunctions, { cleanUp }: Answered): Promise<void> {
	const sending = { ...readSendingOptions({}), timeout: CLEANING_TIMEOUT_MS };
	const isClean = await createClient(context, sending).then(cleanUp);
	if (!isClean) throw new Error('The service did not delete all of them.');
}

/**
 * Receives a request of a waiting execution. It never throws: n8n would then continue with an empty item.
 * @returns with `workflowData` n8n resumes the execution, and without it the execution continues to wait
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
			// n8n sends the page once it has taken the answer, and an error where another process was faster.
			if (response.statusCode < 400) await clean(context, answered);
		};
		// A browser closes a first click's connection at a second one, so it stays worked on until its buttons are off.
		const finish = () =>
			void afterReply()
				.catch((failure: unknown) => {
					const text = 'The buttons of an answered question may still be on the case';
					warn(`${text}. ${messageOf(failure)}`);
				})
				.finally(() => beingAnswered.delete(question));
		if (response.closed) finish();
		else response.once('close', finish);
		const item = { json: answered.output as IDataObject, pairedItem: { item: 0 } };
		return { webhookResponse: page, workflowData: [[item]] };
	} catch (failure) {
		warn(`An answer could not be read. ${messageOf(failure)}`);
		return { webhookResponse: 'The answer could not be read. Please try again.' };
	}
}
