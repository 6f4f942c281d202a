import type { Client } from '../../nodes/Cases/api/http/client';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { createPool } from '../../nodes/Cases/api/pool';
import type { ApiAnswer } from '../../nodes/Cases/api/http/readAnswer';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import { parseTenant } from '../../nodes/Cases/api/http/tenant';

/** A failure of the service, with the status of its answer. */
export const failedWith = (httpCode: number) =>
	new ApiFailure(`Failed with ${httpCode}`, { description: '', httpCode, retryable: false });

/**
 * A client whose requests are answered by a function. It is the one exception from the rule to write no mocks: for answers
 * that no service would give, and for what takes no socket to show.
 * @param answer returns the body, or throws the failure
 * @param further what each answer has besides its body
 */
export function answering(
	answer: (request: ApiRequest) => unknown,
	further: Partial<ApiAnswer> = {},
): { client: Client; requests: ApiRequest[] } {
	const requests: ApiRequest[] = [];
	const client: Client = {
		...createPool(2),
		tenant: parseTenant({ baseUrl: 'https://cases.example.com', apiKey: 'key' }),
		nameFilter: String,
		now: () => 0,
		send: async (request) => {
			requests.push(request);
			return await Promise.resolve({
				// As over a socket: nothing of it is shared with the test.
				body: structuredClone(answer(request)),
				unusable: ({ message, remedy = '' }) =>
					new ApiFailure(message, { description: remedy, retryable: false }),
				...further,
			});
		},
	};
	return { client, requests };
}
