import type { INodeExecutionData } from 'n8n-workflow';

import type { CaseOrder } from '../api/cases/caseQuery';
import { InvalidInput, unlessFailed } from '../api/failures/failure';
import { caseIdentity } from '../api/identity';
import type { Activity } from '../api/types';
import { isOfTypes } from '../fields/types';
import { ACTIVITIES, COMMENTS, type CaseList } from './changes/entries';
import { doerOf, type Happening } from './changes/eventId';
import { secondOf } from './changes/state';
import type { Watch } from './changes/watch';
import type { EventName } from './events';
import { toItem } from './items';
import type { Settings } from './settings';

/** The number of cases that a test run reads for an example: their comments, their activities, or who created them. */
const CASES_READ = 20;

/** Finds comments or activities of the cases edited last, newest first. Skips cases whose list can't be read. */
const entriesOf =
	({ event, field, read }: CaseList) =>
	async ({ cases, activityTypes }: Watch): Promise<Happening[]> => {
		const rows = await cases.readFirst('RECENTLY_EDITED', CASES_READ);
		const lists = await cases.map(rows.length, async (index) =>
			read(cases, caseIdentity(rows[index]), rows[index]).catch(unlessFailed),
		);
		const madeAt = ({ created_at }: Activity) => secondOf(created_at) ?? 0;
		return lists
			.flatMap((list = [], index) => list.map((entry) => ({ entry, row: rows[index] })))
			.filter(({ entry }) => field === 'comment' || isOfTypes(entry.activity_type, activityTypes))
			.sort((a, b) => madeAt(b.entry) - madeAt(a.entry))
			.map(({ entry, row }) => ({ event, row, [field]: entry }));
	};

/** Finds cases that don't match the filters, among the cases edited last. */
async function readUnmatched({ cases }: Watch): Promise<Happening[]> {
	const { rows } = await cases.fetchLastEdited();
	const matches = await cases.among(rows.map(caseIdentity));
	const others = rows.filter((row) => !matches.has(caseIdentity(row)));
	return others.map((row) => ({ event: 'caseUnmatched', row }));
}

const firstCase =
	(event: EventName, order: CaseOrder, status?: 'CLOSED') =>
	async ({ cases }: Watch): Promise<Happening[]> =>
		(await cases.readFirst(order, CASES_READ, status)).map((row) => ({ event, row }));

/** For each event, a function that finds examples, newest first: what the event may have happened to. */
const FIND: Record<EventName, (watch: Watch) => Promise<Happening[]>> = {
	activityAdded: entriesOf(ACTIVITIES),
	caseCreated: firstCase('caseCreated', 'CREATED_DESC'),
	caseUpdated: firstCase('caseUpdated', 'RECENTLY_EDITED'),
	caseClosed: firstCase('caseClosed', 'RECENTLY_EDITED', 'CLOSED'),
	caseMatched: firstCase('caseMatched', 'RECENTLY_EDITED'),
	caseUnmatched: readUnmatched,
	commentAdded: entriesOf(COMMENTS),
};

/**
 * Finds what a test run in the editor shows: one example of each chosen event. With more examples, the nodes behind the
 * trigger would run as many times, and for example post each of them in a chat.
 * @throws InvalidInput when there is no example
 */
export async function readExamples(
	watch: Watch,
	{ events, output }: Settings,
): Promise<INodeExecutionData[]> {
	const examples: Happening[] = [];
	for (const event of events) {
		const found = await FIND[event](watch);
		examples.push(...found.filter((one) => !watch.isIgnored(doerOf(one))).slice(0, 1));
	}
	if (examples.length > 0) return examples.map((example) => toItem(example, output));
	throw new InvalidInput(
		'Nothing to show yet',
		'There is no example for the filters and events chosen here. Publish the workflow anyway: it starts when such an event happens.',
	);
}
