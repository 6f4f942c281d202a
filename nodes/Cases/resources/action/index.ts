import type { INodeProperties } from 'n8n-workflow';

import * as clear from './clear';
import * as getAll from './getAll';
import * as replace from './replace';
import * as upsert from './upsert';

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
				action: 'Remove all actions of a case',
				description: 'Remove all actions of a case; cannot be undone',
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update actions of a case',
				description: 'Create a new record, or update the current one if it already exists (upsert)',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many actions of a case',
				description: 'Get the actions of a case, without their button texts',
			},
			{
				name: 'Replace All',
				value: 'replace',
				action: 'Replace all actions of a case',
				description: 'Give a case new actions; all that it had are removed',
			},
		],
		default: 'replace',
	},
	...replace.fields,
	...upsert.fields,
	...clear.fields,
	...getAll.fields,
];
