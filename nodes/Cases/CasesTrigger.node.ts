import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { loadOptions } from './methods';
import { toNodeError } from './n8n/errors';
import { runPoll } from './trigger';
import { TRIGGER_PANEL, triggerFields } from './trigger/form';
import { SUBTITLE } from './trigger/events';

export class CasesTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Cases Trigger',
		name: 'casesTrigger',
		icon: { light: 'file:../../icons/cases.svg', dark: 'file:../../icons/cases.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: SUBTITLE,
		description:
			'Starts a workflow when cases are created, updated, closed or commented on, or match your filters',
		defaults: { name: 'Cases Trigger' },
		polling: true,
		triggerPanel: TRIGGER_PANEL,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'casesApi', required: true }],
		properties: triggerFields,
	};

	methods = { loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const items = await runPoll(this).catch((error: unknown) => {
			throw toNodeError(this, error);
		});
		return items.length === 0 ? null : [items];
	}
}
