import type { Client } from './client';
import { ApiFailure } from '../failures/failure';

/**
 * Deletes what is at a path. After a lost answer, 404 means that it is gone.
 * @returns false where the first request found nothing there, or the key has no access to it
 * @throws ApiFailure
 */
export async function deleteAt(client: Client, path: string): Promise<boolean> {
	return await client.send({ method: 'DELETE', path }).then(
		({ saidError, unusable }) => {
			if (saidError === undefined) return true;
			throw unusable({
				message: 'The service did not confirm the deletion',
				remedy: `It says: ${saidError}. It may be deleted or not. Check the case.`,
			});
		},
		(failure: unknown) => {
			const isNotThere = failure instanceof ApiFailure && failure.details.httpCode === 404;
			if (!isNotThere) throw failure;
			return failure.details.mayHaveBeenDone === true;
		},
	);
}

/** Deletes what is at a path. @throws ApiFailure, also where it was not there; `what` names it, `advice` says what to do */
export async function deleteOrFail(
	client: Client,
	path: string,
	what: string,
	advice: string,
): Promise<void> {
	if (await deleteAt(client, path)) return;
	throw new ApiFailure(`${what} not found, or no access (404)`, {
		description: `The service gives the same answer for both. ${advice}`,
		httpCode: 404,
		retryable: false,
	});
}
