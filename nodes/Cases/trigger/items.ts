import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Activity, Row } from '../api/types';
import { shapeActivity, shapeCase, shapeComment, type Output } from '../fields/output';
import { identifyEvent, type Happening } from './changes/eventId';

/** The field of an item with a comment or activity, without its `case_id`, because the item has the `case_id` already. */
function fieldOf(entry: Activity, event: string, output: Output): Row {
	const [name, shape] =
		event === 'commentAdded' ? ['comment', shapeComment] : ['activity', shapeActivity];
	const shaped = Object.entries(shape(entry, output.mode === 'raw' ? 'raw' : 'simplified'));
	return { [name]: Object.fromEntries(shaped.filter(([key]) => key !== 'case_id')) };
}

/**
 * Makes the item of an event: its name, ID and time, the case, and the comment or activity if there is one. A comment or
 * activity is raw if the case is raw, and otherwise simplified.
 */
export function toItem(happening: Happening, output: Output): INodeExecutionData {
	const { event, row, entry } = happening;
	const own = { event, ...identifyEvent(happening) };
	const json: Row = {
		...own,
		...shapeCase(row, output),
		// `own` is here a second time, so that no field of the case replaces it. Above it sets the order of the fields.
		...own,
		...(entry && fieldOf(entry, event, output)),
	};
	return { json: json as IDataObject };
}
