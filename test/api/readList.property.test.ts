import fc from 'fast-check';
import { readCases } from '../../nodes/Cases/api/cases/cases';
import { readListOfCase } from '../../nodes/Cases/api/cases/listsOfCase';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { parseFilters } from '../../nodes/Cases/fields/filters/filters';
import type { ListResult } from '../../nodes/Cases/api/lists/readList';
import { CASE_ORDERS, type CaseOrder } from '../../nodes/Cases/api/cases/caseQuery';
import type { Row } from '../../nodes/Cases/api/types';
import { ALL_GROWN, type GrownTrait } from '../../sandbox/grown';
import { CaseStore } from '../../sandbox/store';
import {
	caseChanger,
	fillStore,
	filtering,
	someCaseChanges,
	START,
	type CaseChange,
	type Filtering,
} from './changingCases';
import { concurrency, createWitness, pageSize, stepsOf } from './histories';
import { simulate, type Clock, type Step } from './simulation';

/**
 * Return All is complete, or it says that it may not be: every row that is in the list from the first request to the last
 * is in the result once, whatever changes between two requests, or `observed.keptChanging` is set. This holds for services
 * that date every edit by their own clock, send a Date header, make pages of one row and keep equal rows in one order.
 *
 * CASES_RUNS sets the number of runs, for example `CASES_RUNS=5000 npx jest test/api/readList.property`.
 */
const RUNS = Number(process.env.CASES_RUNS ?? 80);
const LIMIT_MS = 30_000 + RUNS * 200;
// Shrinking a failure ends in time too.
const LIMITS = { interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true };

/** Counts outcomes; printed at the end to show that the interesting ones occur. */
const tally: Record<string, number> = {};
function count(what: string): void {
	tally[what] = (tally[what] ?? 0) + 1;
}
afterAll(() => {
	const lines = Object.entries(tally).map(([what, times]) => `${what}: ${times}`);
	process.stdout.write(`readList.property: ${lines.join(', ')}\n`);
});

/** What a list that changes in each read may end with: its pages never were as many as an answer stated. */
const FAILED: ListResult = {
	rows: [],
	observed: { isTruncated: false, reads: 4, keptChanging: true },
};

/** @throws any other failure, or this one where nothing changed */
function failedFor(failure: unknown, isChanging: boolean): ListResult {
	if (!isChanging || !(failure instanceof ApiFailure)) throw failure;
	expect(failure.message).toMatch(
		/^The service (says that there are (at least )?\d+ \w+, but it returned|did not return all \w+, only) \d+$/,
	);
	count('failures');
	return FAILED;
}

function expectComplete({ rows, observed }: ListResult, idOf: (row: Row) => number, all: number[]) {
	const ids = rows.map(idOf);
	expect(new Set(ids).size).toBe(ids.length);
	if (observed.keptChanging) return;
	const got = new Set(ids);
	expect(all.filter((id) => !got.has(id))).toEqual([]);
}

function tallyRun(kind: string, changed: boolean, { observed }: ListResult): void {
	count(`${kind} runs`);
	if (!changed) return;
	const { keptChanging, reads } = observed;
	if (keptChanging) count(`${kind} that kept changing`);
	else count(`${kind} changed and complete${reads > 1 ? ' after another read' : ''}`);
}

interface CaseRun {
	seeds: number[];
	filter: Filtering;
	order: CaseOrder;
	pageSize: number;
	concurrency: number;
	precision: 'seconds' | 'milliseconds';
	/** What the service has learned since the API document. */
	grown: readonly GrownTrait[];
	steps: Array<Step<CaseChange>>;
}

/** Without what lets cases come that contradict a filter: they would be said, and take further requests. */
const WITHOUT_OTHER_CASES = ALL_GROWN.filter(
	(trait) => trait !== 'by-day' && trait !== 'exclude-tags',
);

const caseRun = (
	steps: fc.Arbitrary<Array<Step<CaseChange>>>,
	learned: readonly GrownTrait[] = ALL_GROWN,
): fc.Arbitrary<CaseRun> =>
	fc.record({
		seeds: fc.array(fc.nat(500), { minLength: 2, maxLength: 60, size: 'max' }),
		filter: filtering,
		order: fc.constantFrom(...(Object.keys(CASE_ORDERS) as CaseOrder[])),
		pageSize,
		concurrency,
		precision: fc.constantFrom('seconds', 'milliseconds'),
		grown: fc.constantFrom([], learned),
		steps,
	});

/** Reads all matching cases while the steps happen. */
async function readWhile(run: CaseRun) {
	const clock: Clock = { now: START };
	const store = new CaseStore({
		now: () => new Date(clock.now),
		timestampPrecision: run.precision,
	});
	fillStore(store, run.seeds);
	const version = { atStart: 0, atEnd: 0 };
	const witness = createWitness(() =>
		[...store.cases()].filter(run.filter.matches).map(({ case_id }) => case_id),
	);
	const { client, answered } = simulate({
		store,
		clock,
		concurrency: run.concurrency,
		service: { grown: run.grown },
		steps: run.steps,
		apply: caseChanger(store, clock),
		beforeAnswer: (index) => {
			witness.look();
			if (index === 0) version.atStart = store.version;
			version.atEnd = store.version;
		},
	});
	const filters = parseFilters(run.filter.collection, 'UTC');
	const result = await readCases(
		client,
		{ ...filters, order: run.order },
		{ pageSize: run.pageSize, shape: ({ case_id }) => ({ case_id }) },
	).catch((failure: unknown) => failedFor(failure, version.atStart !== version.atEnd));
	return {
		result,
		requests: answered.length,
		always: witness.always(),
		changed: version.atStart !== version.atEnd,
	};
}

const caseIdOf = ({ case_id }: Row) => Number(case_id);

describe('reading all cases', () => {
	it(
		'is complete or reports drift, whatever changes between two requests',
		async () => {
			await fc.assert(
				fc.asyncProperty(
					caseRun(someCaseChanges.chain(stepsOf), WITHOUT_OTHER_CASES),
					async (run) => {
						const { result, always, changed } = await readWhile(run);
						expectComplete(result, caseIdOf, always);
						expect(result.observed.reads).toBeLessThanOrEqual(4);
						tallyRun('cases', changed, result);
					},
				),
				{ numRuns: RUNS, ...LIMITS },
			);
		},
		LIMIT_MS + 30_000,
	);

	it(
		'takes at most two requests more than there are pages when nothing changes, none more for one page that is not full',
		async () => {
			const quiet = stepsOf(fc.constant<never>(undefined as never)).map((steps) =>
				steps.map((step) => ({ ...step, changes: [] })),
			);
			await fc.assert(
				fc.asyncProperty(caseRun(quiet, WITHOUT_OTHER_CASES), async (run) => {
					const { result, requests, always } = await readWhile(run);
					expect(result.rows.map(caseIdOf).sort((a, b) => a - b)).toEqual(
						always.sort((a, b) => a - b),
					);
					expect(result.observed).toEqual({
						isTruncated: false,
						reads: 1,
					});
					// Each of two priorities is a list of its own, and one of three batches of IDs may be empty.
					const lists = Array.isArray(run.filter.collection.priority) ? 2 : 1;
					const pages = Math.max(1, Math.ceil(always.length / run.pageSize));
					const isListOfIds = 'case_ids' in run.filter.collection;
					const isByCreation =
						run.order.startsWith('CREATED') && Object.keys(run.filter.collection).length === 0;
					const most = pages + lists * (isByCreation ? 2 : 3);
					const batches = Math.ceil(30 / run.pageSize);
					// A case can move between two priorities, so each batch of IDs is followed by a look for edits.
					const mostOfIds = lists === 1 ? batches : 2 * lists * batches;
					expect(requests).toBeLessThanOrEqual(isListOfIds ? mostOfIds : most + lists);
					count('quiet runs');
				}),
				{ numRuns: Math.ceil(RUNS / 4), ...LIMITS },
			);
		},
		LIMIT_MS + 30_000,
	);
});

type CommentChange = { kind: 'add' } | { kind: 'remove'; target: number };

const commentChange: fc.Arbitrary<CommentChange> = fc.oneof(
	fc.constant<CommentChange>({ kind: 'add' }),
	fc.record({ kind: fc.constant('remove' as const), target: fc.nat(80) }),
);

/** A store that can delete comments of case 1, which the sandbox can't. */
class ForgetfulStore extends CaseStore {
	readonly removed = new Set<number>();

	override comments(caseId: number) {
		return super.comments(caseId).filter(({ id }) => !this.removed.has(id));
	}
}

describe('reading all comments', () => {
	it(
		'is complete or reports drift, whatever is added or deleted between two requests',
		async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.record({
						comments: fc.nat(60),
						pageSize,
						concurrency,
						order: fc.constantFrom('oldest' as const, 'newest' as const),
						steps: stepsOf(commentChange),
					}),
					async ({ comments, order, steps, ...run }) => {
						const clock: Clock = { now: START };
						const store = new ForgetfulStore({ now: () => new Date(clock.now) });
						store.createCase();
						for (let index = 0; index < comments; index++) {
							store.addComment(1, `Comment ${index}`, { created_at: START - 60_000 });
						}
						const witness = createWitness(() => store.comments(1).map(({ id }) => id));
						let changes = 0;
						const { client } = simulate({
							store,
							clock,
							concurrency: run.concurrency,
							service: { commentsOrder: order },
							steps,
							apply: (change: CommentChange) => {
								changes++;
								if (change.kind === 'add') {
									store.addComment(1, 'New');
									return;
								}
								const present = store.comments(1);
								if (present.length > 0) {
									store.removed.add(present[change.target % present.length].id);
								}
							},
							beforeAnswer: (index) => {
								witness.look();
								if (index === 0) changes = 0;
							},
						});
						const result = await readListOfCase(client, '1', 'comments', {
							pageSize: run.pageSize,
						}).catch((failure: unknown) => failedFor(failure, changes > 0));
						expectComplete(result, ({ id }) => Number(id), witness.always());
						tallyRun('comments', changes > 0, result);
					},
				),
				{ numRuns: RUNS, ...LIMITS },
			);
		},
		LIMIT_MS + 30_000,
	);
});
