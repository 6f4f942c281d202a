import { unlessFailed } from '../../nodes/Cases/api/failures/failure';
import { deleteAt, deleteOrFail } from '../../nodes/Cases/api/http/client';
import { answering, failedWith } from './answering';

const PATH = '/api/v2/cases/7/comments/9';

/** A client that deletes nothing: each request fails. */
const failing = (failure: Error) =>
	answering(() => {
		throw failure;
	}).client;

describe('what is deleted', () => {
	it('is named by its path, and is there until then', async () => {
		const { client, requests } = answering(() => ({}));
		await expect(deleteAt(client, PATH)).resolves.toBe(true);
		await expect(deleteOrFail(client, PATH, 'Comment 9', '')).resolves.toBeUndefined();
		expect(requests).toEqual(Array(2).fill({ method: 'DELETE', path: PATH }));
	});

	it('was not there where the service does not find it', async () => {
		await expect(deleteAt(failing(failedWith(404)), PATH)).resolves.toBe(false);
		const deleted = deleteOrFail(failing(failedWith(404)), PATH, 'Comment 9', 'Check it.');
		await expect(deleted).rejects.toMatchObject({
			message: 'Comment 9 not found, or no access (404)',
			details: {
				description: 'The service gives the same answer for both. Check it.',
				httpCode: 404,
				retryable: false,
			},
		});
	});

	it('is gone where the service does not find it after a lost answer', async () => {
		const failure = failedWith(404).adding('', { mayHaveBeenDone: true });
		await expect(deleteAt(failing(failure), PATH)).resolves.toBe(true);
	});

	it.each([failedWith(500), failedWith(403), new Error('a fault of the code')])(
		'stays unknown after $message',
		async (failure) => {
			await expect(deleteAt(failing(failure), PATH)).rejects.toBe(failure);
		},
	);
});

test('only a failed request leaves an answer unknown', () => {
	const fault = new Error('a fault of the code');
	expect(unlessFailed(failedWith(500))).toBeUndefined();
	expect(() => unlessFailed(fault)).toThrow(fault);
});
