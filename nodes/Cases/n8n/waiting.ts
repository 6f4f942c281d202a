import {
	WAIT_INDEFINITELY,
	type IExecuteFunctions,
	type IWebhookDescription,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { InvalidInput } from '../api/failures/failure';
import { parseJson } from '../api/http/json';
import type { Row } from '../api/types';

/** What n8n offers an operation that waits for an answer. */
export interface Waiting {
	/** The URL that resumes this execution. n8n 2 refuses it when a parameter was changed, n8n 1 does not. */
	signUrl: (parameters: Record<string, string>) => string;
	/** The input item, which n8n passes on when a wait ends without an answer. */
	input: Row;
	/**
	 * Makes the execution wait, and keeps what its webhook needs.
	 * @param until undefined waits without a limit
	 */
	wait: (kept: Row, until: Date | undefined) => Promise<void>;
}

/** n8n registers these for a node that waits, and for no other. */
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
 * Whether an agent runs the node as its tool, which n8n doesn't resume; a human review of tools is not one. Newer agents
 * have the engine run it, which n8n's own answer doesn't count.
 */
export function isPlainTool(context: IExecuteFunctions): boolean {
	const { type } = context.getNode();
	if (type.endsWith('HitlTool')) return false;
	return type.endsWith('Tool') || context.isToolExecution?.() === true;
}

/** @throws InvalidInput in versions of n8n that can't sign the URLs */
export function createWaiting(context: IExecuteFunctions): Waiting {
	if (typeof context.getSignedResumeUrl !== 'function') {
		throw new InvalidInput(
			"This version of n8n can't wait for an answer in a case",
			'Update n8n to 1.123 or newer.',
		);
	}
	return {
		input: context.getInputData()[0].json,
		signUrl: (parameters) => context.getSignedResumeUrl(parameters),
		wait: async (kept, until) => {
			// n8n stores this with the execution. As text, because the webhook gets it through an expression.
			context.getContext('node').cases = JSON.stringify(kept);
			await context.putExecutionToWait(until ?? WAIT_INDEFINITELY);
		},
	};
}

/** What the waiting execution has kept; undefined where that can't be read. */
export function readKept(context: IWebhookFunctions): Row | undefined {
	// As escapes, because braces in a name would end the expression.
	const escape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const name = context.getNode().name.replace(/[^]/g, escape);
	const text = context.evaluateExpression(`{{ $node["${name}"].context["cases"] }}`);
	const kept = typeof text === 'string' ? parseJson(text) : undefined;
	return typeof kept === 'object' && kept !== null ? (kept as Row) : undefined;
}
