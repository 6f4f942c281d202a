import fc from 'fast-check';
import { readDetails, readListOfCase } from '../../nodes/Cases/api/cases/listsOfCase';
import { countCases, readCases } from '../../nodes/Cases/api/cases/cases';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import type { Row } from '../../nodes/Cases/api/types';
import { answering, failedWith } from './answering';

/**
 * A service whose paging is broken in one or two ways gives the right rows or an error, wherever one answer of the run
 * promised what did not come: on cases, comments, activities and records, with Return All, with a Limit, and in a count.
 *
 * PAGING_RUNS sets the number of runs, for example `PAGING_RUNS=10000 npx jest test/api/brokenPaging`.
 */
const RUNS = Number(process.env.PAGING_RUNS ?? 500);
const LIMIT_MS = 30_000 + RUNS * 100;

const KINDS = ['cases', 'comments', 'activities', 'records'] as const;
type Kind = (typeof KINDS)[number];

/** How one page is broken. */
type Fault = 'refused' | 'empty' | 'repeated' | 'short';

interface Service {
	kind: Kind;
	total: number;
	/** Pages are broken by their number, whatever their size. */
	faults: Map<number, Fault>;
	status: number;
	/** What is added to each stated number. */
	pagesOff: number;
	countOff?: number;
	meta: 'all' | 'no counts' | 'none';
	/** Whether a page behind the last one is refused. */
	refusesBehind: boolean;
}

const service: fc.Arbitrary<Service> = fc.record({
	kind: fc.constantFrom(...KINDS),
	total: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(10, 20, 25, 50, 100, 137)),
	faults: fc
		.dictionary(
			fc.integer({ min: 2, max: 5 }).map(String),
			fc.constantFrom<Fault>('refused', 'empty', 'repeated', 'short'),
			{ maxKeys: 2 },
		)
		.map((faults) => new Map(Object.entries(faults).map(([page, fault]) => [Number(page), fault]))),
	status: fc.constantFrom(400, 404, 422),
	pagesOff: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.constantFrom(-1, 1, 2) },
	),
	countOff: fc.constantFrom(undefined, 0, 0, 1, -1),
	meta: fc.constantFrom('all', 'all', 'all', 'no counts', 'none'),
	refusesBehind: fc.boolean(),
});

const rowOf: Record<Kind, (id: number) => Row> = {
	cases: (id) => ({ case_id: id, status: 'OPEN', created_at: new Date(id * 1000).toISOString() }),
	comments: (id) => ({ id, activity_type: 'COMMENTED', value: `Comment ${id}` }),
	activities: (id) => ({ id, activity_type: 'CREATED', value: `${id}` }),
	records: (id) => ({
		record_type_id: 1,
		record_type_name: 'Host',
		record_type_record_results: [{ id, results: [] }],
	}),
};

function idOf({ case_id, id, record_type_record_results: results }: Row): number {
	return Number((results as Row[] | undefined)?.[0].id ?? id ?? case_id);
}

/** How many activities or records a case carries. */
const CARRIED = 5;

/** Answers requests, and keeps what the answers promised: the rows that their page counts make certain. */
function serve(broken: Service) {
	let promised = 0;
	let promisedExactly = 0;
	const all = Array.from({ length: broken.total }, (_, index) => index + 1);
	const answer = ({ path }: { path: string }) => {
		const [perPage, page] = ['per_page', 'page'].map((name) =>
			Number(new RegExp(`[?&]${name}=(\\d+)`).exec(path)?.[1]),
		);
		const pages = Math.max(1, Math.ceil(broken.total / perPage) + broken.pagesOff);
		const fault = broken.faults.get(page);
		const right = all.slice((page - 1) * perPage, page * perPage);
		if (fault === 'refused') throw failedWith(broken.status);
		if (right.length === 0 && page > 1 && broken.refusesBehind) throw failedWith(broken.status);
		const before = all.slice((page - 2) * perPage, (page - 1) * perPage);
		const half = right.slice(0, Math.floor(right.length / 2));
		const rows = fault ? { empty: [], repeated: before, short: half }[fault] : right;
		const meta = {
			per_page: perPage,
			pages,
			next_page: page < pages ? '/next' : null,
			count: broken.countOff === undefined ? rows.length : broken.total + broken.countOff,
		};
		if (broken.meta === 'all') {
			// One stated page too many at the very end is tolerated.
			if (pages > 2) promised = Math.max(promised, (pages - 2) * perPage + 1);
			if (Math.ceil(meta.count / perPage) === pages) {
				promisedExactly = Math.max(promisedExactly, meta.count);
			}
		}
		const body: Row = { [broken.kind]: rows.map(rowOf[broken.kind]) };
		if (broken.meta === 'all') body.meta = meta;
		if (broken.meta === 'no counts') body.meta = { next_page: meta.next_page };
		return body;
	};
	return {
		...answering(answer, { servedAt: 0 }),
		promised: () => Math.max(promised, promisedExactly),
		row: {
			case_id: 1,
			[broken.kind]: all.slice(0, CARRIED).map(rowOf[broken.kind]),
			[`${broken.kind}_meta`]: { per_page: CARRIED, pages: Math.ceil(broken.total / CARRIED) },
		} as Row,
	};
}

/** Reads the list as its operation does. */
async function read(
	{ kind }: Service,
	{ client, row }: ReturnType<typeof serve>,
	{ limit, pageSize }: { limit?: number; pageSize: number },
): Promise<Row[]> {
	const shape = (one: Row) => one;
	if (kind === 'cases') {
		const query = { filters: {}, order: 'CREATED_ASC' } as const;
		return (await readCases(client, query, { limit, pageSize, shape })).rows;
	}
	if (kind === 'comments')
		return (await readListOfCase(client, '1', 'comments', { limit, pageSize })).rows;
	return (await readDetails(client, row, kind, { limit, pageSize })).rows;
}

/** The outcome, or undefined for an error that says it. */
async function outcomeOf<T>(task: Promise<T>): Promise<T | undefined> {
	return await task.catch((failure: unknown) => {
		if (!(failure instanceof ApiFailure)) throw failure;
		return undefined;
	});
}

const tally: Record<string, number> = {};
function count(what: string): void {
	tally[what] = (tally[what] ?? 0) + 1;
}
afterAll(() => {
	process.stdout.write(`brokenPaging.property: ${JSON.stringify(tally)}\n`);
});

describe('a service with broken paging', () => {
	it(
		'gives the right rows or an error wherever an answer promised what did not come',
		async () => {
			await fc.assert(
				fc.asyncProperty(
					service,
					fc.constantFrom(5, 10, 50),
					fc.option(fc.integer({ min: 1, max: 150 }), { nil: undefined }),
					async (broken, pageSize, limit) => {
						const served = serve(broken);
						const rows = await outcomeOf(read(broken, served, { limit, pageSize }));
						if (rows === undefined) return count('errors');
						const ids = rows.map(idOf);
						expect(new Set(ids).size).toBe(ids.length);
						// Page counts say which pages are full, so none is missing between others.
						if (broken.meta === 'all') expect(Math.max(0, ...ids)).toBe(ids.length);
						count(ids.length === Math.min(broken.total, limit ?? Infinity) ? 'right' : 'less');
						expect(ids.length).toBeGreaterThanOrEqual(
							Math.min(served.promised(), limit ?? Infinity),
						);
					},
				),
				{ numRuns: RUNS },
			);
		},
		LIMIT_MS,
	);

	it(
		'gives the right count or an error wherever an answer promised more cases',
		async () => {
			await fc.assert(
				fc.asyncProperty(service, fc.constantFrom(5, 10, 50), async (broken, pageSize) => {
					const served = serve({ ...broken, kind: 'cases' });
					const result = await outcomeOf(countCases(served.client, { filters: {} }, { pageSize }));
					if (result === undefined) return count('errors of a count');
					expect(result.count).toBeGreaterThanOrEqual(served.promised());
				}),
				{ numRuns: RUNS },
			);
		},
		LIMIT_MS,
	);
});
