import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { FILTERS_IN_WORDS } from '../fields/subtitle';

/** All events, in the order in which those of one time are told. What makes one is in `changes/`. */
export const EVENTS = [
	{
		name: 'Case Created',
		value: 'caseCreated',
		description: 'A case was created',
	},
	{
		name: 'Case Updated',
		value: 'caseUpdated',
		description:
			'A case changed and was neither created nor closed, or it started to match the filters. Several changes may be one.',
	},
	{
		name: 'Case Closed',
		value: 'caseClosed',
		description: 'A case was closed',
	},
	{
		name: 'Case No Longer Matches',
		value: 'caseUnmatched',
		description:
			'A case no longer matches the filters: it leaves a queue, loses a tag, or can no longer be read',
	},
	{
		name: 'Case Starts to Match',
		value: 'caseMatched',
		description:
			'A new case matches the filters, or another starts to: it becomes critical, gets a tag or an assignee, is reopened',
	},
	{
		name: 'Comment Added',
		value: 'commentAdded',
		description: 'A comment was added to a case',
	},
	{
		name: 'Activity Added',
		value: 'activityAdded',
		description:
			'Something was added to the history of a case: a new status, assignee, tag, file, comment and more, with who did it',
	},
] as const satisfies Array<{ name: string; value: string; description: string }>;

export type EventName = (typeof EVENTS)[number]['value'];

/** Whether an event is about which cases match the filters. */
export const isMatchEvent = (event: EventName): boolean =>
	event === 'caseMatched' || event === 'caseUnmatched';

export const EVENTS_FIELD: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	default: ['caseCreated'],
	options: [...EVENTS].sort((a, b) => (a.name < b.name ? -1 : 1)),
	description: 'Which events start the workflow',
};

/** The chosen events, in the order above; one alone may come as text from an expression. @throws InvalidInput */
export function parseEvents(value: unknown): EventName[] {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	if (names.length === 0) {
		throw new InvalidInput("'Trigger On' is empty", 'Choose which events start the workflow.');
	}
	const events = EVENTS.map((event): EventName => event.value);
	const unknown = names.find((name) => !events.some((event) => event === name));
	if (unknown === undefined && !names.includes(undefined))
		return events.filter((event) => names.includes(event));
	throw new InvalidInput(
		`'Trigger On' has no event ${quote(unknown ?? '')}`,
		`An expression for 'Trigger On' must return a list of these: ${events.join(', ')}.`,
	);
}

/** Events that the subtitle names; of further ones only the number is shown. */
const NAMED = 2;

/** The code that composes the subtitle. */
const COMPOSE = `(labels, raw) => {
	const events = labels.filter(([event]) => [raw.events].flat().includes(event));
	const named = events.slice(0, ${NAMED}).map(([, label]) => label).join(", ");
	const further = events.length > ${NAMED} ? " +" + (events.length - ${NAMED}) : "";
	return [named + further, ...(${FILTERS_IN_WORDS})(raw)].filter((part) => part !== "").join(" · ");
}`;

/** The expression for what the canvas shows under the trigger's name, such as "Case Closed · Critical". */
export const SUBTITLE = `={{ (${COMPOSE})(${JSON.stringify(EVENTS.map(({ value, name }) => [value, name]))}, $rawParameter) }}`;
