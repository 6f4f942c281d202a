// Law of this folder: an operation has one file, named as workflows store the operation, with its texts and its form above
// and its behavior below. The table here has only its name. Close and Reopen are in the file of Update.

import { clear } from './action/clear';
import { deleteMatching } from './action/delete';
import { getAll as getAllActions } from './action/getAll';
import { replace } from './action/replace';
import { sendAndWait } from './action/sendAndWait';
import { upsert } from './action/upsert';
import { getAll as getAllActivities } from './activity/getAll';
import { count } from './case/count';
import { create as createCase } from './case/create';
import { deleteCase } from './case/delete';
import { digest } from './case/digest';
import { get } from './case/get';
import { getAll as getAllCases } from './case/getAll';
import { link as linkCase } from './case/link';
import { unlink as unlinkCase } from './case/unlink';
import { close, reopen, update } from './case/update';
import { create as createComment } from './comment/create';
import { deleteComment } from './comment/delete';
import { getAll as getAllComments } from './comment/getAll';
import { update as updateComment } from './comment/update';
import type { Definition } from './define';
import { deleteFile } from './file/delete';
import { download } from './file/download';
import { getAll as getAllFiles } from './file/getAll';
import { upload } from './file/upload';
import { create as createRecord } from './record/create';
import { getAll as getAllRecords } from './record/getAll';
import { link as linkRecord } from './record/link';
import { unlink as unlinkRecord } from './record/unlink';
import { create as createTask } from './task/create';
import { deleteTask } from './task/delete';
import { getAll as getAllTasks } from './task/getAll';
import { update as updateTask } from './task/update';

export interface Resource {
	name: string;
	description: string;
	/** The operation that the form selects at first. `getAll`, unless this says otherwise. */
	default?: string;
	operations: Record<string, Definition>;
}

/** All resources and operations, by the names that workflows store, in the order of their labels. */
export const RESOURCES: Record<string, Resource> = {
	activity: {
		name: 'Activity',
		description: 'The history of a case: who did what and when, comments included',
		operations: { getAll: getAllActivities },
	},
	case: {
		name: 'Case',
		description: 'Create, update, close, link, find or count cases, or get one as a text',
		operations: {
			...{ close, count, create: createCase, delete: deleteCase, get, digest },
			...{ getAll: getAllCases, link: linkCase, reopen, unlink: unlinkCase, update },
		},
	},
	action: {
		name: 'Case Action',
		description: 'A button on a case, which people press; not a step of the workflow',
		default: 'replace',
		operations: {
			// By this name n8n recognizes an operation that waits.
			sendAndWait,
			...{ clear, upsert, delete: deleteMatching, getAll: getAllActions, replace },
		},
	},
	comment: {
		name: 'Comment',
		description: 'What people and workflows write on a case',
		operations: {
			...{ create: createComment, delete: deleteComment, getAll: getAllComments },
			update: updateComment,
		},
	},
	file: {
		name: 'File',
		description: 'What is attached to a case, such as a reported mail',
		operations: { delete: deleteFile, download, getAll: getAllFiles, upload },
	},
	record: {
		name: 'Record',
		description: 'The structured data of a case, such as IP addresses, hosts or users',
		operations: {
			...{ link: linkRecord, create: createRecord, getAll: getAllRecords, unlink: unlinkRecord },
		},
	},
	task: {
		name: 'Task',
		description: 'What is to be done in a case, each task with its assignees',
		operations: {
			...{ create: createTask, delete: deleteTask, getAll: getAllTasks, update: updateTask },
		},
	},
};
