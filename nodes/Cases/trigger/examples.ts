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

/** Examples of each event that a test run in the editor shows at most. */
const EXAMPLES = 10;

/** Cases whose comments a test run reads. */
const CASES_WITH_COMMENTS = 20;

/** Comments on the cases edited last. A case whose comments can't be read has none. */
async function readCommented({ cases }: Watch): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED', CASES_WITH_COMMENTS);
	const lists = await cases.map(rows.length, async (index) =>
		cases.readComments(caseIdentity(rows[index]), EXAMPLES).catch((failure: unknown) => {
			if (!(failure instanceof ApiFailure)) throw failure;
			return [];
		}),
	);
	return lists.flatMap((comments, index) =>
		comments.map((comment) => ({ event: 'commentAdded', row: rows[index], comment })),
	);
}

/** Activities of the cases edited last, the newest first, as far as these carry them. */
async function readActive({ cases, activityTypes }: Watch): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED', EXAMPLES);
	const isWanted = ({ activity_type }: Activity) => isOfTypes(activity_type, [...activityTypes]);
	const madeAt = ({ activity }: Happening) => secondOf(activity?.created_at) ?? 0;
	return rows
		.flatMap((row) => {
			const carried = Array.isArray(row.activities) ? (row.activities as Activity[]) : [];
			return carried
				.filter(isWanted)
				.map((activity): Happening => ({ event: 'activityAdded', row, activity }));
		})
		.sort((a, b) => madeAt(b) - madeAt(a));
}

/** Of the cases edited last, those that don't match the filters. */
async function readUnmatched({ cases }: Watch): Promise<Happening[]> {
	const { rows } = await cases.fetchLastEdited();
	const matches = await cases.among(rows.map(caseIdentity));
	const others = rows.filter((row) => !matches.has(caseIdentity(row)));
	return others.map((row) => ({ event: 'caseUnmatched', row }));
}

const firstCases =
	(event: EventName, ...[order, status]: [order: 'CREATED_DESC' | 'RECENTLY_EDITED', 'CLOSED'?]) =>
	async ({ cases }: Watch): Promise<Happening[]> =>
		(await cases.readFirst(order, EXAMPLES, status)).map((row: Case) => ({ event, row }));

/** How to find examples of each event: cases and comments to which it may have happened. */
const FIND: Record<EventName, (watch: Watch) => Promise<Happening[]>> = {
	activityAdded: readActive,
	caseCreated: firstCases('caseCreated', 'CREATED_DESC'),
	caseUpdated: firstCases('caseUpdated', 'RECENTLY_EDITED'),
	caseClosed: firstCases('caseClosed', 'RECENTLY_EDITED', 'CLOSED'),
	caseMatched: firstCases('caseMatched', 'RECENTLY_EDITED'),
	caseUnmatched: readUnmatched,
	commentAdded: readCommented,
};

/**
 * What a test run in the editor shows: examples of each chosen event, the newest first, as if they had just happened.
 * @throws InvalidInput when there are none
 */
export async function readExamples(
	watch: Watch,
	{ events, output }: Settings,
): Promise<INodeExecutionData[]> {
	const examples: Happening[] = [];
	for (const event of events) examples.push(...(await FIND[event](watch)).slice(0, EXAMPLES));
	if (examples.length > 0) return examples.map((example) => toItem(example, output));
	throw new InvalidInput(
		'Nothing to show yet',
		'There is no example for the filters and events chosen here. Publish the workflow anyway: it starts when such an event happens.',
	);
}
