import type { Client } from '../../nodes/Cases/api/client';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import { createPool } from '../../nodes/Cases/api/pool';
import type { Case, Page } from '../../nodes/Cases/api/types';
import { readEach } from '../../nodes/Cases/trigger/changes/readEach';

const rowsOf = (...ids: number[]): Case[] => ids.map((case_id) => ({ case_id }));

interface Options {
	/** What a read fails with, by case. */
	failures?: Record<number, number | Error>;
	given?: string[];
	/** The cases edited last. */
	others?: number[];
	/** How often there is time. */
	looks?: number;
}

/** Reads a list of each case. */
async function read(
	ids: number[],
	{ failures = {}, given, others = [], looks = Infinity }: Options = {},
) {
	const reads: number[] = [];
	const lines: string[] = [];
	let asked = 0;
	const lists = await readEach(
		{
			client: createPool(1) as Client,
			given: given && new Set(given),
			info: (line) => void lines.push(line),
			fetchLastEdited: async () => {
				reads.push(0);
				return await Promise.resolve({ rows: rowsOf(...others) } as Page<Case>);
			},
		},
		rowsOf(...ids),
		() => asked++ >= looks,
		async ({ case_id }) => {
			const id = case_id as number;
			reads.push(id);
			const failure = failures[id];
			if (failure === undefined) return await Promise.resolve([`of ${id}`]);
			if (failure instanceof Error) throw failure;
			throw new ApiFailure(`No ${failure}`, {
				description: '',
				httpCode: failure,
				retryable: false,
			});
		},
	).catch((error: Error) => error.message);
	const shown =
		typeof lists === 'string'
			? lists
			: lists.map((list) => (Array.isArray(list) ? list.join() : list.message));
	return { lists: shown, reads, lines };
}

describe('a list for each case', () => {
	it('is read in order', async () => {
		expect(await read([1, 2])).toEqual({ lists: ['of 1', 'of 2'], reads: [1, 2], lines: [] });
	});

	it.each([
		[0, ['of 1']],
		[1, ['of 1', 'of 2']],
	])('is read while there is time, at least one: %i looks', async (looks, lists) => {
		expect((await read([1, 2, 3], { looks })).lists).toEqual(lists);
	});

	it('may fail for single cases, which are named', async () => {
		expect(await read([1, 2, 3, 4], { failures: { 2: 404, 3: 500 } })).toEqual({
			lists: ['of 1', 'No 404', 'No 500', 'of 4'],
			reads: [1, 2, 3, 4],
			lines: ['Skipped the comments or activities of case 2 and 1 other: No 404'],
		});
	});

	it.each([[401], [503], [new Error('No memory')]])(
		'cannot be read where one read fails with %s',
		async (failure) => {
			const { lists, lines } = await read([1, 2], { failures: { 2: failure } });
			expect(lists).toMatch(/^No /);
			expect(lines).toEqual([]);
		},
	);

	it('is none for a case that is gone, without a further request', async () => {
		expect(await read([1, 2], { failures: { 1: 404, 2: 404 } })).toEqual({
			lists: ['No 404', 'No 404'],
			reads: [1, 2],
			lines: ['Skipped the comments or activities of case 1 and 1 other: No 404'],
		});
	});

	it('cannot be read where all of several given cases are gone', async () => {
		const failures = { 1: 404, 2: 404, 3: 404 };
		const given = ['1', '2'];
		expect(await read([1, 2], { failures, given, others: [9] })).toMatchObject({
			lists: 'No 404',
			reads: [1, 2],
		});
		expect((await read([1], { failures, given })).lists).toEqual(['No 404']);
		expect((await read([1, 3], { failures, given })).lists).toEqual(['No 404', 'No 404']);
	});

	it('cannot be read where that of another case cannot be read either', async () => {
		const failures = { 1: 500, 2: 404, 8: 500, 9: 500 };
		expect((await read([1, 2], { failures, others: [8, 9] })).lists).toBe('No 500');
		expect((await read([2, 1], { failures, others: [] })).lists).toBe('No 500');
		expect(await read([1, 2], { failures, others: [2, 1, 8, 7] })).toEqual({
			lists: ['No 500', 'No 404'],
			reads: [1, 2, 0, 8, 7],
			lines: ['Skipped the comments or activities of case 1 and 1 other: No 500'],
		});
	});

	it('tries a case whose list there was no time for, as it tries any other case', async () => {
		const failures = { 1: 500 };
		const { lists, reads } = await read([1, 2], { failures, others: [2], looks: 0 });
		expect(lists).toEqual(['No 500']);
		expect(reads).toEqual([1, 0, 2]);
	});

	it('is none where no case is given', async () => {
		expect(await read([])).toMatchObject({ reads: [] });
	});
});
