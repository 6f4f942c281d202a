import { z } from 'zod';

/** Which cases a deviation hits. Without either: all of them. */
const hit = {
	/** These cases only. */
	cases: z.array(z.number().int()).optional(),
	/** From 0 to 1: about this share of the cases, always the same ones. */
	share: z.number().min(0).max(1).optional(),
};
const seconds = z.number();

/** What lists answer for a page, and what they say about it. Counts for every list. */
const list = z.strictObject({
	/** The size of the pages, whatever is requested. */
	pageSize: z.number().int().positive().optional(),
	/** Larger pages than this are truncated to it. */
	largestPage: z.number().int().positive().optional(),
	/** Added to `meta.pages`, which stays 0 or more. */
	pagesOff: z.number().int().optional(),
	/** `meta.count`: the rows on the page (default), all rows of the list, or this number. */
	count: z.union([z.literal('page'), z.literal('total'), z.number()]).optional(),
	/** `meta.next_page` on each page: always a URL, or always null. */
	nextPage: z.enum(['always', 'never']).optional(),
	/** Members of `meta` with any value. */
	meta: z.record(z.string(), z.unknown()).optional(),
	/** Members that `meta` doesn't have. */
	metaWithout: z.array(z.string()).optional(),
	/** No `meta` at all. */
	noMeta: z.boolean().optional(),
	/** Pages without a row; what was on them comes on the page after. */
	emptyPages: z.array(z.number().int().positive()).optional(),
	/** One page more than needed, without a row. */
	emptyLastPage: z.boolean().optional(),
	/** 404 behind the last page, in place of an empty one. */
	notFoundBehindLast: z.boolean().optional(),
	/** Pages that have the rows of page 1; what belongs on them is on no page. */
	repeatedPages: z.union([z.array(z.number().int().positive()), z.literal('all')]).optional(),
	/** This many rows from the end of a page come again on the next one. */
	overlap: z.number().int().positive().optional(),
	/** Cases with equal times are in another order with each request. */
	tiesMove: z.boolean().optional(),
	/** The order isn't heeded: recently edited cases come first. */
	orderIgnored: z.boolean().optional(),
});

/** How filters are understood. */
const filters = z.strictObject({
	/** Filters that are read and not heeded. */
	ignored: z.array(z.string()).optional(),
	/** Filters and parameters that the service doesn't know are ignored, not refused. */
	unknownIgnored: z.boolean().optional(),
	/** A range begins after its start, not at it. */
	startExclusive: z.boolean().optional(),
	/** Ranges compare days (UTC), not times. */
	byDay: z.boolean().optional(),
});

/** The clocks of the service: of its Date header, and of its rows. Offsets are in seconds; a positive one is ahead. */
const clock = z.strictObject({
	/** No Date header. */
	noDate: z.boolean().optional(),
	dateOffset: seconds.optional(),
	/** The Date header always says this moment. */
	dateFrozenAt: z.string().optional(),
	/** All times in rows, against the service's clock; filters compare with them. */
	dataOffset: seconds.optional(),
	/** How times in rows are written. */
	format: z.enum(['noZone', 'offset', 'milliseconds', 'date']).optional(),
	/** `updated_at` of some cases is this many seconds ahead, or this moment. */
	future: z
		.strictObject({ seconds: seconds.optional(), at: z.string().optional(), ...hit })
		.optional(),
});

const listName = z.enum(['cases', 'comments', 'activities', 'records', 'actions']);

const patch = z.strictObject({
	/** Default cases. */
	list: listName.optional(),
	/** The field, with `.` between levels and `*` for each element: `actions`, `tags.*.name`. */
	path: z.string().min(1),
	/** The value in place of the field; without it the field is missing. */
	value: z.unknown().optional(),
	...hit,
});

/** What rows look like, and when they show. */
const rows = z.strictObject({
	/** Fields that are missing or have another value. */
	fields: z.array(patch).optional(),
	/**
	 * What differs with each answer: signed URLs, the running number `sla`, the order of tags, of actions, of keys.
	 */
	volatile: z.array(z.enum(['urls', 'sla', 'tagOrder', 'actionOrder', 'keyOrder'])).optional(),
	/** How many seconds after its timestamp an edit becomes visible; until then the case is as before. */
	lateEdits: z.strictObject({ seconds, ...hit }).optional(),
	/** How many seconds after their timestamp comments and activities become visible. */
	lateComments: z.strictObject({ seconds, ...hit }).optional(),
	/** Comments and activities are numbered from 1 in each case. */
	commentIdsPerCase: z.boolean().optional(),
	/** Lists of some cases that answer with an error. */
	failing: z.array(z.strictObject({ list: listName, status: z.number().int(), ...hit })).optional(),
});

/** The actions of cases, and the answer to a batch update. */
const actions = z.strictObject({
	/** What a row of a list says about an action: its ID alone, its text too, or all that is known. */
	inRows: z.enum(['ids', 'texts', 'full']).optional(),
	/** The answer to a batch update, which is carried out all the same. */
	batchAnswer: z.enum(['reversed', 'noContent', 'html', 'empty', 'noList']).optional(),
	/** The service has no requests for single actions, and answers so. */
	noSingles: z.union([z.literal(404), z.literal(405)]).optional(),
});

/** Everything by which a service may differ from the strict sandbox; it can be sent as JSON. */
export const deviationsSchema = z.strictObject({
	list: list.optional(),
	filters: filters.optional(),
	clock: clock.optional(),
	rows: rows.optional(),
	actions: actions.optional(),
});

export type Deviations = z.infer<typeof deviationsSchema>;
export type ListDeviations = z.infer<typeof list>;
export type FilterDeviations = z.infer<typeof filters>;
export type ClockDeviations = z.infer<typeof clock>;
export type RowDeviations = z.infer<typeof rows>;
export type ActionDeviations = z.infer<typeof actions>;
export type ListName = z.infer<typeof listName>;

/** The deviations of one service, which tests set at any time. */
export class Deviating {
	current: Readonly<Deviations> = {};
	private set: Deviations = {};
	/** How many answers were drawn: what is another with each request depends on it. */
	private turns = 0;

	/**
	 * @param base deviations that never end, as a service has grown
	 * @param deviations those at the start
	 */
	constructor(
		private readonly base: readonly Deviations[] = [],
		deviations?: Deviations,
	) {
		this.deviate(deviations);
	}

	/**
	 * Sets the given groups, each as a whole; the others stay. Without deviations all of them end.
	 *
	 * @throws ZodError if a name or value is unknown
	 */
	deviate(deviations?: Deviations): void {
		this.set = deviations ? { ...this.set, ...deviationsSchema.parse(deviations) } : {};
		this.current = merged([...this.base, this.set]);
	}

	/** A number that no request had before. */
	turn(): number {
		return ++this.turns;
	}
}

/** All members of all groups; of those with one name the last one counts. */
function merged(all: readonly Deviations[]): Deviations {
	const result: Record<string, object> = {};
	for (const deviations of all) {
		for (const [group, members] of Object.entries(deviations)) {
			result[group] = { ...result[group], ...members };
		}
	}
	return result;
}
