import type { Deviations, FaultRule } from '../../../sandbox';
import type { Operation, Options } from './operations';
import { SERVICES, type ServiceKind } from './scene';

/**
 * How an operation may end. `right`: right data and no hint. `rightOr`: right data, or an error with this message: an
 * answer may promise what the list doesn't have, or may only mean that the list has ended. `without one`: right data but
 * for the list of one case among others, which is said. Otherwise an error with this message.
 */
export type Ending = 'right' | 'without one' | { rightOr: RegExp } | RegExp;

type Lasting = 'once' | 'always';

/**
 * `always` is left out where once is enough to end the operation, or where it would take minutes. `ofOneCase` is given
 * where it is another ending that once hits the list of one case among others.
 */
type Ends = { once: Ending; always?: Ending; ofOneCase?: Ending };

/** Where and when a fault happens. `now` is the service's clock. */
interface Place {
	list: string;
	elsewhere: string;
	here: string;
	now: Date;
}

/** Something that goes wrong with a request, and how operations end when it happens once or lasts. */
export interface FaultRow {
	name: string;
	/** What the service does; left out for a connection that is refused. */
	fault?: (place: Place) => FaultRule['fault'];
	read?: Ends;
	/** Of the batch update, and of other writes unless `single` is given. */
	write?: Ends;
	/** Of a PUT of one case. */
	single?: Ends;
	/** Options of the node under which it is tried. */
	options?: Partial<Options>;
	/** Whether it takes so much of the machine that others would time out beside several of it. */
	isHeavy?: boolean;
}

/** What an answer promised did not come. */
const NOT_ALL = /^The service says that there are (at least )?\d+ \w+, but it returned \d+$/;
const RATE_LIMIT = /^Rate limit reached \(429\)$/;
const FAILED = /^The service had an error \((408|425|50\d)\)$/;
const REFUSED = /^Could not connect to 127\.0\.0\.1:\d+$/;
const LOST = /^Connection to 127\.0\.0\.1:\d+ lost$/;
const INCOMPLETE = /^The service's answer is empty, incomplete or nested too deeply$/;
const WEB_PAGE = /^The service answered with a web page instead of data$/;
const NO_LIST =
	/^The answer of the service has no list "(cases|comments|activities|actions|files|records|tasks)"$/;
const PROXY_LOGIN = /^The proxy .* wants a login \(407\)$/;
const REJECTED = /^The service rejected the values \(422\)$/;
const TOO_LARGE = /^The service's answer has more than 64 MB$/;
const TOO_SLOW = /^127\.0\.0\.1:\d+ did not answer in time$/;
const REDIRECT = /^The service redirects to another address \(30\d\)$/;

const NOT_CONFIRMED = /^The service confirmed the write, but did not answer with the \w+$/;

type Status = Extract<FaultRule['fault'], { kind: 'status' }>;

/** Right once the fault is over; an error with this message where it lasts. */
const until = (always: RegExp): Ends => ({ once: 'right', always });
/** `always` takes minutes. */
const OVER: Ends = { once: 'right' };

/** The same ending of reads and writes. */
const both = (name: string, fault: FaultRow['fault'], ends: Ends): FaultRow => ({
	...{ name, fault, read: ends, write: ends },
});

/** An answer with a status: a write may have been carried out all the same, if the answer neither refuses it nor puts it off. */
function status(name: string, answer: Omit<Status, 'kind'>, ends: Ends): FaultRow[] {
	const isUnsent = answer.status === 429 || answer.retryAfter !== undefined;
	const isRefused = answer.status < 500 && ![408, 425].includes(answer.status);
	const failed = both(name, () => ({ kind: 'status', ...answer, applied: false }), ends);
	if (isUnsent || isRefused) return [failed];
	const done: FaultRow['fault'] = () => ({ kind: 'status', ...answer, applied: true });
	return [failed, { name: `${name}, though it was carried out`, fault: done, write: ends }];
}

/** A refusal of the values, with this body. */
function rejected(name: string, body: Status['body']): FaultRow[] {
	const answer = { status: 422, body };
	return status(`422, ${name}`, answer, { once: REJECTED }).map((row) => ({
		...row,
		read: { once: { rightOr: REJECTED }, ofOneCase: 'without one' },
	}));
}

/** A body that the API document doesn't show, for reads and writes. */
function shape(name: string, body: (list: string) => unknown): FaultRow {
	return {
		name: `wrong shape: ${name}`,
		fault: ({ list }) => ({
			kind: 'raw',
			status: 200,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body(list)),
			applied: true,
		}),
		read: { once: NO_LIST, ofOneCase: 'without one' },
		write: { once: 'right' },
		single: { once: NOT_CONFIRMED },
	};
}

/** A list that says something else of its pages, or cuts them otherwise. */
function lie(name: string, list: Deviations['list'], read: Ends): FaultRow {
	return { name, fault: () => ({ kind: 'deviate', deviations: { list } }), read };
}

/** Two retries: runs at the same time can slow down an answer until it times out as well. */
const slow = (name: string, fault: FaultRule['fault']): FaultRow => ({
	...both(name, () => fault, until(TOO_SLOW)),
	options: { timeout: 2000, maxRetries: 2 },
});

const RIGHT = { once: 'right', always: 'right' } as const;
const RIGHT_OR_INCOMPLETE = { once: { rightOr: NOT_ALL }, always: { rightOr: NOT_ALL } } as const;

export const FAULTS: FaultRow[] = [
	// A rate limit that lasts takes minutes; the tests of api/sender.ts try it on a clock of their own.
	...status('429, Retry-After in seconds', { status: 429, retryAfter: 1 }, OVER),
	both(
		'429, Retry-After as a date',
		({ now }) => {
			const retryAfter = new Date(now.getTime() + 1000).toUTCString();
			return { kind: 'status', status: 429, retryAfter };
		},
		OVER,
	),
	...status('429, no Retry-After', { status: 429 }, OVER),
	...status('429, absurd Retry-After', { status: 429, retryAfter: 1e9 }, { once: RATE_LIMIT }),
	...status('429, Retry-After of 0', { status: 429, retryAfter: 0 }, OVER),
	...status('304', { status: 304 }, { once: REDIRECT }),
	...status('407', { status: 407 }, { once: PROXY_LOGIN }),
	...status('408', { status: 408 }, until(FAILED)),
	...status('425', { status: 425 }, until(FAILED)),
	...rejected('errors by field', { errors: { label: ['is too long'] } }),
	...rejected('a very deep body', '['.repeat(100_000) + ']'.repeat(100_000)),
	...status('500', { status: 500 }, until(FAILED)),
	...status('502', { status: 502, body: '<html>Bad Gateway</html>' }, until(FAILED)),
	...status('503', { status: 503 }, until(FAILED)),
	...status('503, Retry-After in seconds', { status: 503, retryAfter: 1 }, OVER),
	...status('504', { status: 504 }, until(FAILED)),
	both('connection refused', undefined, until(REFUSED)),
	both('reset before the body', () => ({ kind: 'drop' }), until(LOST)),
	{
		name: 'reset before the body, though it was carried out',
		fault: () => ({ kind: 'drop', applied: true }),
		write: until(LOST),
	},
	both('reset in the body', () => ({ kind: 'reset' }), until(LOST)),
	both('truncated JSON', () => ({ kind: 'truncatedJson' }), until(INCOMPLETE)),
	{
		name: 'HTML with 200',
		fault: () => ({ kind: 'html' }),
		read: { once: WEB_PAGE, ofOneCase: 'without one' },
		// The case is read back, which the fault hits where it lasts.
		write: { once: 'right' },
		single: { once: WEB_PAGE },
	},
	{
		name: 'empty 200',
		fault: () => ({ kind: 'empty' }),
		read: { once: 'right', always: INCOMPLETE },
		// The write is done, and the case is read back, which the fault hits where it lasts.
		write: { once: 'right' },
		single: { once: NOT_CONFIRMED },
	},
	shape('null', () => null),
	shape('a text', () => 'cases'),
	shape('a list', () => []),
	shape('no list inside', () => ({ meta: { pages: 1, per_page: 10 } })),
	shape('an object instead of the list', (list) => ({ [list]: {} })),
	{
		...shape('rows that are not objects', (list) => ({ [list]: [1, 'two', null] })),
		write: undefined,
		single: undefined,
	},
	lie('meta missing', { noMeta: true }, RIGHT),
	// test/api/brokenPaging.property.test.ts has many more.
	lie('meta with pages too small', { meta: { pages: 1 } }, RIGHT_OR_INCOMPLETE),
	lie('meta with pages too large', { meta: { pages: 99 } }, RIGHT_OR_INCOMPLETE),
	lie('meta without next_page', { meta: { next_page: null } }, RIGHT_OR_INCOMPLETE),
	lie('page size clamped', { largestPage: 4 }, RIGHT),
	slow('answer slower than the timeout', { kind: 'latency', ms: 60_000 }),
	slow('answer that drips without end', { kind: 'endless', bytes: 1, everyMs: 50 }),
	{
		name: 'answer that is too large',
		isHeavy: true,
		fault: () => ({ kind: 'endless', bytes: 4_000_000, everyMs: 0 }),
		read: { once: TOO_LARGE, ofOneCase: 'without one' },
		write: { once: TOO_LARGE },
	},
	both(
		'redirect to the same origin',
		({ here }) => ({ kind: 'redirect', status: 302, to: `${here}/api/v2/cases` }),
		{ once: REDIRECT },
	),
	both(
		'redirect to another origin',
		({ elsewhere }) => ({ kind: 'redirect', status: 307, to: `${elsewhere}/api/v2/cases` }),
		{ once: REDIRECT },
	),
];

/** A fault at one place of an operation. */
export interface Cell {
	row: FaultRow;
	operation: Operation;
	place: string;
	/** Which request of the operation it hits first. */
	request: number;
	/** Most requests in flight. One at a time come in a fixed order, so a number stands for a purpose. */
	concurrency: number;
	lasting: Lasting;
	ending: Ending;
	service: ServiceKind;
}

type Spot = Pick<Cell, 'place' | 'request' | 'concurrency'>;

const SEVERAL = 8;

/** The places of an operation: its named requests, sent one at a time, and one request among several in flight. */
function spotsOf({ places, oneOfSeveral }: Operation): Spot[] {
	return [
		...Object.entries(places).map(([place, request]) => ({ place, request, concurrency: 1 })),
		{ place: `one of ${SEVERAL} requests`, request: oneOfSeveral, concurrency: SEVERAL },
	];
}

/** A deletion is answered without a body, and what it deleted is not found the next time: then it is gone. */
function endsOfDeletion({ once, always }: Ends): Ends {
	return { once, always: always instanceof RegExp ? { rightOr: always } : always };
}

/** How a fault ends an operation at one of its requests; undefined where it isn't tried. */
function endsOf(row: FaultRow, { kind, reads, sends, unseen }: Operation, request: number) {
	if (unseen?.includes(row.name)) return undefined;
	if (kind === 'read' || reads?.includes(request) === true) return row.read;
	if (sends === undefined) return row.write;
	const ends = row.single ?? row.write;
	if (sends === 'PUT' || ends === undefined) return ends;
	return ends.once === NOT_CONFIRMED ? undefined : endsOfDeletion(ends);
}

/** All faults at all places of all operations, each once and lasting, on both services. */
export function cellsOf(operations: Operation[]): Cell[] {
	return FAULTS.flatMap((row) =>
		operations.flatMap((operation) =>
			spotsOf(operation).flatMap((spot) =>
				(['once', 'always'] as const).flatMap((lasting): Cell[] => {
					const ends: Ends | undefined = endsOf(row, operation, spot.request);
					const isOfOneCase = operation.ofOneCase?.requests.includes(spot.request) === true;
					const ending =
						(lasting === 'once' && isOfOneCase ? ends?.ofOneCase : undefined) ?? ends?.[lasting];
					if (ending === undefined) return [];
					return SERVICES.map((service) => ({ row, operation, ...spot, lasting, ending, service }));
				}),
			),
		),
	);
}

/** What a cell tries, besides the combination. */
function aspectsOf({ row, operation, lasting, service, place }: Cell): string[] {
	return [
		`${row.name}: ${operation.kind}`,
		`${row.name}: ${lasting}`,
		`${operation.name}: ${lasting}`,
		`${operation.name}: ${service}`,
		`${operation.name}: ${place}`,
	];
}

/** The fewest cells in which all aspects come up that are in the table, as far as one choice after another finds them. */
export function sampleOf(table: Cell[]): Cell[] {
	const left = table.map((cell) => ({ cell, missing: new Set(aspectsOf(cell)) }));
	const sample: Cell[] = [];
	for (;;) {
		const best = left.reduce((one, other) => (other.missing.size > one.missing.size ? other : one));
		if (best.missing.size === 0) return sample;
		sample.push(best.cell);
		for (const aspect of [...best.missing]) for (const { missing } of left) missing.delete(aspect);
	}
}
