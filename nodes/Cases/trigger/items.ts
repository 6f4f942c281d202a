import { caseIdentity } from '../api/identity';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { readCases } from '../api/cases';
import { readComments } from '../api/comments';
import { shapeCase, type Output } from '../fields/output';
import { mapConcurrently } from '../api/pool';
import type { TriggerEvent } from './changes/poll';
import type { Case, Row } from '../api/types';
import type { EventName } from './events';
import type { Settings } from './settings';

/** Newest cases that a test run in the editor shows. */
const EXAMPLES = 10;

function item(json: Row): INodeExecutionData {
	return { json: json as IDataObject };
}

function caseItem(event: EventName, row: Case, output: Output): INodeExecutionData {
	return item({ event, ...shapeCase(row, output) });
}

function commentItem(case_id: unknown, case_name: unknown, comment: Row): INodeExecutionData {
	return item({ event: 'commentAdded', case_id, case_name, ...comment });
}

/** The flat item of an event. */
export function toItem(event: TriggerEvent, output: Output): INodeExecutionData {
	return event.event === 'commentAdded'
		? commentItem(event.caseId, event.caseName, event.comment)
		: caseItem(event.event, event.row, output);
}

/** The event that a test run shows a case as: the first chosen one that the case could have had. */
function exampleEvent(events: EventName[], row: Case): EventName | undefined {
	return events.find(
		(event) => event !== 'commentAdded' && (event !== 'caseClosed' || row.status === 'CLOSED'),
	);
}

/** What a test run in the editor shows: the newest matching cases and their comments, as if they had just come. */
export async function readExamples(settings: Settings): Promise<INodeExecutionData[]> {
	const { events, output, query } = settings;
	const { client, pageSize } = query;
	const { rows } = await readCases(
		client,
		{ ...query.query, order: 'RECENTLY_EDITED' },
		{ limit: EXAMPLES, pageSize, shape: (row) => row },
	);
	const cases = rows.flatMap((row) => {
		const event = exampleEvent(events, row);
		return event === undefined ? [] : [caseItem(event, row, output)];
	});
	if (!query.withComments) return cases;
	const comments = await mapConcurrently(rows.length, client.concurrency, async (index) => {
		const { case_id, name } = rows[index];
		const read = await readComments(client, caseIdentity(rows[index]), {
			limit: EXAMPLES,
			pageSize,
		});
		return read.rows.map((comment) => commentItem(case_id, name, comment));
	});
	return [...cases, ...comments.flat().slice(0, EXAMPLES)];
}
