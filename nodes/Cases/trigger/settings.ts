import type { IPollFunctions } from 'n8n-workflow';

import { matchesNothing, type CaseFilters } from '../api/caseQuery';
import { InvalidInput } from '../api/failure';
import { isOfTypes, readTypes } from '../fields/detailTypes';
import { readFilters } from '../fields/filters';
import { readNumberOption, readSendingOptions } from '../fields/options';
import { readOutput, type Output } from '../fields/output';
import type { Parameters } from '../fields/parameters';
import { readReplayFrom, type ReplayFrom } from '../fields/replayFrom';
import { readStartFrom } from '../fields/startFrom';
import { asRecord } from '../fields/values';
import { createClient } from '../n8n/transport';
import type { Watch } from './changes/watch';
import type { Seconds } from './changes/state';
import { findMatching } from './changes/matchingCases';
import { watchCases } from './changes/watchedCases';
import { EVENTS, isMatchEvent, parseEvents, type EventName } from './events';

/** Longest wait in ms within a poll. If the service asks for a longer one, the poll fails, and n8n gets the time. */
const MAX_WAIT_MS = 10_000;

/** Time that a poll may take where n8n sets no limit. */
const DEFAULT_BUDGET_MS = 300_000;

/** The trigger's parameters, checked. */
export interface Settings {
	events: EventName[];
	output: Output;
	/** Where the first run goes back to; undefined starts now. */
	startFrom?: Seconds;
	/** The time since which changes are reported again, once. */
	replayFrom?: ReplayFrom;
	/** The poll is a test run in the editor. */
	isTest: boolean;
	/** How long a poll may take. */
	budgetMs: number;
	watch: Watch;
}

function limitsNothing({ filters, caseIds, teamId, priorities }: CaseFilters): boolean {
	return Object.keys(filters).length === 0 && !(caseIds ?? teamId ?? priorities);
}

function refuseWhatNeverFires(events: EventName[], filters: CaseFilters): void {
	if (events.includes('caseClosed') && filters.filters.status === 'OPEN') {
		throw new InvalidInput(
			"'Case Closed' can never start the workflow while 'Status' is Open",
			"Filters look at the case as it is now, and a closed case is no longer open. Remove the filter 'Status', or remove 'Case Closed' from 'Trigger On'.",
		);
	}
	const matchEvent = EVENTS.find(({ value }) => isMatchEvent(value) && events.includes(value));
	if (matchEvent !== undefined && limitsNothing(filters)) {
		throw new InvalidInput(
			`'${matchEvent.name}' needs a filter`,
			"Without one, every case matches. Add an entry under 'Filters', or choose 'Case Created' instead.",
		);
	}
	if (matchesNothing(filters)) {
		throw new InvalidInput(
			"'Case IDs' is an empty list, so the workflow can never start",
			'Enter at least one case ID, or remove the filter.',
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
	const parameters: Parameters = {
		parameter: (name, _item, fallback) => context.getNodeParameter(name, fallback) as unknown,
		stored: (name) => context.getNode().parameters[name],
		timezone: context.getTimezone(),
		startedAt,
	};
	const { parameter } = parameters;
	const options = asRecord(parameter('options', 0, {}));
	const events = parseEvents(parameter('events', 0));
	const filters = readFilters(parameters, 0);
	refuseWhatNeverFires(events, filters);
	const startFrom = readStartFrom(parameters);
	const replayFrom = readReplayFrom(parameters);
	const output = readOutput(parameters, 0);
	const activityTypes = events.includes('activityAdded')
		? readTypes(parameters, 0, 'activityTypes')
		: [];
	const pageSize = readNumberOption(options, 'pageSize');
	const maxCases = readNumberOption(options, 'maxCases');
	const readEvery = readNumberOption(options, 'readMemoryEvery') * 3600;
	const sending = readSendingOptions(options);
	const timeout = Math.min(sending.timeout, budget / 2);
	const client = await createClient(context, { ...sending, timeout }, MAX_WAIT_MS);
	const { log } = client;
	const areMatchesWatched = events.some(isMatchEvent);
	const cases = watchCases(client, filters, pageSize, log.info, areMatchesWatched);
	return {
		events,
		output,
		replayFrom,
		startFrom,
		isTest: context.getMode() === 'manual',
		budgetMs: budget,
		watch: {
			cases,
			matching: areMatchesWatched
				? findMatching(client, filters, cases, readEvery, log.warn)
				: undefined,
			chosen: events,
			withComments: events.includes('commentAdded'),
			isActivityWanted: events.includes('activityAdded')
				? ({ activity_type }) => isOfTypes(activity_type, activityTypes)
				: undefined,
			maxCases,
			// The other half is for comments, and for n8n to start the workflow.
			isTimeUp: () => Date.now() - startedAt > budget / 2,
			log,
		},
	};
}
