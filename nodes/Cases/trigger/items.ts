import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Row } from '../api/types';
import { shapeActivity, shapeCase, shapeComment, type Output } from '../fields/output';
import { identifyEvent, type Happening } from './changes/eventId';

export type { Happening };

/** Removes the `case_id` from a shaped comment or activity, as the item of the event has it already. */
function besideCase(shaped: Row): Row {
	return Object.fromEntries(Object.entries(shaped).filter(([name]) => name !== 'case_id'));
}

/**
 * The item of an event. All events have one shape: the event with its ID and time, the case, and the comment or activity
 * if there is one: raw as the service sends it, otherwise simplified.
 */
export function toItem(happening: Happening, output: Output): INodeExecutionData {
	const { event, row, comment, activity } = happening;
	const detailOutput = output.mode === 'raw' ? 'raw' : 'simplified';
	const own = { event, ...identifyEvent(happening) };
	const json: Row = {
		...own,
		...shapeCase(row, output),
		// First for their place, and again so that fields of these names in a case don't replace them.
		...own,
		...(comment && { comment: besideCase(shapeComment(comment, detailOutput)) }),
		...(activity && { activity: besideCase(shapeActivity(activity, detailOutput)) }),
	};
	return { json: json as IDataObject };
}
