import type { INodeExecutionData } from 'n8n-workflow';

import { ApiFailure, InvalidInput } from '../api/failures/failure';
import { caseIdentity } from '../api/identity';
import type { Activity, Case } from '../api/types';
import { isOfTypes } from '../fields/detailTypes';
import { secondOf } from './changes/state';
import type { Watch } from './changes/watch';
import type { EventName } from './events';
import { toItem, type Happening } from './items';
import type { Settings } from './settings';

/** Of the cases edited last, those in which a test run looks for a comment or an activity. */
const CASES = 20;

/** Comments of a case that a test run reads. */
const COMMENTS = 10;

const madeAt = ({ comment, activity }: Happening) =>
	secondOf((comment ?? activity)?.created_at) ?? 0;

const newestFirst = (entries: Happening[]) => entries.sort((a, b) => madeAt(b) - madeAt(a));

/** Comments on the cases edited last. A case whose comments can't be read has none. */
async function readCommented({ cases }: Watch): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED', CASES);
	const lists = await cases.map(rows.length, async (index) =>
		cases.readComments(caseIdentity(rows[index]), COMMENTS).catch((failure: unknown) => {
			if (!(failure instanceof ApiFailure)) throw failure;
			return [];
		}),
	);
	const commented = lists.flatMap((comments, index) =>
		comments.map((comment): Happening => ({ event: 'commentAdded', row: rows[index], comment })),
	);
	return newestFirst(commented);
}

/** Activities of the cases edited last, as far as these carry them. */
async function readActive({ cases, activityTypes }: Watch): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED', CASES);
	const isWanted = ({ activity_type }: Activity) => isOfTypes(activity_type, [...activityTypes]);
	const active = rows.flatMap((row) => {
		const carried = Array.isArray(row.activities) ? (row.activities as Activity[]) : [];
		return carried
			.filter(isWanted)
			.map((activity): Happening => ({ event: 'activityAdded', row, activity }));
	});
	return newestFirst(active);
}

/** Of the cases edited last, those that don't match the filters. */
async function readUnmatched({ cases }: Watch): Promise<Happening[]> {
	const { rows } = await cases.fetchLastEdited();
	const matches = await cases.among(rows.map(caseIdentity));
	const others = rows.filter((row) => !matches.has(caseIdentity(row)));
	return others.map((row) => ({ event: 'caseUnmatched', row }));
}

const firstCase =
	(event: EventName, ...[order, status]: [order: 'CREATED_DESC' | 'RECENTLY_EDITED', 'CLOSED'?]) =>
	async ({ cases }: Watch): Promise<Happening[]> =>
		(await cases.readFirst(order, 1, status)).map((row: Case) => ({ event, row }));

/** How to find examples of each event, the newest first: cases and comments to which it may have happened. */
const FIND: Record<EventName, (watch: Watch) => Promise<Happening[]>> = {
	activityAdded: readActive,
	caseCreated: firstCase('caseCreated', 'CREATED_DESC'),
	caseUpdated: firstCase('caseUpdated', 'RECENTLY_EDITED'),
	caseClosed: firstCase('caseClosed', 'RECENTLY_EDITED', 'CLOSED'),
	caseMatched: firstCase('caseMatched', 'RECENTLY_EDITED'),
	caseUnmatched: readUnmatched,
	commentAdded: readCommented,
};

/**
 * What a test run in the editor shows: one example of each chosen event, as if it had just happened. More of them would
 * make what stands behind the trigger run as many times, such as a message in a chat.
 * @throws InvalidInput when there are none
 */
export async function readExamples(
	watch: Watch,
	{ events, output }: Settings,
): Promise<INodeExecutionData[]> {
	const examples: Happening[] = [];
	for (const event of events) examples.push(...(await FIND[event](watch)).slice(0, 1));
	if (examples.length > 0) return examples.map((example) => toItem(example, output));
	throw new InvalidInput(
		'Nothing to show yet',
		'There is no example for the filters and events chosen here. Publish the workflow anyway: it starts when such an event happens.',
	);
}
