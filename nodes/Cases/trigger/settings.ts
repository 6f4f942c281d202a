import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { parseDate } from '../fields/dates';
import { InvalidInput, quote } from '../api/failure';
import type { CaseFilters } from '../api/cases';
import { parseFilters } from '../fields/filters';
import type { Output } from '../fields/output';
import type { TriggerQuery } from './changes/edits';
import type { Seconds } from './changes/state';
import { parseClientOptions, parseMaxCases, parsePageSize } from '../fields/options';
import { outputOf } from '../fields/parameters';
import { createClient } from '../n8n/transport';

const EVENTS = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'] as const;

export type EventName = (typeof EVENTS)[number];

/** Longest wait within a poll because the service asks for it; for longer ones n8n is told when to poll again. */
const MAX_WAIT_MS = 10_000;

/** Time that a poll may take where n8n doesn't tell it. */
const DEFAULT_BUDGET_MS = 300_000;

/** The trigger's parameters, checked. */
export interface Settings {
	events: EventName[];
	output: Output;
	/** Where the first run goes back to; undefined starts now. */
	startFrom?: Seconds;
	query: TriggerQuery;
}

function parseEvents(value: unknown): EventName[] {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	const unknown = names.find((name) => !EVENTS.some((event) => event === name));
	if (names.length > 0 && unknown === undefined) return names as EventName[];
	throw new InvalidInput(
		names.length === 0 ? 'No event is chosen' : `There is no event ${quote(unknown)}`,
		`Choose under Events what starts the workflow: ${EVENTS.join(', ')}.`,
	);
}

function refuseWhatNeverFires(events: EventName[], { filters, matchesNothing }: CaseFilters): void {
	if (events.includes('caseClosed') && filters.status === 'OPEN') {
		throw new InvalidInput(
			'Case Closed can never fire together with the filter Status: Open',
			'Filters are judged on the case as it is at the poll, and a closed case is no longer open. Remove the Status filter, or the event.',
		);
	}
	if (matchesNothing) {
		throw new InvalidInput(
			'Case IDs is an empty list, so the trigger can never fire',
			'Give at least one case ID, or remove the filter.',
		);
	}
}

/**
 * Reads the trigger's parameters and its credential.
 * @throws InvalidInput for what can't be used or can never fire
 */
export async function readSettings(context: IPollFunctions): Promise<Settings> {
	const startedAt = Date.now();
	// Older versions of n8n have no budget.
	const budget = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const timezone = context.getTimezone();
	const parameter = (name: string, _item: number, fallback?: unknown): unknown =>
		context.getNodeParameter(name, fallback);
	const options = parameter('options', 0, {}) as IDataObject;
	const events = parseEvents(parameter('events', 0));
	const filters = parseFilters(parameter('filters', 0, {}) as IDataObject, timezone);
	refuseWhatNeverFires(events, filters);
	const startFrom = parseDate(options.startFrom, timezone, 'Start From');
	const output = outputOf(parameter, 0);
	const pageSize = parsePageSize(options);
	const maxCases = parseMaxCases(options);
	const clientOptions = parseClientOptions(options);
	const client = await createClient(context, {
		...clientOptions,
		timeout: Math.min(clientOptions.timeout, budget / 2),
		maxWaitMs: MAX_WAIT_MS,
	});
	return {
		events,
		output,
		startFrom: startFrom === undefined ? undefined : Math.floor(startFrom / 1000),
		query: {
			client,
			query: filters,
			pageSize,
			withComments: events.includes('commentAdded'),
			maxCases,
			// The other half is for comments, and for n8n to start the workflow.
			isTimeUp: () => Date.now() - startedAt > budget / 2,
		},
	};
}
