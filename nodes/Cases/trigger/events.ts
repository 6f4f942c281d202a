import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';

/** All events. What makes one is in `changes/`. */
export const EVENTS = [
	{
		name: 'Activity Added',
		value: 'activityAdded',
		description:
			'Something was added to the history of a case: a new status, assignee, tag, file, comment and more, and who did it',
	},
	{
		name: 'Case Created',
		value: 'caseCreated',
		description: 'A case was created',
	},
	{
		name: 'Case Updated',
		value: 'caseUpdated',
		description: 'A case changed (not: created or closed)',
	},
	{
		name: 'Case Closed',
		value: 'caseClosed',
		description: 'A case was closed',
	},
	{
		name: 'Case Starts to Match',
		value: 'caseMatched',
		description:
			'A case starts to match the filters: it is new, becomes critical, gets a tag or an assignee, or is reopened',
	},
	{
		name: 'Case No Longer Matches',
		value: 'caseUnmatched',
		description:
			'A case no longer matches the filters: it leaves a queue, loses a tag, or can no longer be read',
	},
	{
		name: 'Comment Added',
		value: 'commentAdded',
		description: 'A comment was added to a case',
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

/** The chosen events, each once; one alone may come as text from an expression. @throws InvalidInput */
export function parseEvents(value: unknown): EventName[] {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	const events = names.map((name) => EVENTS.find((event) => event.value === name)?.value);
	if (names.length === 0) {
		throw new InvalidInput("'Trigger On' is empty", 'Choose which events start the workflow.');
	}
	const unknown = events.indexOf(undefined);
	if (unknown === -1) return [...new Set(events as EventName[])];
	throw new InvalidInput(
		`'Trigger On' has no event ${quote(names[unknown] ?? '')}`,
		`An expression for 'Trigger On' must return a list of these: ${EVENTS.map(({ value }) => value).join(', ')}.`,
	);
}
