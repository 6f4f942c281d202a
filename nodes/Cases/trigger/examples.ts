import type { INodeExecutionData } from 'n8n-workflow';

import { ApiFailure, InvalidInput } from '../api/failure';
import { caseIdentity } from '../api/identity';
import type { Case } from '../api/types';
import { isOfTypes } from '../fields/detailTypes';
import { secondOf } from './changes/state';
import type { Watch } from './changes/watch';
import type { EventName } from './events';
import { toItem, type Happening } from './items';
import type { Settings } from './settings';

/** Examples of each event that a test run in the editor shows at most. */
const EXAMPLES = 10;

/** Cases whose comments a test run reads at most, and before it checks whether it has found some. */
const CASES_WITH_COMMENTS = 50;
const CASES_AT_ONCE = 10;

/** The comments of cases; those of a case that can't be read are left out. */
async function readCommented({ cases, log }: Watch): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED', CASES_WITH_COMMENTS);
	for (let index = 0; index < rows.length; index += CASES_AT_ONCE) {
		const batch = rows.slice(index, index + CASES_AT_ONCE);
		const lists = await cases.map(batch.length, async (at) =>
			cases.readComments(caseIdentity(batch[at]), EXAMPLES).catch((failure: unknown) => {
				if (!(failure instanceof ApiFailure)) throw failure;
				log.info(`Skipped the comments of a case: ${failure.message}`);
				return [];
			}),
		);
		const found = lists.flatMap((comments, at) =>
			comments.map((comment): Happening => ({ event: 'commentAdded', row: batch[at], comment })),
		);
		if (found.length > 0) return found.slice(0, EXAMPLES);
	}
	return [];
}

/** Activities of the cases edited last, the newest first, as far as these carry them. */
async function readActive({ cases, activityTypes }: Watch): Promise<Happening[]> {
	const rows = await cases.readFirst('RECENTLY_EDITED', EXAMPLES);
	const madeAt = ({ activity }: Happening) => secondOf(activity?.created_at) ?? 0;
	return rows
		.flatMap((row) =>
			(Array.isArray(row.activities) ? row.activities : [])
				.filter(({ activity_type }) => isOfTypes(activity_type, [...activityTypes]))
				.map((activity): Happening => ({ event: 'activityAdded', row, activity })),
		)
		.sort((a, b) => madeAt(b) - madeAt(a))
		.slice(0, EXAMPLES);
}

/** Of the cases edited last, those that don't match the filters. */
async function readUnmatched({ cases, matching }: Watch): Promise<Happening[]> {
	const { rows } = await cases.fetchLastEdited();
	const matches = await matching!.among(rows.map(caseIdentity));
	return rows
		.filter((row) => !matches.has(caseIdentity(row)))
		.map((row) => ({ event: 'caseUnmatched', row }));
}

const ofCases =
	(event: EventName, read: (watch: Watch) => Promise<Case[]>) =>
	async (watch: Watch): Promise<Happening[]> =>
		(await read(watch)).map((row) => ({ event, row }));

const lastEdited = async ({ cases }: Watch) => await cases.readFirst('RECENTLY_EDITED', EXAMPLES);

/** How to find examples of each event: cases and comments to which it may have happened. */
const FIND: Record<EventName, (watch: Watch) => Promise<Happening[]>> = {
	activityAdded: readActive,
	caseCreated: ofCases('caseCreated', async ({ cases }) =>
		cases.readFirst('CREATED_DESC', EXAMPLES),
	),
	caseUpdated: ofCases('caseUpdated', lastEdited),
	caseClosed: ofCases('caseClosed', async ({ cases }) =>
		cases.readFirst('RECENTLY_EDITED', EXAMPLES, 'CLOSED'),
	),
	caseMatched: ofCases('caseMatched', lastEdited),
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
	for (const event of events) examples.push(...(await FIND[event](watch)));
	if (examples.length > 0) return examples.map((example) => toItem(example, output));
	throw new InvalidInput(
		'Nothing to show yet',
		'There is no example for the filters and events chosen here. Publish the workflow anyway: it starts when such an event happens.',
	);
}
