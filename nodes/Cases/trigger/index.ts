// Law of this folder: changes/ finds events, without n8n. The files here read settings, store the state and make items.

import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ApiFailure } from '../api/failures/failure';
import type { SendingOptions } from '../fields/options';
import { createClient } from '../n8n/transport';
import type { Happening } from './changes/eventId';
import { findEvents, type Found } from './changes/poll';
import { hashOf } from './changes/state';
import type { Watch } from './changes/watch';
import { watchCases } from './changes/watchedCases';
import { isMatchEvent } from './events';
import { findExamples } from './examples';
import { toItem } from './items';
import { parametersOf, readSettings, type Settings } from './settings';
import { openPoll } from './store';

/** Longest total wait of a request, in ms. If the service asks for more, the poll ends, and n8n polls after that wait. */
const MAX_POLL_WAIT_MS = 10_000;

/** How long a poll may take where n8n sets no limit. */
const DEFAULT_BUDGET_MS = 300_000;

/** A request may take a sixth of the poll's time, but at least this long. */
const LEAST_TIMEOUT_MS = 10_000;

/** Limits a request and its retries to half of the poll's time, so that a request that hangs doesn't use up the poll. */
function sendingWithin(budgetMs: number, options: SendingOptions): SendingOptions {
	const share = Math.max(LEAST_TIMEOUT_MS, budgetMs / 6);
	const timeout = Math.min(options.timeout, share);
	const retries = Math.max(1, Math.floor(budgetMs / 2 / timeout) - 1);
	return { ...options, timeout, maxRetries: Math.min(options.maxRetries, retries) };
}

/**
 * Runs one poll of the trigger.
 * @returns what happened since the last poll, oldest first; in a test run, examples
 * @throws InvalidInput or ApiFailure; the next poll then starts from the same place
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const startedAt = Date.now();
	// Older versions of n8n don't have this method.
	const budgetMs = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const settings = readSettings(parametersOf(context));
	const sending = sendingWithin(budgetMs, settings.sending);
	const client = await createClient(context, { ...sending, maxWaitMs: MAX_POLL_WAIT_MS });
	const { events, filters, pageSize, storedFilters } = settings;
	const watch: Watch = {
		...settings,
		chosen: events,
		cases: watchCases(client, filters, pageSize, events.some(isMatchEvent)),
		what: hashOf(`${client.tenant.baseUrl} ${storedFilters}`),
		// Half of the budget, because requests that have begun may take as long again.
		isTimeUp: () => Date.now() - startedAt > budgetMs / 2,
		now: () => Math.floor(Date.now() / 1000),
		log: client.log,
	};
	const isTest = context.getMode() === 'manual';
	const happenings = isTest
		? await findExamples(watch)
		: await findNew(watch, context, settings.startFrom);
	return happenings.map((one) => toItem(one, settings.output));
}

/** Finds what happened since the stored state, and stores the new state. */
async function findNew(
	watch: Watch,
	context: IPollFunctions,
	startFrom: Settings['startFrom'],
): Promise<Happening[]> {
	const { log } = watch;
	const poll = openPoll(context);
	if (poll === undefined) {
		log.info('Skipped a poll, because the last one is still running');
		return [];
	}
	const { isActivation, isUnreadable, state, save, end } = poll;
	if (isUnreadable) log.warn("The stored position can't be read, so the trigger starts from now");
	const from = isUnreadable ? undefined : startFrom;
	try {
		const found = await findEvents(watch, state, from).catch((error: unknown): Found => {
			const isOutage = error instanceof ApiFailure && error.details.retryable;
			// A service that is down must not keep a workflow from being published again. The stored state stays valid.
			if (isActivation && isOutage && state !== undefined) return { events: [], state };
			throw error;
		});
		// Only saved here, so that after a failure the next poll starts from the same place.
		save(found.state);
		return found.events;
	} finally {
		end();
	}
}
