import type { Client } from '../../nodes/Cases/api/client';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import { createPool } from '../../nodes/Cases/api/pool';
import { watchCases } from '../../nodes/Cases/trigger/changes/watchedCases';

/** The cases watched at a service that answers every request with this status. */
function casesAt(httpCode: number) {
	const client: Client = {
		tenant: { arrayFormat: 'brackets' } as Client['tenant'],
		...createPool(1),
		nameFilter: String,
		now: () => 0,
		send: async () =>
			await Promise.reject(new ApiFailure('No', { description: '', httpCode, retryable: false })),
	};
	return watchCases(client, { filters: {} }, 50, () => {});
}

describe('A page of the list of edits', () => {
	it.each([400, 404, 422])(
		'is empty behind the last one, where the answer is %i',
		async (status) => {
			expect((await casesAt(status).fetchEdits(0, 2)).edits).toEqual([]);
			await expect(casesAt(status).fetchEdits(0, 1)).rejects.toThrow('No');
		},
	);

	it('can not be had where the service fails in another way', async () => {
		await expect(casesAt(403).fetchEdits(0, 2)).rejects.toThrow('No');
	});
});
