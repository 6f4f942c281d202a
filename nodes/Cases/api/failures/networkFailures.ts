import { ApiFailure, shorten } from './failure';
import { remedyOf } from './failureTable';
import { describeRequest, isWrite, type ApiRequest } from '../http/requests';

/**
 * The failure that a request without a complete answer means to the user.
 * @param code Node's code of the network error, such as `ECONNRESET`; empty when there is none
 * @param host the service's host and port
 * @param status of an answer that began and didn't end
 */
export function failureOfNetwork(
	request: ApiRequest,
	code: string,
	host: string,
	status?: number,
): ApiFailure {
	const { message, remedy, retryable = false, isUnsent, isOfRun } = remedyOf(code);
	return new ApiFailure(message.replace('HOST', host), {
		description: `${remedy} Request: ${describeRequest(request)}${code === '' ? '' : ` (${code})`}.`,
		retryable,
		...(isOfRun ? { isOfRun } : {}),
		...(isWrite(request) && !isUnsent ? { mayHaveBeenDone: true, httpCode: status } : {}),
	});
}

/** The failure of a request that n8n refused to send, in n8n's own words. */
export function failureOfN8n(request: ApiRequest, message: string, advice: string): ApiFailure {
	return new ApiFailure(`n8n did not send the request: ${shorten(message, 300)}`, {
		description: `${shorten(advice, 500)} Request: ${describeRequest(request)}.`,
		retryable: false,
		isOfRun: true,
	});
}
