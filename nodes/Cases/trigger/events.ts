import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { nameOfTrigger, subtitleOf } from '../fields/subtitle';

/** The label and the description of each event. Events of the same time are reported in this order. */
const IN_WORDS = {
	caseCreated: ['Case Created', 'A case was created'],
	caseUpdated: ['Case Updated', 'A case changed, but was not created or closed'],
	caseClosed: ['Case Closed', 'A case was closed'],
	caseUnmatched: [
		'Case No Longer Matches',
		'A case no longer matches the filters: it leaves a queue, loses a tag, or can no longer be read',
	],
	caseMatched: [
		'Case Starts to Match',
		'A case starts to match the filters: it is new, becomes critical, gets a tag or an assignee, or is reopened',
	],
	commentAdded: ['Comment Added', 'A comment was added to a case'],
	activityAdded: [
		'Activity Added',
		'Something was added to the history of a case: a new status, assignee, tag, file, comment and more, and who did it',
	],
};

export type EventName = keyof typeof IN_WORDS;

const NAMES = Object.keys(IN_WORDS) as EventName[];

export const EVENTS = NAMES.map((value) => {
	const [name, description] = IN_WORDS[value];
	return { name, value, description };
});

export const isMatchEvent = (event: EventName): boolean =>
	event === 'caseMatched' || event === 'caseUnmatched';

export const EVENTS_FIELD: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	default: ['caseCreated'],
	options: [...EVENTS].sort((a, b) => (a.name < b.name ? -1 : 1)),
};

/** Reads the chosen events, in the order above: a list or, from an expression, one name. @throws InvalidInput */
export function parseEvents(value: unknown): EventName[] {
	const names: unknown[] = Array.isArray(value) ? value : [value];
	if (names.length === 0) {
		throw new InvalidInput("'Trigger On' is empty", 'Choose which events start the workflow.');
	}
	const unknown = names.find((name) => !NAMES.some((event) => event === name));
	if (unknown === undefined) return NAMES.filter((event) => names.includes(event));
	throw new InvalidInput(
		`'Trigger On' has no event ${quote(unknown ?? '')}`,
		`An expression for 'Trigger On' must return a list of these: ${NAMES.join(', ')}.`,
	);
}

/** The expression for the subtitle on the canvas, such as "Case Closed · Critical". */
export const SUBTITLE = subtitleOf(
	nameOfTrigger,
	Object.fromEntries(NAMES.map((value) => [value, IN_WORDS[value][0]])),
);
