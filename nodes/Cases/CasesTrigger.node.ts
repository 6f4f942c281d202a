import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { filtersField } from './fields/filters';
import { numberOption, optionsField } from './fields/options';
import { outputFields } from './fields/output';
import { loadOptions } from './methods';
import { toNodeError } from './n8n/errors';
import { runPoll } from './trigger';
import { EVENTS_FIELD, SUBTITLE } from './trigger/events';

const START_FROM: INodeProperties = {
	displayName: 'Start From',
	name: 'startFrom',
	type: 'dateTime',
	default: '',
	description:
		'How far back the first poll goes. If it is empty, only what happens after the workflow is published starts it.',
};

export class CasesTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases Trigger',
		name: 'casesTrigger',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Starts the workflow when cases are created, updated, closed or commented',
		defaults: { name: 'Cases Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		properties: [
			EVENTS_FIELD,
			{
				displayName:
					'Comments are read of cases that changed since the last poll. If the service does not count a comment as a change, comments on other cases are missed: add the filter Case IDs, and these cases are read in every poll.',
				name: 'commentsNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { events: ['commentAdded'] } },
			},
			filtersField(undefined, ['updated_at_start_date', 'updated_at_end_date']),
			...outputFields(),
			optionsField(undefined, numberOption('pageSize'), numberOption('maxCases'), START_FROM),
		],
	};

	methods = { loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const items = await runPoll(this);
			return items.length === 0 ? null : [items];
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
}
