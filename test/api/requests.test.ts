import {
	commentsPath,
	describeRequest,
	replaceActionsRequest,
	type ApiRequest,
} from '../../nodes/Cases/api/http/requests';
import { fetchPage } from '../../nodes/Cases/api/http/client';
import type { Query } from '../../nodes/Cases/api/http/requests';
import { answering } from './answering';

describe('a request as a value', () => {
	/** The requests for a page of cases. */
	const requestsOf = async (query: Query) => {
		const { client, requests } = answering(() => ({ cases: [] }));
		await fetchPage(client, '/api/v2/cases', 'cases', query);
		return requests;
	};

	it('for a list has path and query', async () => {
		expect(await requestsOf({ per_page: 5, page: 2 })).toEqual([
			{ method: 'GET', path: '/api/v2/cases?per_page=5&page=2' },
		]);
		expect(commentsPath('7')).toBe('/api/v2/cases/7/comments');
	});

	it('for the batch update has all actions in its body', () => {
		const actions = [{ url: 'https://a.example/', label: 'A', action_type: 'page' as const }];
		expect(replaceActionsRequest('7', actions)).toEqual({
			method: 'PUT',
			path: '/api/v2/cases/7/actions/batch',
			body: { actions },
		});
	});

	it('is refused when its address would be longer than services take', async () => {
		const search = async (length: number) =>
			(await requestsOf({ filters: { search: 'x'.repeat(length) } }))[0].path.length;
		const room = 6000 - (await search(0));
		expect(await search(room)).toBe(6000);
		await expect(search(room + 1)).rejects.toMatchObject({
			name: 'InvalidInput',
			message: expect.stringMatching(
				/the URL has 6001 characters, and may have at most 6000/,
			) as string,
			description: 'Shorten the longest filter, or split its values over several items.',
		});
	});
});

describe('the description of a request', () => {
	it.each<[ApiRequest, string]>([
		[{ method: 'GET', path: '/api/v2/cases?filters%5Bsearch%5D=private' }, 'GET /api/v2/cases'],
		[{ method: 'PUT', path: '/api/v2/cases/7/actions/batch' }, 'PUT /api/v2/cases/7/actions/batch'],
	])('of %j is %s', (request, expected) => {
		expect(describeRequest(request)).toBe(expected);
	});
});
