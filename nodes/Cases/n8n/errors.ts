import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { ApiFailure, InvalidInput } from '../api/failure';

/**
 * The error that n8n shows, with what happened as its message and how to solve it as its description.
 * `retryAfterMs` reaches n8n's scheduler, which waits as long before the next poll.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof InvalidInput) {
		const { message, description } = error;
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	if (error instanceof ApiFailure) {
		const { description, httpCode, body, retryAfterMs } = error.details;
		const response = { message: error.message, description, body } as JsonObject;
		return new NodeApiError(node, response, {
			message: error.message,
			description,
			httpCode: httpCode === undefined ? undefined : String(httpCode),
			itemIndex,
			...(retryAfterMs === undefined
				? {}
				: {
						failure: {
							cause: httpCode === 429 ? 'rate-limited' : 'temporarily-unavailable',
							retryAfterMs,
						},
					}),
		});
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}

/**
 * The output of an item that failed under Continue On Fail. n8n sends an item to the error output
 * only if it has no other fields than these.
 */
export function errorJson(error: unknown): JsonObject {
	const { message, description } = error as { message: string; description?: string };
	if (error instanceof ApiFailure) {
		const { httpCode, body } = error.details;
		return {
			error: `${message}. ${error.details.description}`,
			details: { httpCode: httpCode ?? null, body: body ?? null } as JsonObject,
		};
	}
	const solution = description === undefined || description === '' ? '' : `. ${description}`;
	return { error: `${message}${solution}`, details: { httpCode: null, body: null } };
}
