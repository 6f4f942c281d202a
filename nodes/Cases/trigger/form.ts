import type { INodeProperties, TriggerPanelDefinition } from 'n8n-workflow';

import { filtersField, PERIODS, type FilterName } from '../fields/filters/filters';
import { numberOption, optionsField, PAGE_SIZE } from '../fields/options';
import { CASE_OUTPUT } from '../fields/output';
import { ACTIVITY_TYPES } from '../fields/rows';
import { parseDate } from '../fields/dates';
import { isBlank } from '../fields/values';
import { EVENTS_FIELD } from './events';
import { IGNORED_USERS } from './ignoredUsers';

/** A text of the form. @param show the values of other fields beside which it stands */
export const notice = (
	name: string,
	show: Record<string, string[]>,
	displayName: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
	displayOptions: { show },
});

/** Stands beside the events that a workflow brings about when it comments. */
export const LOOP_NOTICE = notice(
	'loopNotice',
	{ events: ['commentAdded', 'activityAdded'] },
	"A workflow that comments starts this trigger again. To prevent it, add 'Ignore Service Accounts' under 'Options', or 'Ignored Users' if the workflow uses a person's key.",
);

const POLLS =
	"n8n looks for changes at each poll time, and starts the workflow if it finds some. You see these runs in the <a data-key='executions'>executions list</a>, not in the editor.";

const TEST =
	"<b>While you build the workflow</b>, click 'Fetch Test Event'. It shows a recent example of each event that you chose, as if it had just happened.<br /><br />";

/** What the editor shows beside the form. A link's `data-key` says what the editor does on a click. */
export const TRIGGER_PANEL: TriggerPanelDefinition = {
	header: 'Pull in recent case events',
	executionsHelp: {
		inactive: `${TEST}<b>When it is ready</b>, <a data-key='activate'>publish</a> it. Then ${POLLS}`,
		active: `${TEST}<b>The workflow is published</b>. ${POLLS}`,
	},
};

export const OPTIONS = optionsField({
	pageSize: PAGE_SIZE,
	maxCases: numberOption(
		'maxCases',
		'Max Cases per Poll',
		[1, 1_000_000],
		2000,
		'Maximum number of changed cases per poll. The rest follow at the next poll.',
	),
	/** Since when the first poll reports changes, in ms since the epoch; undefined means from now on. */
	startFrom: {
		form: {
			displayName: 'Start From',
			name: 'startFrom',
			type: 'dateTime',
			default: '',
			description:
				'When you publish for the first time, also report changes since this time. If empty, only later changes are reported.',
		},
		read: ({ startFrom }, { timezone }) =>
			isBlank(startFrom) ? undefined : parseDate(startFrom, timezone, 'Start From'),
	},
	...IGNORED_USERS,
});

/** The form of Activity Types, for the event that has them. */
export const activityTypesForm = ACTIVITY_TYPES.form.map((one) => ({
	...one,
	displayOptions: { show: { events: ['activityAdded'] } },
}));

/** Filters that a trigger doesn't have. It filters by the time of edits itself. */
export const HIDDEN_FILTERS: FilterName[] = [
	...PERIODS,
	'updated_at_start_date',
	'updated_at_end_date',
];

export const FILTERS = filtersField(HIDDEN_FILTERS);

/** The fields of the trigger, in the order of the form. n8n adds its own Poll Times. */
export const triggerFields: INodeProperties[] = [
	EVENTS_FIELD,
	LOOP_NOTICE,
	notice(
		'commentsNotice',
		{ events: ['commentAdded'] },
		"To test: publish, then comment on a case. If nothing has started after two polls, your service doesn't count a comment as a change of its case. Then add the filter 'Case IDs', or use the Cases Webhook Trigger.",
	),
	notice(
		'filtersNotice',
		{ events: ['commentAdded', 'activityAdded'] },
		"The filters apply to the case as it is at the poll. If it no longer matches by then, its comments and activities start nothing. With the filter 'Status' Open, for example, the change to Closed starts nothing.",
	),
	...activityTypesForm,
	...FILTERS.form,
	...CASE_OUTPUT.form,
	...OPTIONS.form,
];
