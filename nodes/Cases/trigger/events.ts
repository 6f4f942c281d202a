import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import type { TriggerEvent } from './changes/findEvents';

/** All events. What makes one is in `changes/`. */
const EVENTS = [
	{
		name: 'Case Created',
		value: 'caseCreated',
		description: 'A case was created since the last poll',
	},
	{
		name: 'Case Updated',
		value: 'caseUpdated',
		description:
			'A case was edited in another way, or matches the filters only now. Edits between two polls count as one.',
	},
	{
		name: 'Case Closed',
		value: 'caseClosed',
		description: 'A case was closed since it was last seen',
	},
	{
		name: 'Comment Added',
		value: 'commentAdded',
		description: 'A case has a new comment',
	},
] as const satisfies Array<{ name: string; value: TriggerEvent['event']; description: string }>;

export type EventName = (typeof EVENTS)[number]['value'];

export const EVENTS_FIELD: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	default: ['caseCreated'],
	options: [...EVENTS].sort((a, b) => (a.name < b.name ? -1 : 1)),
	description: 'What starts the workflow',
};

const LABELS = JSON.stringify(Object.fromEntries(EVENTS.map(({ value, name }) => [value, name])));

/** What the canvas shows under the trigger's name. */
export const SUBTITLE = `={{ $parameter["events"].map((event) => (${LABELS})[event]).join(", ") }}`;

/** The chosen events; one alone may come as text from an expression. @throws InvalidInput */
export function parseEvents(value: unknown): EventName[] {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	const events = names.map((name) => EVENTS.find((event) => event.value === name)?.value);
	const unknown = events.indexOf(undefined);
	if (names.length > 0 && unknown === -1) return events as EventName[];
	throw new InvalidInput(
		names.length === 0 ? 'No event is chosen' : `There is no event ${quote(names[unknown])}`,
		`Choose under Events what starts the workflow: ${EVENTS.map(({ value }) => value).join(', ')}.`,
	);
}
