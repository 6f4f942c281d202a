import {
	byId,
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
const BUSY = 62;

beforeAll(() => {
	const { store } = service.sandbox;
	store.createCase({ case_id: QUIET });
	store.createCase({ case_id: BUSY });
	for (const number of range(1, 130)) store.addComment(BUSY, `comment ${number}`);
});

const storedIds = (caseId: number) => service.sandbox.store.comments(caseId).map(({ id }) => id);
const queries = () => service.sandbox.requests.map(({ query }) => query);

describe('Output of comments', () => {
	it('is seven flat fields by default', async () => {
		const run = await service.run({ ...comments, caseId: byId(MANY), limit: 1 });
		const [{ id, value, created_at, user }] = service.sandbox.store.comments(MANY);
		expect(rowsOf(run)).toEqual([
			{
				case_id: MANY,
				comment_id: id,
				text: value,
				author: `${user.first_name} ${user.last_name}`,
				author_email: user.email,
				is_service_account: false,
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
});

describe('Return All of comments', () => {
	it.each([
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
});

describe('Limit of comments', () => {
	it('is 50 by default, and leaves a hint when it truncates the output', async () => {
		const run = await service.run({ ...comments, caseId: byId(BUSY) });
		expect(rowsOf(run).map(({ comment_id }) => comment_id)).toEqual(storedIds(BUSY).slice(0, 50));
		expect(queries()).toEqual([{ page: '1', per_page: '50' }]);
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
		[[QUIET, QUIET, BUSY], `No comment found for case ${QUIET}.`],
	])('says of the cases %j: %s', async (cases, hint) => {
		const parameters = { ...comments, caseId: OF_ITEM, returnAll: true };
		const run = await service.run(parameters, { items: itemsWith(cases) });
		expect(hintsOf(run)).toContainEqual(hint);
	});

	it('requests equal reads once, returns a copy to each item, and each output to its own', async () => {
		const run = await service.run(
			{ ...comments, caseId: byId(MANY), limit: 1, output: '={{ $json.id }}' },
			{ items: itemsWith(['raw', 'simplified', 'raw']) },
		);
		const [raw, simplified, again] = rowsOf(run);
		expect(service.sandbox.requests).toHaveLength(2);
		expect(simplified).toMatchObject({ comment_id: raw.id, text: raw.value });
		expect(again).toEqual(raw);
		expect(again.user).not.toBe(raw.user);
	});
});
