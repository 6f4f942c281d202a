import type { INodeProperties } from 'n8n-workflow';

import { filtersField } from '../fields/filters';
import { numberOption, optionsField } from '../fields/options';
import { outputFields } from '../fields/output';
import { EVENTS_FIELD } from './events';

const COMMENTS_NOTICE: INodeProperties = {
	displayName:
		'Comments are read of cases that changed since the last poll. If the service does not count a comment as a change, comments on other cases are missed: add the filter Case IDs, and these cases are read in every poll.',
	name: 'commentsNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { events: ['commentAdded'] } },
};

const START_FROM: INodeProperties = {
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	description:
		'How far back the first poll goes. If it is empty, only what happens after the workflow is published starts it.',
};

/** The fields of the trigger, in the order of the form. n8n adds its own Poll Times. */
export const triggerFields: INodeProperties[] = [
	EVENTS_FIELD,
	COMMENTS_NOTICE,
	// The trigger sets the time of edits itself.
	filtersField(undefined, ['updated_at_start_date', 'updated_at_end_date']),
	...outputFields(),
	optionsField(undefined, numberOption('pageSize'), numberOption('maxCases'), START_FROM),
];
