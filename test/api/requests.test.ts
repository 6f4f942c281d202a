import fc from 'fast-check';
import qs from 'qs';
import { fetchPage } from '../../nodes/Cases/api/http/client';
import {
	casesOfRecordPath,
	encodeQuery,
	isRepeatable,
	listPath,
	replaceActionsRequest,
	type Query,
	type QueryValue,
} from '../../nodes/Cases/api/http/requests';
import type { ArrayFormat } from '../../nodes/Cases/api/types';
import { nameFilter } from '../../nodes/Cases/fields/filters/filters';
import { expectRefused } from '../support/refusal';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { answering } from './answering';

it('A record may be put on a case twice, a comment may not', () => {
	expect(isRepeatable(casesOfRecordPath('7'))).toBe(true);
	expect(isRepeatable(listPath('7', 'comments'))).toBe(false);
});

const FORMATS: ArrayFormat[] = ['brackets', 'indices', 'repeat', 'comma'];

/** How a common server library reads a query that has arrays of this format. */
function readBy(format: ArrayFormat, query: string): unknown {
	return qs.parse(query, {
		comma: format === 'comma',
		arrayLimit: 1000,
		parameterLimit: Infinity,
		depth: 3,
		strictDepth: true,
		plainObjects: true,
		allowPrototypes: true,
	});
}

const text = fc
	.oneof(
		fc.string(),
		fc.string({ unit: 'grapheme' }),
		fc.constantFrom('a&b=c', 'x[]', '100 %', 'two\nlines', '‮abc', '\\0', '#', '__proto__'),
	)
	.filter((one) => !one.includes('\0'));
const key = fc
	.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a.b', 'a b', '&', '=', 'toString', '0'))
	// The reader takes numbers in brackets for places in a list.
	.filter((name) => !/[[\]]|^\d+$/.test(name) && name !== '__proto__');

describe('a query string', () => {
	it('carries scalar filters in brackets and the other parameters plainly', () => {
		const filters = { status: 'OPEN', unassigned: true };
		const others = { team_id: '3', order: 'CREATED_ASC', per_page: 50, page: 2 };
		expect(encodeQuery({ filters, ...others }, 'brackets')).toBe(
			'filters%5Bstatus%5D=OPEN&filters%5Bunassigned%5D=true&team_id=3&order=CREATED_ASC&per_page=50&page=2',
		);
	});

	it('is empty for nothing, and leaves out what is undefined', () => {
		expect(encodeQuery({}, 'brackets')).toBe('');
		expect(encodeQuery({ order: undefined, page: 1 }, 'brackets')).toBe('page=1');
	});

	it.each<[ArrayFormat, string]>([
		['brackets', 'filters[tags][]=a b&filters[tags][]=c'],
		['indices', 'filters[tags][0]=a b&filters[tags][1]=c'],
		['repeat', 'filters[tags]=a b&filters[tags]=c'],
		['comma', 'filters[tags]=a b,c'],
	])('has arrays in the format %s', (format, expected) => {
		expect(decodeURIComponent(encodeQuery({ filters: { tags: ['a b', 'c'] } }, format))).toBe(
			expected,
		);
	});

	it('writes pairs of key and value in brackets, whatever the format of arrays', () => {
		const metadata: QueryValue = [
			['a', '1'],
			['b', 'x,y'],
		];
		for (const format of FORMATS) {
			expect(decodeURIComponent(encodeQuery({ filters: { metadata } }, format))).toBe(
				'filters[metadata][a]=1&filters[metadata][b]=x,y',
			);
		}
	});

	it.each(FORMATS)('is read by a server as it was meant, with arrays as %s', (format) => {
		const list = fc.array(format === 'comma' ? text.filter((one) => !one.includes(',')) : text, {
			// One value is a scalar to a reader of repeated or divided names.
			minLength: format === 'repeat' || format === 'comma' ? 2 : 1,
			maxLength: 30,
		});
		const pairs = fc.uniqueArray(fc.tuple(key, text), {
			minLength: 1,
			maxLength: 5,
			selector: ([name]) => name,
		});
		const filters = fc.record(
			{
				search: text.filter((one) => format !== 'comma' || !one.includes(',')),
				tags: list,
				metadata: pairs,
				unassigned: fc.boolean(),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(filters, fc.nat(50), (given, page) => {
				const query: Query = { filters: given as Record<string, QueryValue>, page };
				const encoded = encodeQuery(query, format);
				expect(encoded).toMatch(/^[\w.~!*'()%&=,-]*$/);
				const { metadata, unassigned, ...texts } = given;
				const meant = {
					...texts,
					...(metadata && { metadata: Object.fromEntries(metadata) }),
					...(unassigned !== undefined && { unassigned: String(unassigned) }),
				};
				// Through JSON, because the reader's objects have no prototype.
				const read: unknown = JSON.parse(JSON.stringify(readBy(format, encoded)));
				expect(read).toEqual({
					...(Object.keys(meant).length > 0 && { filters: meant }),
					page: String(page),
				});
			}),
			{ numRuns: 100 * PROPERTY_TIMES },
		);
	});

	it('refuses a value with a comma in the format comma, where it would become two', () => {
		expectRefused(
			() => encodeQuery({ filters: { tags: ['a', 'b,c'] } }, 'comma', nameFilter),
			'\'Tags (Same as All)\': "b,c" contains a comma',
			/choose another 'List Format in Requests'/,
		);
	});

	it.each([['\ud83d'], ['a\ude00b'], ['\ude00\ud83d'], ['a\0b'], ['\\\ud83d']])(
		'refuses a broken character: %j',
		(half) => {
			for (const value of [half, [half], [['key', half]]] as QueryValue[]) {
				expectRefused(
					() => encodeQuery({ filters: { search: value } }, 'brackets'),
					/contains a broken character$/,
					/Truncate it before or after/,
				);
			}
		},
	);
});

describe('a request as a value', () => {
	it('for the batch update has all actions in its body', () => {
		const actions = [{ url: 'https://a.example/', label: 'A', action_type: 'page' as const }];
		expect(replaceActionsRequest('7', actions)).toEqual({
			method: 'PUT',
			path: '/api/v2/cases/7/actions/batch',
			body: { actions },
		});
	});

	it('is refused when its address would be longer than services take', async () => {
		const { client, requests } = answering(() => ({ cases: [] }));
		const search = async (length: number) => {
			await fetchPage(client, '/list', 'cases', { filters: { search: 'x'.repeat(length) } });
			return requests[requests.length - 1].path.length;
		};
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
