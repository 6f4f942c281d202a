import type { INodeProperties } from 'n8n-workflow';

import * as count from './count';
import * as digest from './digest';
import * as get from './get';
import * as getAll from './getAll';

export const operations = {
	count: count.execute,
	digest: digest.execute,
	get: get.execute,
	getAll: getAll.execute,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['case'] } },
		options: [
			{
				name: 'Count',
				value: 'count',
				action: 'Count cases',
				description: 'Count the cases that match the filters',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get case',
				description: 'Get one case, chosen from a list, by ID or by URL',
			},
			{
				name: 'Get as Text',
				value: 'digest',
				action: 'Get case as text',
				description:
					'Get a case as one readable text, with its history, comments and records: for a model, a mail or a ticket',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many cases',
				description: 'Get the cases that match the filters',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
	...get.fields,
	...digest.fields,
	...count.fields,
];
