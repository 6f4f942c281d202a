import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { filtersField, outputFields } from './fields/descriptions';
import { toNodeError } from './n8n/errors';
import { getTags, getTeams, getUserEmails, getUserIds } from './methods/loadOptions';
import { triggerOptionsField } from './fields/options';
import { runPoll } from './trigger';

const EVENTS = [
	{
		name: 'Case Closed',
		value: 'caseClosed',
		description: 'A case was closed since it was last seen',
	},
	{
		name: 'Case Created',
		value: 'caseCreated',
		description: 'A case was created since the last poll',
	},
	{
		name: 'Case Updated',
		value: 'caseUpdated',
		description:
			'A case was edited in another way, or matches the filters only now. Edits between two polls count as one.',
	},
	{
		name: 'Comment Added',
		value: 'commentAdded',
		description: 'A case has a new comment',
	},
];

const EVENT_NAMES = JSON.stringify(
	Object.fromEntries(EVENTS.map(({ value, name }) => [value, name])),
);

export class CasesTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases Trigger',
		name: 'casesTrigger',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: `={{ $parameter["events"].map((event) => (${EVENT_NAMES})[event]).join(", ") }}`,
		description: 'Starts the workflow when cases are created, updated, closed or commented',
		defaults: { name: 'Cases Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		properties: [
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: ['caseCreated'],
				options: EVENTS,
				description: 'What starts the workflow',
			},
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
			triggerOptionsField,
		],
	};

	methods = {
		loadOptions: { getTags, getTeams, getUserEmails, getUserIds },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const items = await runPoll(this);
			return items.length === 0 ? null : [items];
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
}
