import type { INodeProperties } from 'n8n-workflow';

import * as create from './create';
import * as remove from './delete';
import * as getAll from './getAll';

export const operations = {
	create: create.execute,
	delete: remove.execute,
	getAll: getAll.execute,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['comment'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create comment on case',
				description:
					'Add a comment to a case. Each run adds another one, also when n8n retries the node.',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete comment on case',
				description: "Delete a comment by its ID. This can't be undone.",
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many comments of case',
				description: 'Get the comments of a case',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
	...create.fields,
	...remove.fields,
];
