import { InvalidInput, unlessFailed } from '../api/failures/failure';
import { caseIdentity } from '../api/identity';
import type { Activity } from '../api/types';
import { isOfTypes } from '../fields/rows';
import { doerOf, type Happening } from './changes/eventId';
import { secondOf } from './changes/state';
import type { Watch } from './changes/watch';
import { isEntryEvent, type EntryEvent } from './changes/watchedCases';

/** Finds comments or activities of the cases edited last, newest first. Skips cases whose list can't be read. */
async function findEntries(
	event: EntryEvent,
	{ cases, activityTypes }: Watch,
): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED');
	const lists = await cases.map(rows.length, async (index) =>
		cases.readEntries(event, rows[index]).catch(unlessFailed),
	);
	const madeAt = ({ created_at }: Activity) => secondOf(created_at) ?? 0;
	return lists
		.flatMap((list = [], index) => list.map((entry) => ({ event, row: rows[index], entry })))
		.filter(
			({ entry }) => event === 'commentAdded' || isOfTypes(entry.activity_type, activityTypes),
		)
		.sort((a, b) => madeAt(b.entry) - madeAt(a.entry));
}

/** Finds cases that don't match the filters, among the cases edited last. */
async function findUnmatched({ cases }: Watch) {
	const { rows } = await cases.fetchLastEdited();
	const matches = await cases.among(rows.map(caseIdentity));
	return rows.filter((row) => !matches.has(caseIdentity(row)));
}

/** Finds examples of an event, newest first: what the event may have happened to. */
async function find(event: string, watch: Watch): Promise<Happening[]> {
	if (isEntryEvent(event)) return await findEntries(event, watch);
	const order = event === 'caseCreated' ? 'CREATED_DESC' : 'RECENTLY_EDITED';
	const status = event === 'caseClosed' ? 'CLOSED' : undefined;
	const rows =
		event === 'caseUnmatched'
			? await findUnmatched(watch)
			: await watch.cases.readFirst(order, status);
	return rows.map((row) => ({ event, row }));
}

/**
 * Finds what a test run in the editor shows: one example of each chosen event. With more examples, the nodes behind the
 * trigger would run as many times, and for example post each of them in a chat.
 * @throws InvalidInput when there is no example
 */
export async function findExamples(watch: Watch): Promise<Happening[]> {
	const examples: Happening[] = [];
	for (const event of watch.chosen) {
		const found = await find(event, watch);
		examples.push(...found.filter((one) => !watch.isIgnored(doerOf(one))).slice(0, 1));
	}
	if (examples.length > 0) return examples;
	throw new InvalidInput(
		'Nothing to show yet',
		'There is no example for the filters and events chosen here. Publish the workflow anyway: it starts when such an event happens.',
	);
}
