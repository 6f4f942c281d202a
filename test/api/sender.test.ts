import type { RawAnswer } from '../../nodes/Cases/api/http/requestFailures';
import { ApiFailure, Canceled, type FailureDetails } from '../../nodes/Cases/api/failures/failure';
import type { ApiAnswer } from '../../nodes/Cases/api/http/readAnswer';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import { createGate } from '../../nodes/Cases/api/pool';
import { createSender, type Clock, type SenderParts } from '../../nodes/Cases/api/http/sender';

/** How the service answers one attempt: after `ms` with a text, or with a failure; or the error that ends the attempt. */
interface Reply {
	ms?: number;
	text?: string;
	status?: number;
	failure?: Partial<FailureDetails>;
	bug?: Error;
}

interface Setup extends Partial<SenderParts['limits']> {
	/** The replies to each request by its name, in order; afterwards, and by default, a short answer after 10 ms. */
	replies?: Record<string, Reply[]>;
	/** By the text of an answer: returns the failure with which reading it ends, or throws. */
	reading?: Record<string, () => ApiFailure>;
	random?: number;
	/** How long a turn of the event loop takes, in ms. */
	turnMs?: number;
	/** When the user cancels, in ms since the start. */
	canceledAt?: number;
}

const failureWith = (details: Partial<FailureDetails>) =>
	new ApiFailure('It failed', { description: 'Solve it.', retryable: true, ...details });

const RETRYABLE: Reply = { failure: {} };
const FINAL: Reply = { failure: { retryable: false, httpCode: 400 } };
const pauseOf = (retryAfterMs: number): Reply => ({ failure: { retryAfterMs, httpCode: 429 } });
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const answerWith = (text: string, status: number): RawAnswer => ({
	status,
	headers: {},
	text: () => text,
	elapsedMs: 0,
});

/** Lets all that can happen without time passing happen. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * A sender in a world of its own: a scripted service, and a clock that moves only when everything waits. Each sleep ends
 * in a round of its own, in the order of time.
 */
function createWorld({
	replies = {},
	reading = {},
	random = 1,
	turnMs = 0,
	canceledAt = Infinity,
	...setup
}: Setup = {}) {
	const START = Date.parse('2026-01-31T12:00:00Z');
	let elapsed = 0;
	let round = 0;
	let inFlight = 0;
	const left = Object.fromEntries(Object.entries(replies).map(([name, all]) => [name, [...all]]));
	const sleepers: Array<{ at: number; wake: () => void }> = [];
	const world = {
		/** What happened, with its time: `10 send a`, `20 read a`. */
		log: [] as string[],
		/** What an operator reads, with its level. */
		lines: [] as string[],
		/** The sleeps of the sender, in ms. */
		sleeps: [] as number[],
		/** What each answer adds to the pause, in ms. */
		pauses: [] as number[],
		mostInFlight: 0,
		now: () => elapsed,
		sent: () => world.log.filter((entry) => entry.includes(' send ')),
		/** Waits on the clock of the world. */
		pass: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: elapsed + ms, wake })),
		send: (name: string) => send({ method: 'GET', path: `/${name}` }).then(({ body }) => body),
		request: async (name: string) => await send({ method: 'GET', path: `/${name}?search=private` }),
		/** Moves the clock until the work has ended. */
		async until<T>(work: Promise<T>): Promise<T> {
			let hasEnded = false;
			const end = () => (hasEnded = true);
			work.then(end, end);
			for (await nextTurn(); !hasEnded; await nextTurn()) {
				sleepers.sort((one, other) => one.at - other.at);
				const next = sleepers.shift();
				if (next === undefined) throw new Error('Nothing is left that could end the work');
				elapsed = next.at;
				if (++round > 1000) throw new Error('The work does not end');
				next.wake();
			}
			return await work;
		},
		/** Sends requests together, in this order. */
		sendTogether: async (names: string[]) =>
			await Promise.allSettled(names.map((name) => world.send(name))),
		/** Sends requests together, and moves the clock until all have an outcome. */
		sendAll: async (names: string[]) => await world.until(world.sendTogether(names)),
	};

	const nameOf = ({ path }: ApiRequest) => path.slice(1).split('?')[0];
	const reply = async (name: string) => {
		const { ms = 10, text = name, status = 200, failure, bug } = left[name]?.shift() ?? {};
		await world.pass(ms);
		if (bug !== undefined) throw bug;
		return failure === undefined ? answerWith(text, status) : failureWith(failure);
	};

	const clock: Clock = {
		now: () => START + elapsed,
		sleep: async (ms) => {
			world.sleeps.push(ms);
			await Promise.race([world.pass(ms), world.pass(Math.max(0, canceledAt - elapsed))]);
		},
		random: () => random,
		isCanceled: () => elapsed >= canceledAt,
	};
	const write = (level: string) => (text: string) => void world.lines.push(`${level}: ${text}`);
	const send = createSender({
		log: { debug: write('debug'), info: write('info'), warn: write('warn') },
		attempt: async (request) => {
			world.log.push(`${elapsed} send ${nameOf(request)}`);
			world.mostInFlight = Math.max(world.mostInFlight, ++inFlight);
			try {
				return await reply(nameOf(request));
			} finally {
				inFlight--;
			}
		},
		readAnswer: (request, answer): ApiAnswer | ApiFailure => {
			const text = answer.text();
			world.log.push(`${elapsed} read ${nameOf(request)}`);
			const unusable = () => failureWith({ mayHaveBeenDone: true });
			return reading[text]?.() ?? { body: text, unusable };
		},
		turn: async () => await world.pass(turnMs),
		onPause: (ms) => void world.pauses.push(ms),
		clock,
		limits: {
			concurrency: setup.concurrency ?? 8,
			maxRetries: setup.maxRetries ?? 4,
			maxWaitMs: setup.maxWaitMs ?? 120_000,
		},
	});
	return world;
}

const failureOf = async (work: Promise<unknown>): Promise<ApiFailure> => {
	const error: unknown = await work.then(
		() => new Error('It succeeded'),
		(thrown: unknown) => thrown,
	);
	if (error instanceof ApiFailure) return error;
	throw error;
};

const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const valuesOf = (outcomes: Array<PromiseSettledResult<unknown>>) =>
	outcomes.map((outcome) =>
		outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as unknown),
	);
const CANCELED = expect.any(Canceled) as unknown;

describe('slots', () => {
	it.each([1, 2, 3, 8])(
		'let %i requests out at the same time, and no more',
		async (concurrency) => {
			const world = createWorld({ concurrency });
			const outcomes = await world.sendAll(numbered(20));
			expect(valuesOf(outcomes)).toEqual(numbered(20));
			expect(world.mostInFlight).toBe(concurrency);
			expect(world.now()).toBe(10 * Math.ceil(20 / concurrency));
		},
	);

	it('are free again after an error in the attempt itself', async () => {
		const bug = new Error('bug');
		const world = createWorld({ concurrency: 1, replies: { a: [{ bug }] } });
		expect(valuesOf(await world.sendAll(['a', 'b']))).toEqual([bug, 'b']);
	});

	it('are free for other requests while one waits for its retry', async () => {
		const world = createWorld({ concurrency: 1, replies: { a: [RETRYABLE] } });
		await world.sendAll(['a', 'b', 'c']);
		expect(world.sent()).toEqual(['0 send a', '10 send b', '20 send c', '510 send a']);
	});
});

describe('the answers', () => {
	it('are read after the next requests have left, one in each turn', async () => {
		const world = createWorld({ turnMs: 1 });
		await world.sendAll(numbered(16));
		const reads = Array.from({ length: 8 }, (_, index) => `${11 + index} read ${index}`);
		const sends = numbered(16).map((name, index) => `${index < 8 ? 0 : 10} send ${name}`);
		expect(world.log.slice(0, 24)).toEqual([...sends, ...reads]);
	});

	it('that put requests off are read before the next request leaves', async () => {
		const world = createWorld({
			concurrency: 1,
			replies: { a: [{ text: 'limit', status: 429 }] },
			reading: { limit: () => failureWith({ retryAfterMs: 1000, httpCode: 429 }) },
		});
		await world.sendAll(['a', 'b']);
		expect(world.sent()).toEqual(['0 send a', '1010 send b', '1020 send a']);
	});

	it('are read after one whose reading throws', async () => {
		const bug = new Error('bug');
		const reading = {
			a: () => {
				throw bug;
			},
		};
		expect(valuesOf(await createWorld({ reading }).sendAll(['a', 'b']))).toEqual([bug, 'b']);
	});
});

describe('a retry', () => {
	it('comes after waits that double, times a random number', async () => {
		const world = createWorld({ random: 0.5, replies: { a: times(4, RETRYABLE) } });
		expect(await world.until(world.send('a'))).toBe('a');
		const at = [0, 260, 770, 1780, 3790];
		expect(world.sent()).toEqual(at.map((time) => `${time} send a`));
	});

	it.each([
		[0, 'Solve it.'],
		[1, 'Solve it. Tried 2 times.'],
		[2, 'Solve it. Tried 3 times.'],
	])(
		'comes at most Max Retries times: %i; the failure is then "%s"',
		async (maxRetries, description) => {
			const world = createWorld({
				maxRetries,
				replies: { a: times(9, { failure: { httpCode: 500, body: 'broken' } }) },
			});
			const { message, details } = await failureOf(world.until(world.send('a')));
			expect(message).toBe('It failed');
			expect(details).toEqual({ description, retryable: true, httpCode: 500, body: 'broken' });
			expect(world.sent()).toHaveLength(maxRetries + 1);
		},
	);

	it('never comes after a failure that is not retryable', async () => {
		const world = createWorld({ replies: { a: [FINAL] } });
		expect((await failureOf(world.until(world.send('a')))).details).toEqual({
			description: 'Solve it.',
			retryable: false,
			httpCode: 400,
		});
		expect(world.sent()).toEqual(['0 send a']);
		expect(world.lines).toEqual([]);
	});

	it('comes after an answer that turns out to be unusable, if that failure is retryable', async () => {
		const world = createWorld({
			replies: { a: [{ text: 'truncated' }, { text: 'truncated' }] },
			reading: { truncated: () => failureWith({}) },
		});
		expect(await world.until(world.send('a'))).toBe('a');
		expect(world.sent()).toEqual(['0 send a', '510 send a', '1520 send a']);
	});

	it('counts the failures of each request on its own', async () => {
		const world = createWorld({
			maxRetries: 1,
			replies: { a: [RETRYABLE], b: [RETRYABLE], c: [RETRYABLE, RETRYABLE] },
		});
		expect((await world.sendAll(['a', 'b', 'c'])).map(({ status }) => status)).toEqual([
			'fulfilled',
			'fulfilled',
			'rejected',
		]);
	});
});

describe('Retry-After', () => {
	it('holds back all requests until its time', async () => {
		const world = createWorld({
			replies: { a: [pauseOf(1000)], b: [{ ms: 600 }] },
		});
		const later = async (ms: number, name: string) =>
			await world.pass(ms).then(() => world.send(name));
		await world.until(
			Promise.all([
				world.send('a'),
				world.send('b'),
				later(11, 'c'),
				later(1009, 'd'),
				later(1011, 'e'),
			]),
		);
		expect(world.sent()).toEqual(
			['0 send a', '0 send b', '1010 send a', '1010 send c', '1010 send d', '1011 send e'].sort(),
		);
	});

	it('lets no more requests than Concurrency out when its time is over', async () => {
		const world = createWorld({
			concurrency: 2,
			replies: { a: [pauseOf(1000)] },
		});
		await world.until(
			Promise.all([world.send('a'), world.pass(500).then(() => world.sendTogether(numbered(6)))]),
		);
		expect(world.mostInFlight).toBe(2);
		expect(world.sent().filter((entry) => entry.startsWith('1010 '))).toHaveLength(2);
	});

	it('also holds back a retry whose own wait ends earlier', async () => {
		const world = createWorld({ replies: { a: [RETRYABLE], b: [{ ms: 20, ...pauseOf(2000) }] } });
		await world.sendAll(['a', 'b']);
		expect(world.sent().slice(2).sort()).toEqual(['2020 send a', '2020 send b']);
	});

	it.each([
		['longer than another one extends the pause for all', 1000, 500, 2000, 2500],
		['shorter than another one does not shorten the pause', 5000, 20, 1000, 5010],
	])('that is %s', async (_what, first, ms, second, end) => {
		const world = createWorld({
			replies: { a: [pauseOf(first)], b: [{ ms, ...pauseOf(second) }] },
		});
		await world.sendAll(['a', 'b']);
		expect(world.sent().slice(2).sort()).toEqual([`${end} send a`, `${end} send b`]);
	});

	it('that is too long is a failure at once, and that of the other requests too', async () => {
		const world = createWorld({
			concurrency: 1,
			maxWaitMs: 1000,
			replies: { a: [pauseOf(1001)] },
		});
		await failureOf(world.until(world.send('a')));
		expect((await failureOf(world.until(world.send('b')))).details).toMatchObject({
			description: 'Solve it. An earlier request failed so, and this one was not sent.',
			retryAfterMs: 1001,
		});
		expect(world.sent()).toEqual(['0 send a']);
		expect(world.sleeps).toEqual([]);
	});

	it('is reported once where several requests are put off together', async () => {
		const replies = { a: [pauseOf(3000)], b: [pauseOf(1000)], c: [pauseOf(4000)] };
		const world = createWorld({ replies });
		await world.sendAll(['a', 'b', 'c']);
		expect(world.pauses).toEqual([3000, 0, 1000]);
	});

	it('is a second for all requests where a 429 comes without it', async () => {
		const limited: Reply = { failure: { httpCode: 429 } };
		const world = createWorld({ concurrency: 1, replies: { a: [limited, limited] } });
		await world.sendAll(['a', 'b']);
		expect(world.sent()).toEqual(['0 send a', '1010 send b', '1020 send a', '3030 send a']);
	});
});

describe('a failure that other requests would meet too', () => {
	const ofRun: Reply = { failure: { retryable: false, httpCode: 401, isOfRun: true } };

	it('is theirs, without a request', async () => {
		const world = createWorld({ concurrency: 2, replies: { 0: [ofRun] } });
		const outcomes = await world.sendAll(numbered(3));
		// Where a request waits for its slot, it isn't sent either.
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
		const later = await world.sendAll(numbered(1000));
		expect(later.every(({ status }) => status === 'rejected')).toBe(true);
		expect(world.sent()).toHaveLength(2);
	});

	it('is not that of one request alone', async () => {
		const notFound: Reply = { failure: { retryable: false, httpCode: 404 } };
		const world = createWorld({ replies: { 0: [notFound] } });
		const outcomes = await world.sendAll(numbered(3));
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
		expect(world.sent()).toHaveLength(3);
	});

	it('says of no write that was not sent that it may have been carried out', async () => {
		const unreachable: Reply = {
			failure: { isOfRun: true, retryable: false, mayHaveBeenDone: true },
		};
		const world = createWorld({ replies: { a: [unreachable] } });
		await failureOf(world.until(world.send('a')));
		const { details } = await failureOf(world.until(world.send('b')));
		expect(details.description).toMatch(/this one was not sent\.$/);
		expect(details.mayHaveBeenDone).toBeUndefined();
	});

	it('does not hide that an earlier try may have been carried out', async () => {
		const lost: Reply = { failure: { mayHaveBeenDone: true } };
		const world = createWorld({ replies: { a: [lost], b: [{ ms: 20, ...ofRun }] } });
		const [a] = await world.sendAll(['a', 'b']);
		expect(a).toMatchObject({
			reason: {
				details: {
					httpCode: 401,
					mayHaveBeenDone: true,
					description: 'Solve it. The service may have carried out the write.',
				},
			},
		});
		expect(world.sent()).toHaveLength(2);
	});
});

describe('a write that may have been carried out', () => {
	const lost: Reply = { failure: { mayHaveBeenDone: true } };

	it('says so when it fails, also where a later try fails for another reason', async () => {
		const world = createWorld({ maxRetries: 1, replies: { a: [lost, RETRYABLE] } });
		expect((await failureOf(world.until(world.send('a')))).details).toEqual({
			description: 'Solve it. Tried 2 times. The service may have carried out the write.',
			retryable: true,
			mayHaveBeenDone: true,
		});
	});

	it('is a warning in the log, without the query', async () => {
		const world = createWorld({ maxRetries: 0, replies: { a: [lost] } });
		const { details } = await failureOf(world.until(world.request('a')));
		expect(details.description).toBe('Solve it. The service may have carried out the write.');
		expect(world.lines).toEqual(['warn: It failed. GET /a may have been carried out.']);
	});

	it('is a warning too where its answer turns out to be unusable', async () => {
		const world = createWorld();
		const { unusable } = await world.until(world.request('a'));
		expect(world.lines).toEqual([]);
		expect(unusable({ message: 'No list' }).details.mayHaveBeenDone).toBe(true);
		expect(world.lines).toEqual(['warn: It failed. GET /a may have been carried out.']);
	});

	it('is not mentioned after a try that succeeds', async () => {
		const world = createWorld({ replies: { a: [lost] } });
		expect(await world.until(world.send('a'))).toBe('a');
		expect(world.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
	});
});

it('the log has a line for each retry, without the query', async () => {
	const world = createWorld({ replies: { a: [RETRYABLE, pauseOf(1500)] } });
	await world.until(world.request('a'));
	expect(world.lines).toEqual([
		'debug: It failed. GET /a is retried in 0.5 s.',
		'debug: It failed. GET /a is retried in 1.5 s.',
	]);
});

describe('cancel', () => {
	it('before the first request keeps it from going out', async () => {
		const world = createWorld({ canceledAt: 0 });
		await expect(world.until(world.send('a'))).rejects.toThrow(Canceled);
		expect(world.sent()).toEqual([]);
	});

	it('ends requests that wait for a slot', async () => {
		const world = createWorld({
			concurrency: 1,
			canceledAt: 5,
			replies: { a: [RETRYABLE] },
		});
		expect(valuesOf(await world.sendAll(['a', 'b', 'c']))).toEqual([CANCELED, CANCELED, CANCELED]);
		expect(world.sent()).toEqual(['0 send a']);
	});

	it('ends a request in flight that breaks off with Canceled, not with a failure', async () => {
		const world = createWorld({ canceledAt: 5, replies: { a: [FINAL] } });
		await expect(world.until(world.send('a'))).rejects.toThrow(Canceled);
	});

	it('keeps answers that wait for their turn from being read', async () => {
		const world = createWorld({ turnMs: 5, canceledAt: 18 });
		const outcomes = await world.sendAll(['a', 'b', 'c']);
		expect(valuesOf(outcomes)).toEqual(['a', CANCELED, CANCELED]);
		expect(world.log.filter((entry) => entry.includes(' read '))).toEqual(['15 read a']);
	});

	it.each([
		['a pause that the service asked for', [pauseOf(60_000)], 10_010],
		['the wait before a retry', times(6, RETRYABLE), 20_000],
	])('ends %s at once', async (_wait, replies, canceledAt) => {
		const world = createWorld({
			maxRetries: 9,
			canceledAt,
			replies: { a: replies },
		});
		await expect(world.until(world.send('a'))).rejects.toThrow(Canceled);
		expect(world.now()).toBe(canceledAt);
		expect(world.sent()).toHaveLength(replies.length);
	});

	it('in a pause ends all requests, those without a slot too', async () => {
		const world = createWorld({
			concurrency: 2,
			canceledAt: 700,
			replies: { a: [pauseOf(60_000)] },
		});
		const late = world.pass(100).then(() => world.sendTogether(['b', 'c', 'd', 'e']));
		const first = world.send('a').catch((error: unknown) => error);
		const [canceled, others] = await world.until(Promise.all([first, late]));
		expect([canceled, ...valuesOf(others)]).toEqual(times(5, CANCELED));
		expect(world.sent()).toEqual(['0 send a']);
	});
});

describe('slots that runs share', () => {
	it('are free while one of the runs waits for the end of a pause', async () => {
		const enterSlot = createGate(1);
		const wakes: Array<() => void> = [];
		let now = 0;
		const clock: Clock = {
			now: () => now,
			sleep: async () => await new Promise((resolve) => wakes.push(resolve)),
			random: () => 1,
			isCanceled: () => false,
		};
		const sent: string[] = [];
		const run = (name: string, replies: Array<RawAnswer | ApiFailure>) =>
			createSender({
				attempt: async () => {
					sent.push(name);
					return await Promise.resolve(replies.shift()!);
				},
				readAnswer: () => ({ body: name }) as ApiAnswer,
				turn: async () => await Promise.resolve(),
				clock,
				limits: { maxRetries: 1, maxWaitMs: 60_000, concurrency: 1 },
				enterSlot,
			});
		const refused = failureWith({ retryAfterMs: 1000, httpCode: 429 });
		const request: ApiRequest = { method: 'GET', path: '/' };
		const paused = run('paused', [refused, answerWith('', 200)])(request);
		await nextTurn();
		expect(await run('other', [answerWith('', 200)])(request)).toMatchObject({ body: 'other' });
		now = 1000;
		for (const wake of wakes) wake();
		expect(await paused).toMatchObject({ body: 'paused' });
		expect(sent).toEqual(['paused', 'other', 'paused']);
	});
});
