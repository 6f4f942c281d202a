import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { createClient } from '../n8n/transport';
import { beginPoll } from './activation';
import { readExamples } from './examples';
import { emitNewEvents } from './poll';
import { readSettings } from './settings';
import { openStore } from './store';
import { openWatch } from './watch';

/** Longest total wait of a request, in ms. If the service asks for a longer one, the poll fails, and n8n gets the time. */
const MAX_WAIT_MS = 10_000;

/** Time that a poll may take where n8n sets no limit. */
const DEFAULT_BUDGET_MS = 300_000;

/**
 * One poll of the trigger: items of what happened since the last one, oldest first.
 * @throws InvalidInput or ApiFailure; the next poll then starts from the same place
 */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const startedAt = Date.now();
	// Older versions of n8n have no budget.
	const budgetMs = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const settings = readSettings(context, startedAt);
	// The other half is for comments, and for n8n to start the workflow.
	const readingMs = budgetMs / 2;
	const timeout = Math.min(settings.sending.timeout, readingMs);
	const client = await createClient(context, { ...settings.sending, timeout }, MAX_WAIT_MS);
	const watch = openWatch(client, settings, () => Date.now() - startedAt > readingMs);
	if (context.getMode() === 'manual') return await readExamples(watch, settings);
	const poll = beginPoll(context, Date.now(), budgetMs);
	if (poll === undefined) {
		client.log.info('Skipped a poll, because the last one is still running');
		return [];
	}
	const store = openStore(context, poll.isActivation, poll.isFirst);
	return await emitNewEvents(watch, settings, store, poll).finally(poll.end);
}
