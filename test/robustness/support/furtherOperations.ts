import type { IDataObject } from 'n8n-workflow';
import { itemsWith, OF_ITEM, range } from '../../support/runs';
import { actionsIn, ofCase, operationOf, WRITTEN, type Operation } from './operations';
import { BUSY, COMMENTED, OLD_ACTION } from './scene';

/** Reads of one case or of few, and further writes. What becomes of new cases and comments is tried in creations.property. */

const GOTTEN = [COMMENTED, BUSY];

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

export const FURTHER: Operation[] = [...READS, clear, upsert, update, deletion];
