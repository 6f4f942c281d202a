import type { IDataObject } from 'n8n-workflow';
import { RESOURCES } from '../../nodes/Cases/resources/operations';
import type { CaseStore } from '../../sandbox/store';
import { newTasks } from '../../sandbox/tasks';
import { byId, OF_ITEM } from './runs';

// One example of each operation, for all tests that try every operation, and for the previews of outputs.

/** All operations, such as `case.getAll`. */
export const OPERATIONS = Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
	Object.keys(operations).map((operation) => `${resource}.${operation}`),
);

/** A case with a record without values: their fields differ from type to type, so no preview has them. */
const BARE = 61;
/** A case with a tag, an assignee and comments. */
const TAGGED = 62;
const ANA = 'ana.lindqvist@example.com';

const BUTTON = {
	url: 'https://stories.example.com/webhook/isolate-host?case=7',
	label: 'Isolate host',
	action_type: 'webhook' as const,
	action_text: 'Isolate now',
};
const GIVEN = { actionsFrom: 'json', actionsJson: JSON.stringify([BUTTON]) };

/** Adds what the examples need to a store of sixty cases. @returns the input item of an example */
export function prepareExamples(store: CaseStore): IDataObject {
	const created_at = '2026-01-05T10:00:00Z';
	const entries = [{ id: 1, results: [], created_at }];
	const host = { record_type_id: 12, record_type_name: 'Host' };
	const records = [{ ...host, record_type_record_results: entries }];
	store.createCase({ case_id: BARE, created_at, records });
	store.createCase({ case_id: TAGGED, tags: ['a'], assignees: [1] });
	store.replaceActions(TAGGED, [BUTTON], { updated_at: created_at });
	const { id: comment } = store.addComment(TAGGED, 'Hello');
	const tasks = newTasks(store, store.getCase(TAGGED).team, [
		{ description: 'Block the sender', assignee_emails: [ANA] },
		{ description: 'Warn the team' },
	]);
	store.editContent(TAGGED, { tasks, linked_case_ids: [BARE] });
	const stored = { filename: 'mail.eml', bytes: Buffer.from('From: ada') };
	const { id: file } = store.addActivity(TAGGED, 'FILE_ATTACHED', { file: stored, user_id: 1 });
	return { bare: BARE, id: TAGGED, comment, task: tasks[0].id, file };
}

export interface Example {
	/** Its parameters, for the input item of {@link prepareExamples}. */
	parameters: Record<string, unknown>;
	/** The last field without rows, as a path of names, and a value of it: an object instead is bad input. */
	last: [...path: string[], value: unknown];
}

const ofCase = (parameters: Record<string, unknown>, ...last: Example['last']): Example => ({
	parameters: { caseId: OF_ITEM, ...parameters },
	last,
});
const INCOMPLETE: Example['last'] = ['options', 'acceptIncomplete', true];
const PREVIEW: Example['last'] = ['options', 'previewOnly', false];

export const EXAMPLES: Record<string, Example> = {
	'action.clear': ofCase({}, ...PREVIEW),
	'action.delete': ofCase({ matchLabel: 'Nothing' }, ...PREVIEW),
	'action.getAll': ofCase({}, 'options', 'fullTexts', true),
	'action.replace': ofCase(GIVEN, ...PREVIEW),
	'action.sendAndWait': ofCase({ message: 'Isolate?' }, 'options', 'keepButtons', false),
	'action.upsert': ofCase(GIVEN, ...PREVIEW),
	'activity.getAll': ofCase({ caseId: byId(7), returnAll: true }, ...INCOMPLETE),
	'case.close': ofCase({}, ...PREVIEW),
	'case.count': { parameters: {}, last: INCOMPLETE },
	'case.create': {
		parameters: { teamId: byId(1), name: 'New', additionalFields: { tag_names: 'a' } },
		last: PREVIEW,
	},
	'case.delete': ofCase({}, 'caseId', 'value', '7'),
	'case.digest': ofCase({ caseId: byId(7) }, ...INCOMPLETE),
	'case.get': ofCase({ caseId: byId(7) }, ...INCOMPLETE),
	'case.getAll': { parameters: { returnAll: true }, last: INCOMPLETE },
	'case.link': ofCase({ linkedCaseIds: '8, 9' }, 'linkedCaseIds', '8'),
	'case.reopen': ofCase({}, ...PREVIEW),
	'case.unlink': ofCase({ linkedCaseIds: '={{ $json.bare }}' }, 'linkedCaseIds', '61'),
	'case.update': ofCase({ updateFields: { name: 'New' } }, ...PREVIEW),
	'comment.create': ofCase({ text: 'Hello' }, ...PREVIEW),
	'comment.delete': ofCase({ commentId: '={{ $json.comment }}' }, 'commentId', '1'),
	'comment.getAll': ofCase({ caseId: byId(7), returnAll: true }, ...INCOMPLETE),
	'comment.update': ofCase(
		{ commentId: '={{ $json.comment }}', text: 'New' },
		...['output', 'simplified'],
	),
	'file.delete': ofCase({ fileId: '={{ $json.file }}' }, 'fileId', '1'),
	'file.download': ofCase({ fileId: '={{ $json.file }}' }, 'outputBinaryField', 'data'),
	'file.getAll': ofCase({ returnAll: true }, ...INCOMPLETE),
	'file.upload': ofCase({}, 'options', 'author_email', ANA),
	'record.create': ofCase(
		{
			recordTypeId: byId(12),
			recordFields: { field: [{ field: '1200', value: '' }] },
		},
		...['recordTypeId', 'value', '12'],
	),
	'record.getAll': ofCase({ caseId: byId('={{ $json.bare }}') }, ...INCOMPLETE),
	'record.link': ofCase({ recordId: '1' }, 'recordId', '1'),
	'record.unlink': ofCase({ recordId: '1' }, 'recordId', '1'),
	'task.create': ofCase(
		{ description: 'Write report', additionalFields: { assignee_emails: ANA } },
		...['additionalFields', 'assignee_emails', ANA],
	),
	'task.delete': ofCase({ taskId: byId('={{ $json.task }}') }, 'taskId', 'value', '1'),
	'task.getAll': ofCase({ returnAll: true }, ...INCOMPLETE),
	'task.update': ofCase(
		{ taskId: byId('={{ $json.task }}'), updateFields: { completed: true } },
		...['updateFields', 'assignee_emails', ANA],
	),
};

/** The parameters of an example. @throws Error without one */
export function parametersOf(name: string): Record<string, unknown> {
	const [resource, operation] = name.split('.');
	if (!Object.hasOwn(EXAMPLES, name)) throw new Error(`Add ${name} to test/support/operations.ts`);
	return { resource, operation, ...EXAMPLES[name].parameters };
}

/** Fails where a list of a test lacks an operation. @param file where to add it */
export function expectEvery(names: string[], file: string): void {
	const missing = OPERATIONS.filter((name) => !names.includes(name));
	if (missing.length > 0) throw new Error(`Add to ${file}: ${missing.join(', ')}`);
	expect(names.filter((name) => !OPERATIONS.includes(name))).toEqual([]);
}
