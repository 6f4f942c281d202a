import type { INodeProperties, NodeHint } from 'n8n-workflow';

import * as clear from './clear';
import * as remove from './delete';
import * as getAll from './getAll';
import * as replace from './replace';
import * as sendAndWait from './sendAndWait';
import * as upsert from './upsert';

export { replyTo } from './sendAndWait/webhook';

export const operations = {
	clear: clear.execute,
	delete: remove.execute,
	getAll: getAll.execute,
	replace: replace.execute,
	sendAndWait: sendAndWait.execute,
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
				name: 'Ask and Wait',
				// n8n knows an operation that waits by this value.
				value: 'sendAndWait',
				action: 'Ask in case and wait',
				description: 'Put a question on a case as buttons, and wait until somebody presses one',
			},
			{
				name: 'Clear',
				value: 'clear',
				action: 'Clear case actions',
				description: "Remove all actions from a case. This can't be undone.",
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update case actions',
				description: 'Create a new action, or update the current one if it already exists (upsert)',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete case actions',
				description: 'Delete the actions of a case that have a label or a URL',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many case actions',
				description: 'Get the actions of a case, with their button texts',
			},
			{
				name: 'Replace All',
				value: 'replace',
				action: 'Replace all case actions',
				description: 'Replace all actions of a case. The existing ones are removed.',
			},
		],
		default: 'replace',
	},
	...replace.fields,
	...upsert.fields,
	...remove.fields,
	...clear.fields,
	...getAll.fields,
	...sendAndWait.fields,
];

/** What the editor shows before the first run of an operation that removes actions. */
export const hints: NodeHint[] = [
	{
		message:
			"Removes all existing actions of the case. This can't be undone. To see the effect first, turn on 'Preview Only' under 'Options'.",
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition:
			'={{ $parameter["resource"] === "action" && ["clear", "replace"].includes($parameter["operation"]) && !$parameter["options"]?.["previewOnly"] }}',
	},
];
