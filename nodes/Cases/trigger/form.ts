import type { INodeProperties, TriggerPanelDefinition } from 'n8n-workflow';

import { typesField } from '../fields/detailTypes';
import { filtersField } from '../fields/filters/filters';
import { numberOption, optionsField } from '../fields/options';
import { outputFields } from '../fields/output';
import { START_FROM } from '../fields/startFrom';
import { EVENTS_FIELD, type EventName } from './events';

const notice = (name: string, events: EventName[], displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	displayOptions: { show: { events } },
});

const POLLS =
	"n8n looks for changes at each poll time, and starts the workflow if it finds some. You see these runs in the <a data-key='executions'>executions list</a>, not in the editor.";

const TEST =
	"<b>While you build the workflow</b>, click 'Fetch Test Event'. It shows up to ten recent examples of each event that you chose, as if they had just happened.<br /><br />";

/** What the editor shows beside the form. It runs the links by their `data-key`. */
export const TRIGGER_PANEL: TriggerPanelDefinition = {
	header: 'Pull in recent case events',
	executionsHelp: {
		inactive: `${TEST}<b>When it is ready</b>, <a data-key='activate'>publish</a> it. Then ${POLLS}`,
		active: `${TEST}<b>The workflow is published</b>. ${POLLS}`,
	},
};

/** The fields of the trigger, in the order of the form. n8n adds its own Poll Times. */
export const triggerFields: INodeProperties[] = [
	EVENTS_FIELD,
	notice(
		'commentsNotice',
		['commentAdded'],
		"Each poll reads the comments of cases that changed since the last poll. If your service doesn't count a comment as a change of its case, the comment is missed. To read the comments of certain cases at every poll, add the filter 'Case IDs'.",
	),
	notice(
		'filtersNotice',
		['commentAdded', 'activityAdded'],
		"Filters look at the case as it is at the poll. A comment or activity on a case that no longer matches by then starts nothing: with the filter 'Status' Open, the change to Closed doesn't.",
	),
	typesField('activityTypes', { show: { events: ['activityAdded'] } }),
	// The trigger sets the time of edits itself.
	filtersField(undefined, ['updated_at_start_date', 'updated_at_end_date']),
	...outputFields(),
	optionsField(undefined, numberOption('pageSize'), numberOption('maxCases'), START_FROM),
];
