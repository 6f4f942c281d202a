import type { INodeProperties, TriggerPanelDefinition } from 'n8n-workflow';

import { filtersField, PERIODS } from '../fields/filters/filters';
import { numberOption, optionsField, PAGE_SIZE, type Option } from '../fields/options';
import { CASE_OUTPUT } from '../fields/output';
import { ACTIVITY_TYPES } from '../fields/types';
import { parseDate } from '../fields/dates';
import { isBlank } from '../fields/values';
import { EVENTS_FIELD, type EventName } from './events';
import { IGNORED_USERS, LOOP_NOTICE } from './ignoredUsers';

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
	"<b>While you build the workflow</b>, click 'Fetch Test Event'. It shows a recent example of each event that you chose, as if it had just happened.<br /><br />";

/** What the editor shows beside the form. A link's `data-key` says what the editor does on a click. */
export const TRIGGER_PANEL: TriggerPanelDefinition = {
	header: 'Pull in recent case events',
	executionsHelp: {
		inactive: `${TEST}<b>When it is ready</b>, <a data-key='activate'>publish</a> it. Then ${POLLS}`,
		active: `${TEST}<b>The workflow is published</b>. ${POLLS}`,
	},
};

/** The option Start From: since when the first poll reports changes, in ms since the epoch; undefined means from now on. */
const START_FROM: Option<number | undefined> = {
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
	startFrom: START_FROM,
	...IGNORED_USERS,
});

/** The form of Activity Types, for the event that has them. */
export const activityTypesForm = ACTIVITY_TYPES.form.map((one) => ({
	...one,
	displayOptions: { show: { events: ['activityAdded'] } },
}));

// The trigger itself filters by the time of edits, so the form leaves these two filters out.
export const FILTERS = filtersField([...PERIODS, 'updated_at_start_date', 'updated_at_end_date']);

/** The fields of the trigger, in the order of the form. n8n adds its own Poll Times. */
export const triggerFields: INodeProperties[] = [
	EVENTS_FIELD,
	LOOP_NOTICE,
	notice(
		'commentsNotice',
		['commentAdded'],
		"To test: publish, then comment on a case. If nothing has started after two polls, your service doesn't count a comment as a change of its case. Then add the filter 'Case IDs', or use the Cases Webhook Trigger.",
	),
	notice(
		'filtersNotice',
		['commentAdded', 'activityAdded'],
		"The filters apply to the case as it is at the poll. If it no longer matches by then, its comments and activities start nothing. With the filter 'Status' Open, for example, the change to Closed starts nothing.",
	),
	...activityTypesForm,
	...FILTERS.form,
	...CASE_OUTPUT.form,
	...OPTIONS.form,
];
