import {
	commentsPath,
	describeRequest,
	listRequest,
	replaceActionsRequest,
	type ApiRequest,
} from '../../nodes/Cases/api/http/requests';
import { expectRefused } from '../support/refusal';

describe('a request as a value', () => {
	it('for a list has path and query', () => {
		expect(listRequest('/api/v2/cases', { per_page: 5, page: 2 }, 'brackets')).toEqual({
			method: 'GET',
			path: '/api/v2/cases?per_page=5&page=2',
		});
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

	it('is refused when its address would be longer than services take', () => {
		const search = (length: number) =>
			listRequest('/api/v2/cases', { filters: { search: 'x'.repeat(length) } }, 'brackets');
		const room = 6000 - search(0).path.length;
		expect(search(room).path).toHaveLength(6000);
		expectRefused(
			() => search(room + 1),
			/the URL has 6001 characters, and may have at most 6000/,
			/Shorten the longest filter, or split its values over several items/,
		);
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
