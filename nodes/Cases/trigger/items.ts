import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { InvalidInput } from '../api/failure';
import { caseIdentity } from '../api/identity';
import type { Case, Row } from '../api/types';
import { shapeCase, type Output } from '../fields/output';
import type { TriggerEvent } from './changes/findEvents';
import type { EventName } from './events';
import type { Settings } from './settings';

/** Cases, and comments, that a test run in the editor shows at most. */
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

/**
 * What a test run in the editor shows: the last edited cases and their comments, as if they had just come.
 * @throws InvalidInput when there are none
 */
export async function readExamples({
	events,
	output,
	watch,
}: Settings): Promise<INodeExecutionData[]> {
	const rows = await watch.cases.readLastEdited(EXAMPLES);
	const cases = rows.flatMap((row) => {
		const event = exampleEvent(events, row);
		return event === undefined ? [] : [caseItem(event, row, output)];
	});
	const lists = watch.withComments
		? await watch.cases.readComments(rows.map(caseIdentity), { limit: EXAMPLES })
		: [];
	const comments = lists.flatMap((list, index) => {
		const { case_id, name } = rows[index];
		return list.map((comment) => commentItem(case_id, name, comment));
	});
	const examples = [...cases, ...comments.slice(0, EXAMPLES)];
	if (examples.length > 0) return examples;
	throw new InvalidInput(
		'No case matches right now',
		'A test shows the newest matching cases. Loosen the filters to see an example; once the workflow is published, new events start it.',
	);
}
