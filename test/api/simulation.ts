import type { Client } from '../../nodes/Cases/api/http/client';
import type { ApiAnswer } from '../../nodes/Cases/api/http/readAnswer';
import { parseTenant } from '../../nodes/Cases/api/http/tenant';
import { ApiFailure } from '../../nodes/Cases/api/failures/failure';
import { createPool } from '../../nodes/Cases/api/pool';
import { servedAt } from '../../nodes/Cases/api/http/readAnswer';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import { nameFilter } from '../../nodes/Cases/fields/filters/filters';
import { CaseStore, type SandboxOptions } from '../../sandbox';
import { directService } from '../../sandbox/direct';
import { ApiError } from '../../sandbox/errors';

/** A clock that only moves when it is told to, in ms since the epoch. */
export interface Clock {
	now: number;
}

/** An empty store, and the clock that it goes by. */
export function storeAt(now: number): { clock: Clock; store: CaseStore } {
	const clock: Clock = { now };
	return { clock, store: new CaseStore({ now: () => new Date(clock.now) }) };
}

/** What happens before one request is answered. */
export interface Step<Change> {
	/** Time that passes first, in ms; 0 keeps several things in one second. */
	advanceMs: number;
	changes: Change[];
	/** Chooses among the requests that wait for an answer. */
	pick: number;
	/** Time between the reading of the data and the end of the answer, where its Date header is written. */
	answerMs: number;
}

interface Simulation<Change> {
	store: CaseStore;
	clock: Clock;
	concurrency: number;
	/** What the service does where the document is silent. */
	service?: Pick<
		SandboxOptions,
		'arrayFormat' | 'commentsOrder' | 'detailsPerPage' | 'deviations' | 'grown'
	>;
	/** One for each request, in the order of answers; afterwards nothing changes any more. */
	steps?: Array<Step<Change>>;
	apply?: (change: Change) => void;
	/** Sees the store after a request's changes, before its answer; `index` from 0. */
	beforeAnswer?: (index: number) => void;
}

/**
 * A Client over the sandbox's service, without a socket and without real time: the requests in flight are
 * answered one by one in any order, and anything may change between two answers.
 */
export function simulate<Change>(simulation: Simulation<Change>): {
	client: Client;
	/** Method and path of every request, in the order of answers. */
	answered: string[];
} {
	const { store, clock, concurrency, service = {}, steps = [], apply = () => {} } = simulation;
	const { beforeAnswer = () => {} } = simulation;
	const serve = directService(store, service);
	const waiting: Array<() => void> = [];
	const answered: string[] = [];

	const answerOne = () => {
		const step = steps[answered.length];
		clock.now += step?.advanceMs ?? 0;
		for (const change of step?.changes ?? []) apply(change);
		beforeAnswer(answered.length);
		const [answer] = waiting.splice((step?.pick ?? 0) % waiting.length, 1);
		answer();
		clock.now += step?.answerMs ?? 0;
	};

	const bodyOf = (request: ApiRequest): unknown => {
		const { method, path, body } = request;
		const [pathname, queryString] = path.split('?');
		try {
			return serve({ method, path: pathname, queryString, body });
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { message, status, isBreach } = error;
			// A request that breaks the document's rules is a mistake of the code that is tested.
			if (isBreach) throw error;
			const retryable = status >= 500 || [408, 425, 429].includes(status);
			throw new ApiFailure(message, { description: '', httpCode: status, retryable });
		}
	};

	const answerTo = (request: ApiRequest, sentAt: number): ApiAnswer => {
		const { answerMs = 0 } = steps[answered.length] ?? {};
		answered.push(`${request.method} ${request.path}`);
		const endsAt = clock.now + answerMs;
		return {
			body: bodyOf(request),
			servedAt: servedAt(serve.date(new Date(endsAt)), endsAt - sentAt),
			unusable: ({ message }) =>
				new ApiFailure(message, { description: 'Look at the service.', retryable: false }),
		};
	};

	const send = (request: ApiRequest) =>
		new Promise<ApiAnswer>((resolve, reject) => {
			const sentAt = clock.now;
			waiting.push(() => {
				try {
					resolve(answerTo(request, sentAt));
				} catch (error) {
					reject(error as Error);
				}
			});
			// Answers only once every request that can go out by now has gone out.
			setImmediate(answerOne);
		});

	const tenant = parseTenant({
		baseUrl: 'https://cases.example.com',
		apiKey: 'key',
		arrayFormat: service.arrayFormat,
	});
	const pool = createPool(concurrency);
	return { client: { tenant, send, nameFilter, now: () => clock.now, ...pool }, answered };
}
