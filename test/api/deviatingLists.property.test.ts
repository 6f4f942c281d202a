import fc from 'fast-check';
import { readCases } from '../../nodes/Cases/api/cases';
import { countCases } from '../../nodes/Cases/api/countCases';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import type { Observed } from '../../nodes/Cases/api/observed';
import { CASE_ORDERS, type Row } from '../../nodes/Cases/api/types';
import { parseFilters } from '../../nodes/Cases/fields/filters';
import type { Deviations } from '../../sandbox/deviations';
import { deviations } from '../../sandbox/drawnDeviations';
import type { Case } from '../../sandbox/types';
import {
	caseChanger,
	fillStore,
	filtering,
	someCaseChanges,
	START,
	type CaseChange,
	type Filtering,
} from './changingCases';
import { concurrency, createWitness, stepsOf } from './histories';
import { simulate, storeAt, type Step } from './simulation';

/**
 * Services that differ from the document, lists that change between two requests, and any query: each case that matched
 * from the first request to the last is in the result once, or a hint or an error says otherwise; none contradicts a
 * filter; a list that didn't change is not said to, also while other cases are edited; and the number of requests is
 * bounded.
 *
 * DEVIATION_RUNS sets the number of runs, for example `DEVIATION_RUNS=10000 npx jest test/api/deviatingLists`.
 */
const RUNS = Number(process.env.DEVIATION_RUNS ?? 18);
const LIMIT_MS = 60_000 + RUNS * 300;
// Shrinking a failure ends in time too.
const LIMITS = { interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true };

/** Filters that a row can contradict; of the others it shows nothing. */
const SHOWN = [
	'and_tags',
	'tags',
	'or_tags',
	'excluded_tags',
	'unassigned',
	'assignees',
	'assignee_emails',
	'author_emails',
	'case_ids',
	'metadata',
	'priority',
	'status',
	'updated_at_start_date',
	'team_id',
];

interface Run {
	seeds: number[];
	filter: Filtering;
	order: (typeof CASE_ORDERS)[number];
	pageSize: number;
	limit: number | undefined;
	concurrency: number;
	steps: Array<Step<CaseChange>>;
	service: Deviations;
	/** Whether cases that the filter never had are edited all the time. */
	isBusy: boolean;
}

const pageSize = fc.oneof(
	fc.integer({ min: 1, max: 6 }),
	fc.integer({ min: 1, max: 50 }),
	fc.constantFrom(20, 50, 500),
);

/** Rows in front of each page that are not objects, or have no ID. */
const badRows = fc.array(fc.constantFrom<unknown>(null, 7, 'x', [], {}), {
	minLength: 1,
	maxLength: 3,
});

const service = fc
	.tuple(
		deviations({ groups: ['list', 'filters', 'clock', 'rows'], start: START }),
		fc.option(badRows, { freq: 3 }),
	)
	.map(
		([others, strangeRows]): Deviations =>
			strangeRows === null ? others : { ...others, list: { ...others.list, strangeRows } },
	);

const anyRun = (steps: fc.Arbitrary<Array<Step<CaseChange>>>): fc.Arbitrary<Run> =>
	fc.record({
		seeds: fc.array(fc.nat(500), { minLength: 2, maxLength: 120, size: 'max' }),
		filter: filtering,
		order: fc.constantFrom(...CASE_ORDERS),
		pageSize,
		limit: fc.oneof(
			{ weight: 3, arbitrary: fc.constant(undefined) },
			fc.integer({ min: 1, max: 130 }),
		),
		concurrency,
		steps,
		service,
		isBusy: fc.boolean(),
	});

const quiet = stepsOf(fc.constant<never>(undefined as never)).map((steps) =>
	steps.map((step): Step<CaseChange> => ({ ...step, changes: [] })),
);

/** Reads while the steps happen. */
async function readWhile<T>(
	run: Run,
	read: (client: ReturnType<typeof simulate>['client']) => Promise<T>,
) {
	const { clock, store } = storeAt(START);
	fillStore(store, run.seeds);
	const matching = () =>
		[...store.cases()].filter(run.filter.matches).map(({ case_id }) => case_id);
	const witness = createWitness(matching);
	const { matches } = run.filter;
	const editAnother = (turn: number) => {
		const updated_at = store.timestamp(clock.now);
		const others = [...store.cases()].filter(
			(one) => !matches(one) && !matches({ ...one, updated_at }),
		);
		if (others.length === 0) return;
		store.updateCase(others[turn % others.length].case_id, { description: `Edit ${turn}` });
	};
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: run.concurrency,
		service: { deviations: run.service, grown: ['page-size'] },
		steps: run.steps,
		apply: caseChanger(store, clock),
		beforeAnswer: (index) => {
			if (run.isBusy) editAnother(index);
			witness.look();
		},
	});
	// A reader that makes no progress would read for ever.
	const send: typeof client.send = async (request) => {
		if (answered.length > mostRequests(run)) throw new Error('There are more and more requests');
		return await client.send(request);
	};
	const result = await read({ ...client, send }).catch((error: unknown) => {
		if (!(error instanceof ApiFailure)) throw error;
		return error;
	});
	return { result, always: witness.always() };
}

const idOf = ({ case_id }: Row) => Number(case_id);

/** What the service puts in place of the IDs of some cases. */
const idsInstead = ({ rows }: Deviations): unknown[] =>
	(rows?.fields ?? []).filter(({ path }) => path === 'case_id').map(({ value }) => value);

/** Whether several cases have one ID, so that no reader can tell them apart. */
const isOdd = (given: Deviations) =>
	idsInstead(given).some((id) => typeof id === 'number' || (typeof id === 'string' && id !== ''));

/** Rows that can't be used are left out, and a hint says so; it says nothing of other rows. */
function expectBadRowsToBeSaid(given: Deviations, { unusable = 0 }: Observed): void {
	const onEachPage = given.list?.strangeRows?.length ?? 0;
	if (onEachPage === 0 && idsInstead(given).length === 0) expect(unusable).toBe(0);
	expect(unusable).toBeGreaterThanOrEqual(onEachPage);
}

/** Whether the first of several pages looks like a whole list, because the service hides that it makes smaller pages. */
function hidesPageSize({ seeds, pageSize: requested, service: { list = {} } }: Run): boolean {
	const size = Math.min(list.pageSize ?? Infinity, list.largestPage ?? Infinity);
	const isTotalStated = list.count === 'total' && list.metaWithout === undefined;
	const isHidden = list.perPageLies === true && !isTotalStated;
	return isHidden && size < requested && seeds.length <= requested;
}

/** Whether pages have no rows, or those of another page, where no page count says so. */
function hidesPages({ list = {} }: Deviations): boolean {
	const { emptyPages, repeatedPages, noMeta, meta, metaWithout, pagesOff, perPageLies } = list;
	const isUncounted = [noMeta, meta, metaWithout, pagesOff, perPageLies].some(
		(one) => one !== undefined,
	);
	return isUncounted && (emptyPages ?? repeatedPages) !== undefined;
}

/** Whether the service compares other times than the store has, or compares them in another way. */
function comparesOtherTimes({ filter, service: { clock = {}, filters = {} } }: Run): boolean {
	const hasTimes = Object.keys(filter.collection).some((name) => name.endsWith('_date'));
	const { dataOffset, future, createdAhead, stepBack } = clock;
	const { startExclusive, byDay } = filters;
	const others = [dataOffset, future, createdAhead, stepBack, startExclusive, byDay];
	return hasTimes && others.some((one) => one !== undefined);
}

/**
 * Whether no reader can see a change: it shows late, is found late or not from its second on, or is dated before the time
 * of the service's own Date header.
 */
function showsLate({ rows, filters = {}, clock = {} }: Deviations): boolean {
	const { dateOffset = 0, dateFrozenAt, dataOffset = 0, stepBack, noDateEvery } = clock;
	const isAhead = dateOffset > 0 || dataOffset < 0 || (dateFrozenAt ?? '') > '2026-01-31T12:00:00Z';
	const isLate = rows?.lateEdits ?? filters.indexLag ?? filters.startExclusive ?? filters.byDay;
	return isAhead || isLate !== undefined || stepBack !== undefined || noDateEvery !== undefined;
}

/** Whether rows that a read missed, as they change places, look as if they were new: nothing says that they are older. */
function looksNew({ list = {}, clock = {} }: Deviations): boolean {
	const {
		noDate,
		noDateEvery,
		dateOffset = 0,
		dateFrozenAt,
		dataOffset = 0,
		future,
		stepBack,
	} = clock;
	const others = [noDate, noDateEvery, dateFrozenAt, future, stepBack];
	const isTimeOff = dateOffset < 0 || dataOffset > 0 || others.some((one) => one !== undefined);
	return isTimeOff && (list.tiesMove === true || list.repeatedPages !== undefined);
}

/** Whether a list is stable, as the service returns it: where it filters in another way, that may have the edited cases. */
function isUnchanged(run: Run): boolean {
	const isFilteredOtherwise = run.service.filters !== undefined || comparesOtherTimes(run);
	return !looksNew(run.service) && !(run.isBusy && isFilteredOtherwise);
}

/** Whether a count of pages that agrees with itself is wrong, which one request can't show. */
function statesOtherTotal({ list = {} }: Deviations): boolean {
	const { pagesOff, emptyPages, emptyLastPage, overlap, meta } = list;
	return [pagesOff, emptyPages, emptyLastPage, overlap, meta].some((one) => one !== undefined);
}

function saysSo({ drift, incomplete, unusable, contradicting }: Observed): boolean {
	return [drift, incomplete, unusable, contradicting].some((note) => note !== undefined);
}

/** Only these failures are right, and a list is one as long as it has a row that can be used, or page counts. */
function expectRightFailure({ list }: Deviations, { message }: ApiFailure): void {
	if (list?.noMeta !== true) expect(message).not.toMatch(/has no list/);
	expect(message).toMatch(
		/No row of the list can be used|has no list "cases"|The service ignore[sd] the filter/,
	);
}

/** A case of an answer matches the filters that it shows. */
function expectToMatch({ filter, service }: Run, rows: Row[]): void {
	const names = Object.keys(filter.collection);
	if (
		service.rows?.fields !== undefined ||
		comparesOtherTimes({ filter, service } as Run) ||
		!names.every((name) => SHOWN.includes(name))
	)
		return;
	const format = service.clock?.format;
	if (format === 'date') return;
	const user = (one: Row) => ({ ...one, user_id: Number(one.user_id) });
	const asStored = (row: Row) => ({
		...row,
		assignees: (row.assignees as Row[]).map(user),
		author: user(row.author as Row),
		updated_at: String(row.updated_at).replace(/(T.*\d)$/, '$1Z'),
	});
	expect(rows.filter((row) => !filter.matches(asStored(row) as unknown as Case)).map(idOf)).toEqual(
		[],
	);
}

/** Requests of a reader that reads a list at most four times, a row at a time. */
function mostRequests({ seeds, filter, concurrency: width, steps }: Run): number {
	const created = steps.flatMap(({ changes }) => changes).filter(({ kind }) => kind === 'create');
	const lists =
		(Array.isArray(filter.collection.priority) ? 2 : 1) *
		('case_ids' in filter.collection ? 30 : 1);
	return 4 * (2 * (seeds.length + created.length) + lists * (width + 12));
}

describe('a service that differs from the document', () => {
	const tally: Record<string, number> = {};
	const count = (what: string) => (tally[what] = (tally[what] ?? 0) + 1);
	afterAll(() => {
		const lines = Object.entries(tally).map(([what, times]) => `${what}: ${times}`);
		process.stdout.write(`deviatingLists.property: ${lines.join(', ')}\n`);
	});

	const readAny = async (run: Run) =>
		await readWhile(run, async (client) =>
			readCases(
				client,
				{ ...parseFilters(run.filter.collection, 'UTC'), order: run.order },
				{ limit: run.limit, pageSize: run.pageSize, shape: (row) => row },
			),
		);

	it(
		'loses no case of an unchanged list without a hint, and does not say that it changed',
		async () => {
			await fc.assert(
				fc.asyncProperty(anyRun(quiet), async (run) => {
					const { result, always } = await readAny(run);
					if (result instanceof ApiFailure) {
						expectRightFailure(run.service, result);
						count('errors');
						return;
					}
					const ids = result.rows.map(idOf);
					expectBadRowsToBeSaid(run.service, result.observed);
					if (isUnchanged(run)) expect(result.observed.drift).toBeUndefined();
					expectToMatch(run, result.rows);
					if (isOdd(run.service) || comparesOtherTimes(run) || hidesPages(run.service)) return;
					expect(new Set(ids).size).toBe(ids.length);
					if (saysSo(result.observed)) {
						count('hints');
						return;
					}
					count('quiet');
					const { limit = Infinity } = run;
					if (ids.length >= limit || hidesPageSize(run)) return;
					const got = new Set(ids);
					const { repeated } = result.observed;
					const missing = always.filter((id) => !got.has(id));
					// Rows that change places under a limit are repeated, which a hint says.
					expect(missing.slice(limit === Infinity ? 0 : repeated)).toEqual([]);
				}),
				{ numRuns: RUNS, ...LIMITS },
			);
		},
		LIMIT_MS + 30_000,
	);

	it(
		'loses no case of a list that changes without a hint',
		async () => {
			await fc.assert(
				fc.asyncProperty(anyRun(someCaseChanges.chain(stepsOf)), async (run) => {
					const { result, always } = await readAny({ ...run, limit: undefined });
					if (result instanceof ApiFailure) {
						expectRightFailure(run.service, result);
						return;
					}
					const ids = result.rows.map(idOf);
					expectBadRowsToBeSaid(run.service, result.observed);
					expectToMatch(run, result.rows);
					if (isOdd(run.service) || comparesOtherTimes(run) || hidesPages(run.service)) return;
					expect(new Set(ids).size).toBe(ids.length);
					if (saysSo(result.observed) || showsLate(run.service) || hidesPageSize(run)) return;
					count('changed and complete');
					const got = new Set(ids);
					expect(always.filter((id) => !got.has(id))).toEqual([]);
				}),
				{ numRuns: RUNS, ...LIMITS },
			);
		},
		LIMIT_MS + 30_000,
	);

	it(
		'is counted right where it is unchanged, unless a hint says otherwise',
		async () => {
			await fc.assert(
				fc.asyncProperty(anyRun(quiet), async (run) => {
					const { result, always } = await readWhile(run, async (client) =>
						countCases(client, parseFilters(run.filter.collection, 'UTC'), run.pageSize),
					);
					if (result instanceof ApiFailure) {
						expectRightFailure(run.service, result);
						return;
					}
					// Where the first answer alone shows that nothing matches, no row has been left out.
					if (result.observed) expectBadRowsToBeSaid(run.service, result.observed);
					if (isUnchanged(run)) expect(result.observed?.drift).toBeUndefined();
					if (isOdd(run.service) || comparesOtherTimes(run) || hidesPages(run.service)) return;
					if (result.observed !== undefined && saysSo(result.observed)) return;
					if (statesOtherTotal(run.service) || run.service.filters?.ignored) return;
					count('counts');
					expect(result.count).toBe(always.length);
				}),
				{ numRuns: RUNS, ...LIMITS },
			);
		},
		LIMIT_MS + 30_000,
	);
});
