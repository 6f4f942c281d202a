import fc from 'fast-check';
import type { EventName } from '../../nodes/Cases/trigger/events';
import type { Deviations } from '../../sandbox';
import type { Step } from '../api/simulation';

/** How long after their time edits become visible at most, in ms. */
const LAG = 110_000;

export type { EventName };

const yes = fc.constant(true);

const often = <T>(usual: T, weight: number, other: fc.Arbitrary<T>) =>
	fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const timePasses = fc.oneof(fc.constant(0), fc.nat(900), fc.nat(4000), fc.nat(90_000));
const pageSize = fc.oneof(
	fc.integer({ min: 51, max: 500 }),
	fc.integer({ min: 1, max: 4 }),
	fc.integer({ min: 1, max: 12 }),
	fc.integer({ min: 1, max: 50 }),
);

/** Changes of some kinds only, with or without late ones: that finds rare coincidences sooner. */
const changes = fc
	.record({
		kinds: fc.subarray(
			['create', 'createClosed', 'edit', 'edit', 'close', 'reopen', 'comment', 'comment'] as const,
			{
				minLength: 1,
			},
		),
		lag: fc.constantFrom(fc.constant(0), fc.oneof(fc.constant(0), fc.nat(LAG))),
	})
	.map(({ kinds, lag }) =>
		fc.record({
			kind: fc.constantFrom(...kinds),
			/** Chooses the case: low numbers are those that changed last. */
			target: fc.oneof(fc.nat(2), fc.nat(60)),
			/** Whether the case is of the priority that a filtering trigger looks for. */
			isUrgent: fc.boolean(),
			/** How long before it becomes visible it is dated, in ms. */
			lagMs: lag,
			/** Whether a service account creates or comments. */
			isBot: often(false, 2, yes),
			/** How far `resolved_at` of a closing is set back, in ms: up to what is still a closing, or further. */
			backMs: often(0, 2, fc.oneof(fc.nat(300_000), fc.constant(86_400_000))),
		}),
	);

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Something that happens to a case. */
export type Change = Drawn<Drawn<typeof changes>>;

const EVENTS = [
	'caseCreated',
	'caseUpdated',
	'caseClosed',
	'commentAdded',
	'activityAdded',
] as const;

/** In the order that the node gives them: a case that no longer matches may match again within the same poll. */
const MATCH_EVENTS = ['caseUnmatched', 'caseMatched'] as const;

/** The chosen events: with those of matches half the time, and these alone sometimes. */
const events: fc.Arbitrary<EventName[]> = fc
	.tuple(
		often<EventName[]>([...EVENTS], 2, fc.subarray([...EVENTS], { minLength: 1 })),
		fc.constantFrom('without matches', 'without matches', 'with matches', 'matches alone'),
	)
	.map(([others, which]) => {
		if (which === 'without matches') return others;
		return which === 'matches alone' ? [...MATCH_EVENTS] : [...others, ...MATCH_EVENTS];
	});

/** One poll and what comes before it. */
const tick = (change: fc.Arbitrary<Change>) =>
	fc.record({
		/** Changes before the poll, each after a time in ms. */
		before: fc.oneof(
			fc.array(fc.record({ advanceMs: timePasses, change }), { maxLength: 3 }),
			fc.array(fc.record({ advanceMs: timePasses, change }), { maxLength: 20, size: 'max' }),
		),
		advanceMs: timePasses,
		/** n8n starts again before the poll: the trigger continues from the state that was kept. */
		isRestart: often(false, 4, fc.constant(true)),
		/** n8n dies after it started the workflow and before it saved the state: what this poll reports may come again. */
		isKilled: often(false, 6, fc.constant(true)),
		/** The request, counted from 0, that fails: without an answer or, with a status, for all cases. */
		failAt: often<number | undefined>(undefined, 4, fc.nat(12)),
		failStatus: fc.constantFrom(undefined, 429, 500),
		maxCases: often(Infinity, 2, fc.integer({ min: 1, max: 4 })),
		/** The workflow is published before the poll: unchanged, or with other filters or IDs, another tenant, other events. */
		publish: often<'unchanged' | 'filters' | 'tenant' | 'events' | undefined>(
			undefined,
			6,
			fc.constantFrom('unchanged', 'filters', 'tenant', 'events'),
		),
		/** The other events. */
		events,
		/** How often the poll may ask whether its time is up until it is. */
		looksUntilTimeUp: often(Infinity, 3, fc.nat(2)),
	});

export type Tick = Drawn<ReturnType<typeof tick>>;

/** What happens before a request. */
const step = (change: fc.Arbitrary<Change>): fc.Arbitrary<Step<Change>> =>
	fc.record({
		advanceMs: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(3000)),
		changes: fc.oneof(
			{ weight: 3, arbitrary: fc.constant<Change[]>([]) },
			{ weight: 2, arbitrary: fc.array(change, { minLength: 1, maxLength: 2 }) },
			{ weight: 1, arbitrary: fc.array(change, { minLength: 1, maxLength: 6 }) },
		),
		pick: fc.nat(15),
		answerMs: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(3000)),
	});

const someCases = fc.constantFrom(0.2, 1);
const late = fc.record({ seconds: fc.constantFrom(1, 5, 30, 100), share: someCases });

/** One member of a group of deviations, or none. */
const one = (members: Record<string, fc.Arbitrary<unknown>>) =>
	fc.option(
		fc.oneof(
			...Object.entries(members).map(([name, value]) => value.map((drawn) => ({ [name]: drawn }))),
		),
		{ nil: undefined },
	);

/**
 * Services that the trigger promises to follow without a loss: their clocks are off, they truncate pages, compare days,
 * show edits and comments late, leave out fields.
 */
const deviations: fc.Arbitrary<Deviations> = fc
	.record({
		list: one({
			largestPage: fc.constantFrom(1, 7, 20),
			notFoundBehindLast: yes,
		}),
		filters: one({ byDay: yes }),
		clock: one({
			noDate: yes,
			dateOffset: fc.constantFrom(-3600, -30, -5, 5, 30, 3600),
			format: fc.constantFrom('offset', 'milliseconds'),
		}),
		rows: one({
			lateEdits: late,
			lateComments: late,
			failing: fc
				.tuple(
					fc.constantFrom(302, 403, 404, 408, 425, 429, 500, 502, 503, 504),
					fc.constantFrom('comments' as const, 'activities' as const),
					fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(undefined)),
				)
				.map(([status, list, one]) => [
					{ status, list, ...(one === undefined ? { share: 0.2 } : { cases: [one] }) },
				]),
			fields: fc.constantFrom(
				[{ path: 'created_at', value: null, share: 0.2 }],
				[{ path: 'resolved_at', value: '', share: 0.2 }],
				[{ path: 'updated_at', share: 0.2 }],
			),
		}),
	})
	.map((groups) =>
		Object.fromEntries(Object.entries(groups).filter(([, group]) => group !== undefined)),
	);

/** Schedules of up to a dozen polls: everything that a run of the simulation depends on. */
export const schedules = changes
	.chain((change) =>
		fc.record({
			/** Ages of the cases that are there at the start, in ms. */
			ages: fc.array(fc.oneof(fc.nat(3000), fc.nat(60_000)), { maxLength: 30, size: 'max' }),
			pageSize,
			concurrency: fc.integer({ min: 1, max: 8 }),
			precision: fc.constantFrom('seconds', 'milliseconds'),
			commentsOrder: fc.constantFrom('oldest', 'newest'),
			commentsTouchCase: fc.boolean(),
			/** Activities that a case carries itself. */
			detailsPerPage: fc.constantFrom(1, 3, 1000),
			/** What the trigger watches. */
			scope: fc.constantFrom('all', 'all', 'urgent', 'watched'),
			/** Cases are given by more IDs than a URL can hold. */
			areManyGiven: fc.boolean(),
			events,
			/** Whether the trigger ignores service accounts. */
			isIgnoring: fc.boolean(),
			/** Whether n8n keeps the state of polls with durable cursors, or with timers in memory. */
			isDurable: fc.boolean(),
			/** How far n8n's clock is off, in seconds. */
			nodeOffset: often(0, 2, fc.constantFrom(-3600, -30, 30, 3600)),
			/** How the service differs from the document. */
			deviations: often<Deviations>({}, 1, deviations),
			ticks: fc.array(tick(change), { minLength: 1, maxLength: 12, size: 'max' }),
			/** What happens before each request, from the first of all polls on. */
			steps: fc.oneof(
				fc.constant<Array<Step<Change>>>([]),
				fc.array(step(change), { maxLength: 20, size: 'max' }),
				fc.array(step(change), { maxLength: 80, size: 'max' }),
			),
		}),
	)
	.map((schedule) => {
		// A page on which no case has a time of edit looks like the end of the list.
		const isUntimed = schedule.deviations.rows?.fields?.some(({ path }) => path === 'updated_at');
		if (isUntimed !== true) return schedule;
		return { ...schedule, pageSize: 500, deviations: { ...schedule.deviations, list: {} } };
	})
	.map((schedule) => {
		// What is late shows within two minutes, however many things make it late.
		const { rows = {} } = schedule.deviations;
		if (!('lateEdits' in rows || 'lateComments' in rows)) return schedule;
		const soon = <T extends { change: Change } | Change>(one: T): T =>
			'change' in one
				? { ...one, change: soon(one.change) }
				: { ...one, lagMs: Math.min(one.lagMs, 5000) };
		return {
			...schedule,
			ticks: schedule.ticks.map((tick) => ({ ...tick, before: tick.before.map(soon) })),
			steps: schedule.steps.map((step) => ({ ...step, changes: step.changes.map(soon) })),
		};
	})
	.map((schedule) => {
		// Where both clocks are ahead, nobody knows the time.
		const { noDate, dateOffset = 0 } = schedule.deviations.clock ?? {};
		const isAlone = noDate !== undefined || dateOffset > 0;
		return isAlone ? { ...schedule, nodeOffset: Math.min(0, schedule.nodeOffset) } : schedule;
	})
	.map((schedule) => {
		// Matches are watched with a filter.
		const areMatchesWatched = [schedule, ...schedule.ticks].some(({ events }) =>
			events.includes('caseMatched'),
		);
		return schedule.scope === 'all' && areMatchesWatched
			? { ...schedule, scope: 'urgent' as const }
			: schedule;
	});

export type Schedule = Drawn<typeof schedules>;
