import {
	byId,
	failureOf,
	hintsOf,
	idsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	rowsOf,
} from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 60 });
const comments = { resource: 'comment', operation: 'getAll' };

/** By the sandbox's data: 60 comments, more than a page. */
const MANY = 7;
const QUIET = 61;
const NONE = 63;
const BUSY = 62;

beforeAll(() => {
	const { store } = service.sandbox;
	store.createCase({ case_id: QUIET });
	store.createCase({ case_id: NONE });
	store.createCase({ case_id: BUSY });
	for (const number of range(1, 130)) store.addComment(BUSY, `comment ${number}`);
});

const storedIds = (caseId: number) => service.sandbox.store.comments(caseId).map(({ id }) => id);
const queries = () => service.sandbox.requests.map(({ query }) => query);

describe('Output of comments', () => {
	it('is six flat fields by default', async () => {
		const run = await service.run({ ...comments, caseId: byId(MANY), limit: 1 });
		const [{ id, value, created_at, user }] = service.sandbox.store.comments(MANY);
		expect(rowsOf(run)).toEqual([
			{
				case_id: MANY,
				comment_id: id,
				text: value,
				author: `${user.first_name} ${user.last_name}`,
				author_email: user.email,
				created_at,
			},
		]);
		expect(pairsOf(run)).toEqual([[0]]);
	});

	it('is each comment as the service sends it, with its case ID, when raw', async () => {
		const run = await service.run({ ...comments, caseId: byId(MANY), limit: 1, output: 'raw' });
		const [{ id, value, created_at, user, reactions }] = service.sandbox.store.comments(MANY);
		expect(rowsOf(run)).toEqual([
			{ case_id: MANY, id, activity_type: 'COMMENTED', value, created_at, user, reactions },
		]);
	});

	it('may differ between input items of one case', async () => {
		const run = await service.run(
			{ ...comments, caseId: byId(MANY), limit: 1, output: '={{ $json.id }}' },
			{ items: itemsWith(['raw', 'simplified']) },
		);
		const [{ id, value }] = service.sandbox.store.comments(MANY);
		expect(rowsOf(run)).toMatchObject([
			{ id, value },
			{ comment_id: id, text: value },
		]);
	});

	test.each(['selected', '', null])('is refused as %j before any request', async (output) => {
		const run = await service.run({
			...comments,
			caseId: byId(MANY),
			output: `={{ ${JSON.stringify(output)} }}`,
		});
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(/^'Output': .* is not one of /),
			description: expect.stringContaining('Choose from the list'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('Return All of comments', () => {
	it.each([
		[MANY, 60],
		[BUSY, 130],
		[QUIET, 0],
	])(
		'returns every comment of case %i once, in the order of the service',
		async (caseId, total) => {
			const run = await service.run({ ...comments, caseId: byId(caseId), returnAll: true });
			expect(rowsOf(run).map(({ comment_id }) => comment_id)).toEqual(storedIds(caseId));
			expect(run.items).toHaveLength(total);
			expect(new Set(service.paths())).toEqual(new Set([`GET /api/v2/cases/${caseId}/comments`]));
			expect(queries()[0]).toEqual({ per_page: '50', page: '1' });
		},
	);

	test.each([
		['no meta at all', { kind: 'metaMissing' }],
		['pages clamped to 20', { kind: 'clampPageSize', to: 20 }],
		['a wrong number of pages', { kind: 'meta', patch: { pages: 1 } }],
	] as const)('is complete with %s', async (_what, fault) => {
		service.sandbox.faults.add({ fault });
		const run = await service.run({ ...comments, caseId: byId(BUSY), returnAll: true });
		expect(rowsOf(run).map(({ comment_id }) => comment_id)).toEqual(storedIds(BUSY));
	});

	it('loses no comment that is added during the read', async () => {
		const { store, faults } = service.sandbox;
		const before = storedIds(BUSY);
		faults.add({
			match: { page: 2 },
			fault: { kind: 'change', run: () => void store.addComment(BUSY, 'late') },
		});
		const run = await service.run({ ...comments, caseId: byId(BUSY), returnAll: true });
		const ids = rowsOf(run).map(({ comment_id }) => comment_id);
		expect(ids.slice(0, before.length)).toEqual(before);
		expect(new Set(ids).size).toBe(ids.length);
	});
});

describe('Limit of comments', () => {
	test.each([
		[1, ['1'], '1'],
		[50, ['1'], '50'],
		[51, ['1', '2'], '50'],
		[100, ['1', '2'], '50'],
	])('%i requests only the pages it needs', async (limit, pages, per_page) => {
		const run = await service.run({ ...comments, caseId: byId(BUSY), limit });
		expect(rowsOf(run).map(({ comment_id }) => comment_id)).toEqual(
			storedIds(BUSY).slice(0, limit),
		);
		expect(queries()).toEqual(pages.map((page) => ({ page, per_page })));
	});

	it('is 50 by default, and leaves a hint when it truncates the output', async () => {
		const run = await service.run({ ...comments, caseId: byId(BUSY) });
		expect(run.items).toHaveLength(50);
		expect(hintsOf(run)).toEqual(["'Limit' kept the first 50; there are about 150 comments."]);
	});
});

describe('Get Many of comments over several input items', () => {
	it('keeps the order of the items, and pairs each comment', async () => {
		const cases = [BUSY, QUIET, MANY];
		const run = await service.run(
			{ ...comments, caseId: OF_ITEM, limit: 2 },
			{ items: itemsWith(cases) },
		);
		expect(idsOf(run)).toEqual([BUSY, BUSY, MANY, MANY]);
		expect(pairsOf(run)).toEqual([[0], [0], [2], [2]]);
	});

	test.each([
		[[QUIET], 'No comment found.'],
		[[QUIET, NONE], 'No comment found.'],
		[[BUSY, QUIET, MANY], 'No comment found for these input items: 1.'],
		[[QUIET, QUIET, BUSY], 'No comment found for these input items: 0, 1.'],
	])('says of the cases %j: %s', async (cases, hint) => {
		const parameters = { ...comments, caseId: OF_ITEM, returnAll: true };
		const run = await service.run(parameters, { items: itemsWith(cases) });
		expect(hintsOf(run)).toContainEqual(hint);
	});

	it('requests equal reads once, returns a copy to each item, and points to Execute Once', async () => {
		const run = await service.run(
			{ ...comments, caseId: byId(MANY), limit: 2, output: 'raw' },
			{ items: itemsWith(range(1, 20)) },
		);
		expect(service.sandbox.requests).toHaveLength(1);
		expect(run.items).toHaveLength(40);
		const rows = rowsOf(run);
		expect(rows[0]).toEqual(rows[2]);
		expect(rows[0]).not.toBe(rows[2]);
		expect(rows[0].user).not.toBe(rows[2].user);
		expect(hintsOf(run)).toContainEqual(expect.stringContaining('Execute Once'));
	});

	it('ends with an unknown case as the error of its item', async () => {
		const run = await service.run(
			{ ...comments, caseId: OF_ITEM },
			{ items: itemsWith([MANY, 999]) },
		);
		expect(failureOf(run)).toMatchObject({
			name: 'NodeApiError',
			httpCode: '404',
			message: 'Not found, or the API key has no access to it (404)',
			description: expect.stringMatching(
				/The service says: Not found\..*GET \/api\/v2\/cases\/999\/comments/,
			),
			item: 1,
		});
	});

	it('sends an unknown case to the error output, with the answer of the service', async () => {
		const run = await service.run(
			{ ...comments, caseId: OF_ITEM, limit: 1 },
			{ items: itemsWith([999, MANY]), onError: 'continueErrorOutput' },
		);
		expect(idsOf(run)).toEqual([MANY]);
		expect(pairsOf(run)).toEqual([[1]]);
		// n8n puts the fields of the input item beside the error.
		expect(run.errorItems.map(({ json }) => json)).toEqual([
			{
				id: 999,
				error: expect.stringContaining('Not found, or the API key has no access to it (404)'),
				details: { httpCode: 404, body: { error: 'Not found' } },
			},
		]);
		expect(pairsOf({ items: run.errorItems })).toEqual([[0]]);
	});
});

it('Get Many of comments returns no item for a case without comments, and leaves a hint', async () => {
	const run = await service.run({ ...comments, caseId: byId(QUIET) });
	expect(rowsOf(run)).toEqual([]);
	expect(hintsOf(run)).toEqual(['No comment found.']);
});

it('Get Many of comments refuses an ID that would reach another path before any request', async () => {
	const items = itemsWith(['1/../../users/9?x=']);
	const run = await service.run({ ...comments, caseId: OF_ITEM }, { items });
	expect(failureOf(run)).toMatchObject({
		message: expect.stringContaining('is not a case ID'),
		item: 0,
	});
	expect(service.sandbox.requests).toEqual([]);
});

it('Get Many of comments reports an answer without a list', async () => {
	service.sandbox.faults.add({ fault: { kind: 'listMissing' } });
	expect(failureOf(await service.run({ ...comments, caseId: byId(MANY) }))).toMatchObject({
		message: 'The answer of the service has no list "comments"',
		description: expect.stringContaining(`/api/v2/cases/${MANY}/comments`),
		item: 0,
	});
});
