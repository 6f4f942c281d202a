import type { INodeProperties } from 'n8n-workflow';

import * as clear from './clear';
import * as getAll from './getAll';
import * as replace from './replace';
import * as upsert from './upsert';

export { hints } from './hints';

export const operations = {
	clear: clear.execute,
	getAll: getAll.execute,
	replace: replace.execute,
	upsert: upsert.execute,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['action'] } },
		options: [
			{
				name: 'Clear',
				value: 'clear',
				action: 'Remove all action buttons of case',
				description: "Remove all actions from a case. This can't be undone.",
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update action buttons of case',
				description:
					'Create a new action (other actions of the case may lose their button texts), or update the current one if it already exists (upsert)',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many action buttons of case',
				description: "Get the actions of a case. The API doesn't return button texts.",
			},
			{
				name: 'Replace All',
				value: 'replace',
				action: 'Replace all action buttons of case',
				description: 'Set the actions of a case. All existing actions are removed.',
			},
		],
		default: 'replace',
	},
	...replace.fields,
	...upsert.fields,
	...clear.fields,
	...getAll.fields,
];
