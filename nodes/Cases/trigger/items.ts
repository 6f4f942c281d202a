import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Row } from '../api/types';
import { shapeActivity, shapeCase, shapeComment, type Output } from '../fields/output';
import { identifyEvent, type Happening } from './changes/eventId';

/** Removes the `case_id` from a shaped comment or activity, because the item of the event has the `case_id` already. */
function besideCase(shaped: Row): Row {
	return Object.fromEntries(Object.entries(shaped).filter(([name]) => name !== 'case_id'));
}

/**
 * Makes the item of an event: its name, ID and time, the case, and the comment or activity if there is one. A comment or
 * activity is raw if the case is raw, and otherwise simplified.
 */
export function toItem(happening: Happening, output: Output): INodeExecutionData {
	const { event, row, comment, activity } = happening;
	const detailOutput = output.mode === 'raw' ? 'raw' : 'simplified';
	const own = { event, ...identifyEvent(happening) };
	const json: Row = {
		...own,
		...shapeCase(row, output),
		// `own` is here a second time, so that no field of the case replaces it. Above it sets the order of the fields.
		...own,
		...(comment && { comment: besideCase(shapeComment(comment, detailOutput)) }),
		...(activity && { activity: besideCase(shapeActivity(activity, detailOutput)) }),
	};
	return { json: json as IDataObject };
}
