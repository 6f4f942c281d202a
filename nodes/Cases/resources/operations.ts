// Law of this folder: an operation has one file, named as workflows store the operation, with its form above and its
// behaviour below. Its texts are in the table here. Close and Reopen are in the file of Update.

import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../n8n/run';
import * as clearActions from './action/clear';
import * as deleteActions from './action/delete';
import * as getAllActions from './action/getAll';
import * as replaceActions from './action/replace';
import * as sendAndWait from './action/sendAndWait';
import * as upsertActions from './action/upsert';
import * as getAllActivities from './activity/getAll';
import * as countCases from './case/count';
import * as createCase from './case/create';
import * as digestCase from './case/digest';
import * as getCase from './case/get';
import * as getAllCases from './case/getAll';
import { close, reopen, update } from './case/update';
import * as createComment from './comment/create';
import * as deleteComment from './comment/delete';
import * as getAllComments from './comment/getAll';
import * as getAllRecords from './record/getAll';

export interface Resource {
	name: string;
	description: string;
	/** The operation that the form selects at first. */
	default: string;
	operations: Record<string, OperationEntry>;
}

interface OperationEntry {
	name: string;
	/** The operation's name in n8n's list of the actions of all nodes, and in the subtitle of the node. */
	action: string;
	description: string;
	fields: INodeProperties[];
	execute: Operation;
}

/** All resources and operations, by the names that workflows store. */
export const RESOURCES: Record<string, Resource> = {
	activity: {
		name: 'Activity',
		description: 'The history of a case: who did what and when, comments included',
		default: 'getAll',
		operations: {
			getAll: {
				...getAllActivities,
				name: 'Get Many',
				action: 'Get many activities of case',
				description: 'Get the activities of a case',
			},
		},
	},
	case: {
		name: 'Case',
		description: 'Create, update, close, find or count cases, or get one as a text',
		default: 'getAll',
		operations: {
			close: {
				...close,
				name: 'Close',
				action: 'Close case',
				description: 'Close a case. The service refuses until its closure conditions are met.',
			},
			count: {
				...countCases,
				name: 'Count',
				action: 'Count cases',
				description: 'Count the cases that match the filters',
			},
			create: {
				...createCase,
				name: 'Create',
				action: 'Create case',
				description:
					'Create a new case in a team. Each run creates another one, also when n8n retries the node.',
			},
			get: {
				...getCase,
				name: 'Get',
				action: 'Get case',
				description: 'Get one case, chosen from a list, by ID or by URL',
			},
			digest: {
				...digestCase,
				name: 'Get as Text',
				action: 'Get case as text',
				description:
					'Get a case as one readable text, with its history, comments and records: for a model, a mail or a ticket',
			},
			getAll: {
				...getAllCases,
				name: 'Get Many',
				action: 'Get many cases',
				description: 'Get the cases that match the filters',
			},
			reopen: {
				...reopen,
				name: 'Reopen',
				action: 'Reopen case',
				description: 'Open a closed case again',
			},
			update: {
				...update,
				name: 'Update',
				action: 'Update case',
				description:
					'Change fields, assignees or tags of a case. Only the fields that are given are overwritten.',
			},
		},
	},
	action: {
		name: 'Case Action',
		description: 'A button on a case, which people press; not a step of the workflow',
		default: 'replace',
		operations: {
			// By this name n8n recognizes an operation that waits.
			sendAndWait: {
				...sendAndWait,
				name: 'Ask and Wait',
				action: 'Ask in case and wait',
				description: 'Put a question on a case as buttons, and wait until somebody presses one',
			},
			clear: {
				...clearActions,
				name: 'Clear',
				action: 'Clear case actions',
				description: "Remove all actions from a case. This can't be undone.",
			},
			upsert: {
				...upsertActions,
				name: 'Create or Update',
				action: 'Create or update case actions',
				description: 'Create a new action, or update the current one if it already exists (upsert)',
			},
			delete: {
				...deleteActions,
				name: 'Delete',
				action: 'Delete case actions',
				description: 'Delete the actions of a case that have a label or a URL',
			},
			getAll: {
				...getAllActions,
				name: 'Get Many',
				action: 'Get many case actions',
				description: 'Get the actions of a case, with their button texts',
			},
			replace: {
				...replaceActions,
				name: 'Replace All',
				action: 'Replace all case actions',
				description: 'Replace all actions of a case. The existing ones are removed.',
			},
		},
	},
	comment: {
		name: 'Comment',
		description: 'What people and workflows write on a case',
		default: 'getAll',
		operations: {
			create: {
				...createComment,
				name: 'Create',
				action: 'Create comment on case',
				description:
					'Add a comment to a case. Each run adds another one, also when n8n retries the node.',
			},
			delete: {
				...deleteComment,
				name: 'Delete',
				action: 'Delete comment on case',
				description: "Delete a comment by its ID. This can't be undone.",
			},
			getAll: {
				...getAllComments,
				name: 'Get Many',
				action: 'Get many comments of case',
				description: 'Get the comments of a case',
			},
		},
	},
	record: {
		name: 'Record',
		description: 'The structured data of a case, such as IP addresses, hosts or users',
		default: 'getAll',
		operations: {
			getAll: {
				...getAllRecords,
				name: 'Get Many',
				action: 'Get many records of case',
				description: 'Get the records of a case, each as one flat item',
			},
		},
	},
};
