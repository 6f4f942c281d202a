import type { IDataObject } from 'n8n-workflow';
import { byId, itemsWith, OF_ITEM, range } from '../../support/runs';
import { actionsIn, ofCase, operationOf, WRITTEN, type Operation } from './operations';
import { newTasks } from '../../../sandbox/tasks';
import type { Task } from '../../../sandbox/types';
import { BUSY, COMMENTED, OLD_ACTION, type Scene } from './scene';

/** Reads of one case or of few, and further writes. What becomes of what is created is tried in creations.property. */

const GOTTEN = [COMMENTED, BUSY];

const tasksIn = ({ sandbox }: Scene, id: number) => sandbox.store.getCase(id).tasks();

/** Gives a case tasks in place of those that it has. @returns them */
function addTasks({ sandbox: { store } }: Scene, id: number, ...texts: string[]): readonly Task[] {
	const tasks = texts.map((description) => ({ description }));
	return store.editContent(id, { tasks: newTasks(store, store.getCase(id).team, tasks) }).tasks();
}

const filesIn = ({ sandbox }: Scene, id: number) =>
	sandbox.store
		.getCase(id)
		.activities()
		.filter(({ file }) => file !== undefined);

const addFile = ({ sandbox: { store } }: Scene, id: number, filename: string) =>
	store.addActivity(id, 'FILE_ATTACHED', {
		file: { filename, bytes: Buffer.from('Hello') },
		user_id: store.getCase(id).author.user_id,
	});

const READS = [
	operationOf({
		kind: 'read',
		name: 'case: get',
		requests: ['1'],
		places: { 'the cases': 1 },
		parameters: { operation: 'get', caseId: OF_ITEM },
		items: itemsWith(GOTTEN),
		shown: ({ case_id, name }) => [case_id, name],
		truth: ({ sandbox }) => GOTTEN.map((id) => [id, sandbox.store.getCase(id).name]),
	}),
	operationOf({
		kind: 'read',
		name: 'case: count',
		requests: ['look'],
		// The number of pages of one case is what the service says that there are.
		unseen: ['meta with pages too large'],
		places: { 'the page of one case': 1 },
		parameters: { operation: 'count' },
		shown: ({ count }) => count,
		truth: ({ sandbox }) => [sandbox.store.size],
	}),
	operationOf({
		kind: 'read',
		name: 'case: digest',
		requests: ['1', '1'],
		rowsUnder: ['cases', 'activities'],
		places: { 'the case': 1, 'its history': 2 },
		parameters: ofCase('case', 'digest', COMMENTED),
		shown: ({ text }) => String(text).match(/Comment \d+/g),
		truth: ({ sandbox }) => [sandbox.store.comments(COMMENTED).map(({ value }) => value)],
	}),
	operationOf({
		kind: 'read',
		name: 'list of records',
		requests: ['1', '1'],
		rowsUnder: ['cases', 'records'],
		places: { 'the case': 1, 'its records': 2 },
		parameters: ofCase('record', 'getAll', COMMENTED),
		// More than a case carries.
		before: ({ sandbox }) => {
			const created_at = '2026-01-20T00:00:00Z';
			const entries = range(1, 15).map((id) => ({ id, results: [], created_at }));
			const group = { record_type_id: 1, record_type_name: 'Host' };
			const records = [{ ...group, record_type_record_results: entries }];
			sandbox.store.updateCase(COMMENTED, { records });
		},
		shown: ({ record_id }) => record_id,
		truth: ({ sandbox }) =>
			sandbox.store
				.getCase(COMMENTED)
				.records()
				.flatMap((group) => group.record_type_record_results.map(({ id }) => id)),
	}),
	operationOf({
		kind: 'read',
		name: 'list of tasks',
		requests: ['1'],
		rowsUnder: ['tasks'],
		places: { 'the list': 1 },
		parameters: ofCase('task', 'getAll', BUSY),
		before: (scene) => addTasks(scene, BUSY, 'First', 'Second'),
		shown: ({ task_id, description }) => [task_id, description],
		truth: (scene) => tasksIn(scene, BUSY).map(({ id, description }) => [id, description]),
	}),
	operationOf({
		kind: 'read',
		name: 'list of files',
		requests: ['1'],
		rowsUnder: ['files'],
		places: { 'the list': 1 },
		parameters: ofCase('file', 'getAll', BUSY),
		before: (scene) => addFile(scene, BUSY, 'first.txt'),
		shown: ({ file_id, file_name }) => [file_id, file_name],
		truth: (scene) => filesIn(scene, BUSY).map(({ id, file }) => [id, file?.filename]),
	}),
	operationOf({
		kind: 'read',
		name: 'list of actions',
		requests: ['1'],
		rowsUnder: ['actions'],
		places: { 'the list': 1 },
		parameters: ofCase('action', 'getAll', BUSY),
		shown: ({ case_id, url, label, action_text }) => [case_id, url, label, action_text ?? null],
		truth: (scene) =>
			actionsIn(scene, BUSY).map(({ url, label, action_text }) => [BUSY, url, label, action_text]),
	}),
];

const ADDED = { url: 'https://example.com/added', label: 'Added', action_type: 'page' };

const clear = operationOf({
	name: 'clear',
	kind: 'write',
	// How many actions it removes is read before.
	reads: [1],
	requests: ['cases', ...WRITTEN.map(String)],
	places: { 'the read': 1, 'the first case': 2, 'a middle case': 4, 'the last case': 6 },
	oneOfSeveral: 4,
	parameters: { resource: 'action', operation: 'clear', caseId: OF_ITEM },
	items: itemsWith(WRITTEN),
	shown: ({ case_id, actions }) => [case_id, actions],
	truth: (scene) => WRITTEN.map((id) => [id, actionsIn(scene, id)]),
});

const upsert = operationOf({
	name: 'upsert',
	kind: 'write',
	reads: [1, 3, 5, 7, 9],
	requests: WRITTEN.flatMap((id) => [String(id), String(id)]),
	// What becomes of its writes is tried in test/robustness/writes.property.test.ts.
	places: { 'the first read': 1, 'a middle read': 5, 'the last read': 9 },
	// The reads of the others are in flight, so that no write can fail before a read does.
	oneOfSeveral: 1,
	parameters: {
		...{ resource: 'action', operation: 'upsert', caseId: OF_ITEM },
		actions: { action: [ADDED] },
	},
	items: itemsWith(WRITTEN),
	shown: ({ case_id, actions }) => [case_id, ...(actions as IDataObject[]).map(({ url }) => url)],
	truth: (scene) =>
		WRITTEN.map((id) => [
			id,
			...actionsIn(scene, id)
				.map(({ url }) => url)
				.filter((url) => url === ADDED.url),
		]),
	afterwards(scene) {
		for (const id of WRITTEN) {
			const [kept, ...added] = actionsIn(scene, id).map(({ url }) => url);
			expect(kept).toBe(OLD_ACTION.url);
			expect([[], [ADDED.url]]).toContainEqual(added);
		}
	},
});

const eachItem = {
	kind: 'write' as const,
	requests: WRITTEN.map(String),
	places: { 'the first item': 1, 'a middle item': 3, 'the last item': 5 },
	oneOfSeveral: 3,
};

const update = operationOf({
	...eachItem,
	name: 'case: update',
	sends: 'PUT',
	parameters: {
		...{ operation: 'update', caseId: OF_ITEM },
		updateFields: { name: '=Renamed {{ $json.id }}' },
	},
	items: itemsWith(WRITTEN),
	shown: ({ case_id, name }) => [case_id, name],
	truth: ({ sandbox }) => WRITTEN.map((id) => [id, sandbox.store.getCase(id).name]),
});

const deletion = operationOf({
	...eachItem,
	name: 'comment: delete',
	sends: 'DELETE',
	// The service answers a deletion with 204, which has no body.
	unseen: ['answer that is too large'],
	parameters: {
		...{ resource: 'comment', operation: 'delete', caseId: OF_ITEM },
		commentId: '={{ $json.comment }}',
	},
	items: ({ sandbox }) =>
		WRITTEN.map((id) => ({ id, comment: sandbox.store.addComment(id, 'Seen by a fault').id })),
	shown: ({ case_id }) => case_id,
	truth: ({ sandbox }) => WRITTEN.filter((id) => sandbox.store.comments(id).length === 0),
});

/** A service answers these deletions with 204, which has no body. */
const withoutBody = { sends: 'DELETE' as const, unseen: ['answer that is too large'] };
const removedFrom = (isGone: (scene: Scene, id: number) => boolean) => ({
	shown: ({ case_id }: IDataObject) => case_id,
	truth: (scene: Scene) => WRITTEN.filter((id) => isGone(scene, id)),
});
const taskItems = (scene: Scene) =>
	WRITTEN.map((id) => ({ id, task: addTasks(scene, id, 'Seen by a fault')[0].id }));
const ofTask = (operation: string) => ({
	...{ resource: 'task', operation, caseId: OF_ITEM, taskId: byId('={{ $json.task }}') },
});
const HOST = { record_type_id: 12, record_type_name: 'Host' };
const RECORD = { id: 9001, results: [], created_at: '2026-01-20T00:00:00Z' };

const OF_CONTENTS = [
	operationOf({
		...eachItem,
		name: 'comment: update',
		sends: 'PUT',
		parameters: {
			...{ resource: 'comment', operation: 'update', caseId: OF_ITEM },
			...{ commentId: '={{ $json.comment }}', text: '=New {{ $json.id }}' },
		},
		items: ({ sandbox }) =>
			WRITTEN.map((id) => ({ id, comment: sandbox.store.addComment(id, 'Old').id })),
		shown: ({ case_id, text }) => [case_id, text],
		truth: ({ sandbox }) => WRITTEN.map((id) => [id, sandbox.store.comments(id).at(-1)?.value]),
	}),
	operationOf({
		...eachItem,
		name: 'task: update',
		sends: 'PUT',
		parameters: { ...ofTask('update'), updateFields: { completed: true } },
		items: taskItems,
		shown: ({ case_id, completed }) => [case_id, completed],
		truth: (scene) => WRITTEN.map((id) => [id, tasksIn(scene, id)[0].completed]),
	}),
	operationOf({
		...{ ...eachItem, name: 'task: delete', sends: 'DELETE' },
		parameters: ofTask('delete'),
		items: taskItems,
		...removedFrom((scene, id) => tasksIn(scene, id).length === 0),
	}),
	operationOf({
		...{ ...eachItem, ...withoutBody, name: 'file: delete' },
		parameters: {
			...{ resource: 'file', operation: 'delete', caseId: OF_ITEM },
			fileId: '={{ $json.file }}',
		},
		items: (scene) => WRITTEN.map((id) => ({ id, file: addFile(scene, id, 'Seen by a fault').id })),
		...removedFrom((scene, id) => filesIn(scene, id).length === 0),
	}),
	operationOf({
		...{ ...eachItem, ...withoutBody, name: 'case: delete' },
		parameters: { operation: 'delete', caseId: OF_ITEM },
		items: itemsWith(WRITTEN),
		...removedFrom(({ sandbox }, id) => sandbox.store.findCase(id) === undefined),
	}),
	operationOf({
		...{ ...eachItem, ...withoutBody, name: 'case: unlink' },
		parameters: { operation: 'unlink', caseId: OF_ITEM, linkedCaseIds: COMMENTED },
		before: ({ sandbox }) => {
			for (const id of WRITTEN) sandbox.store.editContent(id, { linked_case_ids: [COMMENTED] });
		},
		items: itemsWith(WRITTEN),
		...removedFrom(({ sandbox }, id) => sandbox.store.getCase(id).linked_case_ids.length === 0),
	}),
	operationOf({
		...{ ...eachItem, ...withoutBody, name: 'record: unlink' },
		requests: WRITTEN.map(() => String(RECORD.id)),
		parameters: { resource: 'record', operation: 'unlink', caseId: OF_ITEM, recordId: RECORD.id },
		before: ({ sandbox }) => {
			const records = [{ ...HOST, record_type_record_results: [RECORD] }];
			for (const id of WRITTEN) sandbox.store.editContent(id, { records });
		},
		items: itemsWith(WRITTEN),
		...removedFrom(({ sandbox }, id) => sandbox.store.getCase(id).records().length === 0),
	}),
];

export const FURTHER: Operation[] = [...READS, clear, upsert, update, deletion, ...OF_CONTENTS];
