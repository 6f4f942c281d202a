import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Case, Comment, Row } from '../api/types';
import { shapeCase, shapeComment, type Output } from '../fields/output';
import type { EventName } from './events';

/** What an item is about: an event of a case and, if it is a new comment, that comment. */
export interface Happening {
	event: EventName;
	row: Case;
	comment?: Comment;
}

/** A comment without its `case_id`, which stands beside it: raw as the service sends it, otherwise simplified. */
function shapeBesideCase(comment: Comment, output: Output): Row {
	const shaped = shapeComment(comment, output.mode === 'raw' ? 'raw' : 'simplified');
	return Object.fromEntries(Object.entries(shaped).filter(([name]) => name !== 'case_id'));
}

/** The item of an event. All events have one shape: the event, the case, and the comment if there is one. */
export function toItem({ event, row, comment }: Happening, output: Output): INodeExecutionData {
	const own = { event };
	const json: Row = {
		...own,
		...shapeCase(row, output),
		// Again, in case the service sends fields of these names.
		...own,
		...(comment && { comment: shapeBesideCase(comment, output) }),
	};
	return { json: json as IDataObject };
}
