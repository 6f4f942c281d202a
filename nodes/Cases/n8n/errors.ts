import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type JsonValue,
} from 'n8n-workflow';

import { ApiFailure, InvalidInput, type FailureDetails } from '../api/failures/failure';
import type { Redact } from '../api/http/requestFailures';

/**
 * The cause of a failed request, in the words of n8n 2. After a failed poll n8n chooses the time of the next one by the
 * cause: not before the service allows it, and later where somebody has to act first. n8n 1 ignores the cause.
 */
function causeOf({ httpCode, retryable, retryAfterMs }: FailureDetails): NodeApiError['failure'] {
	if (httpCode === 429) return { cause: 'rate-limited', retryAfterMs };
	if (retryable) return { cause: 'temporarily-unavailable', retryAfterMs };
	const isKey = httpCode === 401 || httpCode === 403;
	return { cause: isKey ? 'credential-invalid' : 'configuration-invalid' };
}

/** Makes the error that n8n shows: its message says what happened, its description how to solve it. */
export function toNodeError(
	context: { getNode(): INode },
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const node = context.getNode();
	const redact = redactorOf(context);
	if (error instanceof InvalidInput) {
		const description = redact(error.description);
		return new NodeOperationError(node, redact(error.message), { description, itemIndex });
	}
	if (error instanceof ApiFailure) {
		const { httpCode, body } = error.details;
		const [message, description] = [error.message, error.description].map(redact);
		const response = { message, description, body } as JsonObject;
		return new NodeApiError(node, response, {
			message,
			description,
			httpCode: httpCode === undefined ? undefined : String(httpCode),
			itemIndex,
			failure: causeOf(error.details),
		});
	}
	return new NodeOperationError(node, error as Error, { itemIndex });
}

/**
 * The output for an item that failed under Continue On Fail. It has only these two fields, because n8n sends an item with
 * any other field to the normal output, not to the error output.
 */
export function errorJson(error: unknown, redact: Redact): JsonObject {
	const { message, description = '' } = error as { message: string; description?: string };
	const { httpCode = null, body = null } =
		error instanceof ApiFailure ? (error.details as { httpCode?: number; body?: JsonValue }) : {};
	const solution = description === '' ? '' : `. ${description}`;
	return { error: redact(`${message}${solution}`), details: { httpCode, body } };
}

/** The function of each context with a client that takes the API key out of texts. */
export const redactors = new WeakMap<object, Redact>();

/**
 * Returns a function that takes the API key out of errors, hints and lines of the log, because they may quote a value from
 * the service, which may repeat the key. Before the context has a client, nothing came from the service, and the function
 * leaves texts as they are.
 */
export function redactorOf(context: object): Redact {
	return redactors.get(context) ?? ((text) => text);
}
