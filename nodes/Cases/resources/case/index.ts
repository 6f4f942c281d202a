import type { INodeProperties } from 'n8n-workflow';

import * as close from './close';
import * as count from './count';
import * as create from './create';
import * as digest from './digest';
import * as get from './get';
import * as getAll from './getAll';
import * as reopen from './reopen';
import * as update from './update';

export const operations = {
	close: close.execute,
	count: count.execute,
	create: create.execute,
	digest: digest.execute,
	get: get.execute,
	getAll: getAll.execute,
	reopen: reopen.execute,
	update: update.execute,
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
				name: 'Close',
				value: 'close',
				action: 'Close case',
				description: 'Close a case. The service refuses it while closure conditions are not met.',
			},
			{
				name: 'Count',
				value: 'count',
				action: 'Count cases',
				description: 'Count the cases that match the filters',
			},
			{
				name: 'Create',
				value: 'create',
				action: 'Create case',
				description:
					'Create a new case in a team. Each run creates another one, also when n8n retries the node.',
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
			{
				name: 'Reopen',
				value: 'reopen',
				action: 'Reopen case',
				description: 'Open a closed case again',
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update case',
				description:
					'Change fields, assignees or tags of a case. Only the fields that are given are overwritten.',
			},
		],
		default: 'getAll',
	},
	...getAll.fields,
	...get.fields,
	...digest.fields,
	...count.fields,
	...create.fields,
	...update.fields,
	...close.fields,
	...reopen.fields,
];
