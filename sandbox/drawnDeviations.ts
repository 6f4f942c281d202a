import fc from 'fast-check';
import type { Deviations } from './deviations';

export type DeviationGroup = keyof Deviations;

export interface DrawOptions {
	/** From which groups deviations are drawn. Default: all. */
	groups?: readonly DeviationGroup[];
	/** How many deviations of a group there are at most. Default 2. */
	perGroup?: number;
	/** Around this moment clocks step back or are frozen, in epoch milliseconds. Default: 2026-01-31, noon. */
	start?: number;
}

const SECONDS = fc.constantFrom(1, 2, 5, 30, 90);
const OFFSET = fc.constantFrom(-3600, -60, -5, 1, 5, 60, 3600);
const SHARE = fc.constantFrom(0.02, 0.2, 0.5, 1);
const PAGES = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 2 });
const STRANGE_VALUE = fc.constantFrom<unknown>(null, '', 0, 7, 'x', [], {}, true, 'not a date');

/** Services that nobody wrote by hand: each differs from the document in a few ways. Most have none in most groups. */
export function deviations({
	groups = ['list', 'filters', 'clock', 'rows', 'actions'],
	perGroup = 2,
	start = Date.parse('2026-01-31T12:00:00Z'),
}: DrawOptions = {}): fc.Arbitrary<Deviations> {
	const byGroup = allDeviations(start);
	return some(
		Object.fromEntries(
			groups.map((group) => [group, some(byGroup[group], { atLeast: 1, atMost: perGroup })]),
		),
		{ atLeast: 0, atMost: groups.length },
	);
}

/** A few of the members, each with a drawn value. It shrinks to fewer members. */
function some(
	members: Record<string, fc.Arbitrary<unknown>>,
	{ atLeast, atMost }: { atLeast: number; atMost: number },
): fc.Arbitrary<Record<string, unknown>> {
	const names = Object.keys(members);
	const maxLength = Math.min(atMost, names.length);
	return fc
		.tuple(fc.subarray(names, { minLength: atLeast, maxLength }), fc.record(members))
		.map(([chosen, values]) => Object.fromEntries(chosen.map((name) => [name, values[name]])));
}

/** How each deviation is drawn. */
function allDeviations(
	start: number,
): Record<DeviationGroup, Record<string, fc.Arbitrary<unknown>>> {
	const moment = fc.integer({ min: -60, max: 300 }).map((after) => timestamp(start + after * 1000));
	const yes = fc.constant(true);
	const someCases = { share: SHARE };
	const late = fc.record({ seconds: SECONDS, ...someCases });
	return {
		list: {
			pageSize: fc.constantFrom(1, 7, 10, 20, 60),
			largestPage: fc.constantFrom(1, 7, 10, 20),
			perPageLies: yes,
			pagesOff: fc.constantFrom(-100, -2, -1, 1, 3, 1_000_000),
			count: fc.constantFrom('page', 'total', 0, 1, 1000),
			nextPage: fc.constantFrom('always', 'never'),
			meta: fc.dictionary(
				fc.constantFrom('pages', 'per_page', 'count', 'next_page', 'current_page'),
				STRANGE_VALUE,
				{ minKeys: 1, maxKeys: 2 },
			),
			metaWithout: fc.subarray(['pages', 'per_page', 'count', 'next_page'], { minLength: 1 }),
			noMeta: yes,
			emptyPages: PAGES,
			emptyLastPage: yes,
			notFoundBehindLast: yes,
			repeatedPages: fc.oneof(PAGES, fc.constant('all')),
			overlap: fc.constantFrom(1, 3),
			strangeRows: fc.array(fc.constantFrom<unknown>(null, 7, 'x', [], {}), {
				minLength: 1,
				maxLength: 2,
			}),
			tiesMove: yes,
			orderIgnored: yes,
		},
		filters: {
			ignored: fc.subarray(
				[
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
					'updated_at_end_date',
				],
				{ minLength: 1, maxLength: 3 },
			),
			unknownIgnored: yes,
			startExclusive: yes,
			byDay: yes,
			indexLag: SECONDS,
		},
		clock: {
			noDate: yes,
			noDateEvery: fc.constantFrom(2, 3),
			dateOffset: OFFSET,
			dateFrozenAt: moment,
			dataOffset: OFFSET,
			stepBack: fc.record({ at: moment, seconds: SECONDS }),
			format: fc.constantFrom('noZone', 'offset', 'milliseconds'),
			future: fc.record({
				seconds: fc.constantFrom(30, 3600, 5 * 365 * 24 * 3600),
				...someCases,
			}),
			createdAhead: fc.record({ seconds: SECONDS, ...someCases }),
		},
		rows: {
			fields: fc.array(patch(), { minLength: 1, maxLength: 2 }),
			volatile: fc.subarray(['urls', 'sla', 'tagOrder', 'actionOrder', 'keyOrder'], {
				minLength: 1,
			}),
			lateEdits: late,
			lateComments: late,
			commentIdsPerCase: yes,
			failing: fc
				.record({
					list: fc.constantFrom('comments', 'activities', 'records'),
					status: fc.constantFrom(404, 500),
					share: fc.constantFrom(0.02, 0.2),
				})
				.map((one) => [one]),
		},
		actions: {
			inRows: fc.constantFrom('ids', 'texts', 'full'),
			noSingles: fc.constantFrom(404, 405),
			batchAnswer: fc.constantFrom('reversed', 'noContent', 'html', 'empty', 'noList'),
		},
	};
}

/** A field of some rows that is missing or has a value of another kind. */
function patch() {
	return fc
		.record({
			at: fc.constantFrom(
				{ path: 'case_id' },
				{ path: 'actions' },
				{ path: 'actions.*.url' },
				{ path: 'actions.*.label' },
				{ path: 'tags' },
				{ path: 'tags.*.name' },
				{ path: 'assignees' },
				{ path: 'status' },
				{ path: 'created_at' },
				{ path: 'updated_at' },
				{ path: 'resolved_at' },
				{ path: 'activities' },
				{ path: 'records' },
				{ list: 'comments', path: 'created_at' },
				{ list: 'comments', path: 'id' },
				{ list: 'comments', path: 'user' },
			),
			value: fc.option(STRANGE_VALUE, { nil: undefined }),
			isMissing: fc.boolean(),
			share: SHARE,
		})
		.map(({ at, value, isMissing, share }) => ({
			...at,
			share,
			...(isMissing ? {} : { value: value ?? null }),
		}));
}

function timestamp(ms: number): string {
	return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
