import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type JsonValue,
} from 'n8n-workflow';

import { ApiFailure, InvalidInput } from '../api/failures/failure';
import type { Redact } from '../api/failures/requestFailures';

type Failure = NonNullable<ConstructorParameters<typeof NodeApiError>[2]>['failure'];

/**
 * Why a request failed, in the words of n8n's scheduler, which polls again after a while that fits: at least as long as
 * the service asks, and rarely where somebody has to act first. n8n 1.x ignores it.
 */
function causeOf({ details: { httpCode, retryable, retryAfterMs } }: ApiFailure): Failure {
	if (httpCode === 429) return { cause: 'rate-limited', retryAfterMs };
	if (retryable) return { cause: 'temporarily-unavailable', retryAfterMs };
	const isKey = httpCode === 401 || httpCode === 403;
	return { cause: isKey ? 'credential-invalid' : 'configuration-invalid' };
}

/** The error that n8n shows, with what happened as its message and how to solve it as its description. */
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
			failure: causeOf(error),
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
export function errorJson(error: unknown, redact: Redact): JsonObject {
	const { message, description = '' } = error as { message: string; description?: string };
	const { httpCode = null, body = null } =
		error instanceof ApiFailure ? (error.details as { httpCode?: number; body?: JsonValue }) : {};
	const solution = description === '' ? '' : `. ${description}`;
	return { error: redact(`${message}${solution}`), details: { httpCode, body } };
}

const redactors = new WeakMap<object, Redact>();

/** Remembers, for as long as n8n has this context, how the key of its credential is taken out of texts. */
export function rememberRedactor(context: object, redact: Redact): void {
	redactors.set(context, redact);
}

/**
 * Takes the API key out of what leaves the node as an error, a hint or a line of the log: each may quote a value from
 * the service, which may repeat the key. Without a client nothing came from the service yet, and texts stay as they are.
 */
export function redactorOf(context: object): Redact {
	return redactors.get(context) ?? ((text) => text);
}
