import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CaseStore, type Sandbox, type SandboxOptions } from '../../sandbox';
import { createPoller, type Poller, type PollerOptions } from '../../tools/engine/poll';
import { engineRealm } from '../support/engineRealm';
import { useSandboxes } from '../support/service';

const TRIGGER = 'n8n-nodes-cases.casesTrigger';
const ALL_EVENTS = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'];
export const NOON = Date.parse('2026-01-31T12:00:00Z');
/** How long after an edit a poll reports it, in seconds. */
const FINAL_AFTER = 3;
export const LIST = 'GET /api/v2/cases';

interface Options
	extends Pick<
		PollerOptions,
		| 'activation'
		| 'budgetMs'
		| 'mode'
		| 'pollBudget'
		| 'staticData'
		| 'timezone'
		| 'workflowStaticData'
	> {
	events?: string[];
	filters?: IDataObject;
	options?: IDataObject;
	parameters?: IDataObject;
}

/**
 * Triggers in n8n's engine, with services of their own. After each test it is checked that the strict services found
 * nothing outside the API document in any request.
 */
export function useTrigger() {
	const startSandbox = useSandboxes();
	const sandboxes: Sandbox[] = [];
	const realNow = engineRealm.Date.now;
	/** n8n's clock, which goes with that of the last service. */
	let nodeNow = realNow;
	beforeEach(() => {
		jest.spyOn(engineRealm.Date, 'now').mockImplementation(() => nodeNow() + nodeAhead);
	});
	afterEach(() => {
		nodeNow = realNow;
		jest.restoreAllMocks();
		const rejected = sandboxes.splice(0).flatMap((sandbox) => sandbox.rejected);
		expect(rejected).toEqual([]);
	});

	/** Starts a service with a clock that tests move, and triggers that watch it. */
	return async (options: SandboxOptions & { commentsTouchCase?: boolean } = {}) => {
		const clock = { now: NOON };
		const begun = realNow();
		nodeNow = () => clock.now + realNow() - begun;
		const store = new CaseStore({
			now: () => new Date(clock.now),
			commentsTouchCase: options.commentsTouchCase,
		});
		const sandbox = await startSandbox({ ...options, store });
		sandboxes.push(sandbox);
		const later = (seconds: number) => {
			clock.now += seconds * 1000;
		};
		/**
		 * As n8n would start it: without parameters it watches for all events. Each poll comes once the second is over in
		 * which something happened, except `pollAtOnce`.
		 */
		const trigger = async ({ events, filters, options, parameters, ...rest }: Options = {}) => {
			const poller = await createPoller({
				...rest,
				type: TRIGGER,
				parameters: {
					events: events ?? ALL_EVENTS,
					filters: filters ?? {},
					options: { maxRetries: 0, ...options },
					...parameters,
				} as INodeParameters,
				credentials: { casesApi: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner } },
			});
			const poll = async () => {
				later(FINAL_AFTER);
				return await poller.poll();
			};
			return { ...poller, poll, pollAtOnce: poller.poll };
		};
		/** A trigger that has been activated. */
		const published = async (given: Options = {}) => {
			const poller = await trigger(given);
			expect(await poller.poll()).toBeNull();
			later(30);
			sandbox.clearRequests();
			return poller;
		};
		const paths = () => sandbox.requests.map(({ method, path }) => `${method} ${path}`);
		return { sandbox, store, clock, later, trigger, published, paths };
	};
}

/** How far tests have set n8n's clock ahead of the service's, in ms. */
let nodeAhead = 0;

/** Sets the clock of n8n ahead, so that the time of a poll is up without a wait. */
export function useNodeClock(): { later: (seconds: number) => void } {
	afterEach(() => {
		nodeAhead = 0;
	});
	return {
		later: (seconds) => {
			nodeAhead += seconds * 1000;
		},
	};
}

/** What a poll returned, as `event case`. */
export async function eventsOf(poller: Poller): Promise<string[]> {
	const items = (await poller.poll()) ?? [];
	return items.map(({ json }) => `${json.event as string} ${json.case_id as number}`);
}

export async function failureOf(poller: Poller) {
	const error: unknown = await poller.poll().then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return error as Error & { description?: string; failure?: { retryAfterMs?: number } };
}
