import type { IPollFunctions } from 'n8n-workflow';

import type { CaseFilters } from '../api/cases/caseQuery';
import { InvalidInput } from '../api/failures/failure';
import type { Parameters } from '../fields/form';
import { readSendingOptions } from '../fields/options';
import { CASE_OUTPUT } from '../fields/output';
import { ACTIVITY_TYPES } from '../fields/rows';
import { asRecord } from '../fields/values';
import { hashOf } from './changes/state';
import { EVENTS, isMatchEvent, parseEvents, type EventName } from './events';
import { FILTERS, OPTIONS } from './form';
import { createIgnored } from './ignoredUsers';

/** The trigger's parameters, checked. */
export type Settings = ReturnType<typeof readSettings>;

/** How many Case IDs 'Comment Added' may have, because each poll reads the comments of all these cases. */
const MAX_GIVEN = 200;

const limitsNothing = ({ filters, caseIds, teamId, priorities }: CaseFilters) =>
	Object.keys(filters).length === 0 && !(caseIds ?? teamId ?? priorities);

function refuseUnusable(events: EventName[], filters: CaseFilters): void {
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
			"Without one, every case matches, and always will. Add an entry under 'Filters' and give it a value.",
		);
	}
	const given = events.includes('commentAdded') ? (filters.caseIds?.length ?? 0) : 0;
	if (given > MAX_GIVEN) {
		throw new InvalidInput(
			`'Case IDs' has ${given} cases, and 'Comment Added' can watch ${MAX_GIVEN}`,
			'Each poll reads the comments of all of them. Remove some, or use another filter: each poll then reads only the comments of changed cases.',
		);
	}
	if (filters.caseIds?.length === 0) {
		throw new InvalidInput(
			"'Case IDs' is an empty list, so the workflow can never start",
			'Enter at least one case ID, or remove the filter.',
		);
	}
}

/** The part of n8n's context that both triggers read parameters from. */
export type SettingsContext = Pick<IPollFunctions, 'getNode' | 'getNodeParameter' | 'getTimezone'>;

export const parametersOf = (context: SettingsContext): Parameters => ({
	parameter: (name, _item, fallback) => context.getNodeParameter(name, fallback) as unknown,
	stored: (name) => context.getNode().parameters[name],
	timezone: context.getTimezone(),
	startedAt: Date.now(),
});

/**
 * Reads the parameters of a trigger. A parameter that the trigger doesn't have gets its default.
 * @throws InvalidInput for settings that can't be used, or can never start the workflow
 */
export function readSettings(parameters: Parameters) {
	const { parameter } = parameters;
	const events = parseEvents(parameter('events', 0));
	const filters = FILTERS.read(parameters, 0);
	refuseUnusable(events, filters);
	const { startFrom, pageSize, maxCases, ...ignored } = OPTIONS.read(parameters, 0);
	// As the workflow stores them, so that a filter with $now stays the same from poll to poll. Their order doesn't matter.
	const storedFilters = Object.entries(asRecord(parameters.stored('filters'))).sort(([a], [b]) =>
		a < b ? -1 : 1,
	);
	return {
		events,
		filters,
		storedFilters: hashOf(JSON.stringify(storedFilters)),
		startFrom: startFrom === undefined ? undefined : Math.floor(startFrom / 1000),
		output: CASE_OUTPUT.read(parameters, 0),
		// An expression of a field that the form doesn't show would be refused.
		activityTypes: events.includes('activityAdded') ? ACTIVITY_TYPES.read(parameters, 0) : [],
		isIgnored: createIgnored(ignored),
		pageSize,
		maxCases,
		sending: readSendingOptions(parameter('options', 0, {})),
	};
}
