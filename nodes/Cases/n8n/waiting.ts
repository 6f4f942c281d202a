import {
	WAIT_INDEFINITELY,
	type IExecuteFunctions,
	type IWebhookDescription,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { InvalidInput } from '../api/failures/failure';
import { isObject, parseJson } from '../api/json';
import type { Row } from '../api/types';

/** Webhooks that n8n registers only while the node waits. */
export const WAITING_WEBHOOKS: IWebhookDescription[] = (['GET', 'POST'] as const).map(
	(httpMethod) => ({
		name: 'default',
		httpMethod,
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	}),
);

/**
 * Whether an agent runs the node as its tool. A node whose type ends with `HitlTool` isn't a tool: it lets a person review
 * tool calls. The type is checked because `isToolExecution` is false where n8n's engine runs a tool for an agent.
 */
export function isPlainTool(context: IExecuteFunctions): boolean {
	const { type } = context.getNode();
	if (type.endsWith('HitlTool')) return false;
	return type.endsWith('Tool') || context.isToolExecution?.() === true;
}

/** What n8n offers to an operation that waits for an answer. */
export type Waiting = ReturnType<typeof createWaiting>;

/** @throws InvalidInput in versions of n8n that can't sign the URLs */
export function createWaiting(context: IExecuteFunctions) {
	if (typeof context.getSignedResumeUrl !== 'function') {
		throw new InvalidInput(
			"This version of n8n can't wait for an answer in a case",
			'Update n8n to 1.123 or newer.',
		);
	}
	return {
		/** The input item. n8n passes it on when a wait ends without an answer. */
		input: context.getInputData()[0].json as Row,
		/** Makes a URL that resumes this execution. n8n 2 refuses a URL whose parameters were changed, n8n 1 does not. */
		signUrl: (parameters: Record<string, string>) => context.getSignedResumeUrl(parameters),
		/** Makes the execution wait. @param kept what the webhook of the node will need */
		wait: async (kept: Row, until = WAIT_INDEFINITELY): Promise<void> => {
			// n8n stores the context with the execution. It holds text, because `readKept` reads it through an expression.
			context.getContext('node').cases = JSON.stringify(kept);
			await context.putExecutionToWait(until);
		},
	};
}

/** Reads what `wait` has kept; undefined where it can't be read. */
export function readKept(context: IWebhookFunctions): Row | undefined {
	// Braces in the node's name would end the expression, so all its letters are written as escapes.
	const escape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const name = context.getNode().name.replace(/[^]/g, escape);
	const text = context.evaluateExpression(`{{ $node["${name}"].context["cases"] }}`);
	const kept = typeof text === 'string' ? parseJson(text) : undefined;
	return isObject(kept) ? kept : undefined;
}
