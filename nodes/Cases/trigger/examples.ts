import type { INodeExecutionData } from 'n8n-workflow';

import { InvalidInput } from '../api/failure';
import { caseIdentity } from '../api/identity';
import { parseTimestamp } from '../api/timestamps';
import type { Activity, Case } from '../api/types';
import { hasWholeId, numberOfCase } from './changes/memory';
import type { Watch } from './changes/watch';
import type { WatchedCases } from './changes/watchedCases';
import type { EventName } from './events';
import { toItem, type Happening } from './items';
import type { Settings } from './settings';

/** Examples of each event that a test run in the editor shows at most. */
const EXAMPLES = 10;

/** Cases whose comments a test run reads at most. */
const CASES_WITH_COMMENTS = 50;

/** Cases whose comments it reads before it checks whether it has found some. */
const CASES_AT_ONCE = 10;

async function readCommented(cases: WatchedCases): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED', CASES_WITH_COMMENTS);
	for (let index = 0; index < rows.length; index += CASES_AT_ONCE) {
		const batch = rows.slice(index, index + CASES_AT_ONCE);
		const lists = await cases.readComments(batch.map(caseIdentity), { limit: EXAMPLES });
		const found = lists.flatMap((comments, at) =>
			(Array.isArray(comments) ? comments : []).map((comment): Happening => {
				return { event: 'commentAdded', row: batch[at], comment };
			}),
		);
		if (found.length > 0) return found.slice(0, EXAMPLES);
	}
	return [];
}

const ofCases =
	(event: EventName, read: (cases: WatchedCases) => Promise<Case[]>) =>
	async (cases: WatchedCases): Promise<Happening[]> =>
		(await read(cases)).map((row) => ({ event, row }));

/** Activities of the cases edited last, the newest first, as far as these carry them. */
function activitiesOf(isWanted: (activity: Activity) => boolean) {
	return async (cases: WatchedCases): Promise<Happening[]> => {
		const rows = await cases.readFirst('RECENTLY_EDITED', EXAMPLES);
		const lists = await cases.readActivities(rows.map((row) => ({ row, isClose: false })));
		return rows
			.flatMap((row, index) =>
				lists[index]
					.filter(isWanted)
					.map((activity): Happening => ({ event: 'activityAdded', row, activity })),
			)
			.sort((a, b) => madeAt(b) - madeAt(a))
			.slice(0, EXAMPLES);
	};
}

/** Of the cases edited last, those that don't match the filters. */
async function readUnmatched(cases: WatchedCases, { matching }: Watch): Promise<Happening[]> {
	const { rows } = await cases.fetchLastEdited();
	const idOf = (row: Case) => numberOfCase(caseIdentity(row));
	const matches = await matching!.among(rows.map(idOf).filter(hasWholeId));
	return rows
		.filter((row) => !matches.has(idOf(row)))
		.map((row) => ({ event: 'caseUnmatched', row }));
}

const madeAt = ({ activity }: Happening) => parseTimestamp(activity?.created_at) || 0;

/** How to find examples of each event: cases and comments to which it may have happened. */
const FIND: Record<EventName, (cases: WatchedCases, watch: Watch) => Promise<Happening[]>> = {
	activityAdded: async (cases, { isActivityWanted = () => true }) =>
		await activitiesOf(isActivityWanted)(cases),
	caseCreated: ofCases('caseCreated', (cases) => cases.readFirst('CREATED_DESC', EXAMPLES)),
	caseUpdated: ofCases('caseUpdated', (cases) => cases.readFirst('RECENTLY_EDITED', EXAMPLES)),
	caseClosed: ofCases('caseClosed', (cases) =>
		cases.readFirst('RECENTLY_EDITED', EXAMPLES, 'CLOSED'),
	),
	caseMatched: ofCases('caseMatched', (cases) => cases.readFirst('RECENTLY_EDITED', EXAMPLES)),
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
	for (const event of events) examples.push(...(await FIND[event](watch.cases, watch)));
	if (examples.length > 0) return examples.map((example) => toItem(example, output));
	throw new InvalidInput(
		'Nothing to show yet',
		'There is no example for the filters and events chosen here. Publish the workflow anyway: it starts when such an event happens.',
	);
}
