import { updateEntry } from '../../api/writes/caseWrites';
import { caseField } from '../../fields/caseLocator';
import { allEmails, updateFields } from '../../fields/caseValues';
import { MEMBERS, TASK_TEXT } from '../../fields/contents';
import { taskField } from '../../fields/locators';
import { shapeTask } from '../../fields/output';
import { parseSwitch } from '../../fields/values';
import { writingToCase } from '../define';

export const update = writingToCase({
	name: 'Update',
	action: 'Update task of case',
	description:
		'Mark a task as done or not, or overwrite its text or its assignees. Only the fields that are given are overwritten.',
	fields: {
		caseId: caseField('The case with the task'),
		taskId: taskField('The task to update'),
		update: updateFields('Completed is sent as it stands.', {
			description: ['Description', TASK_TEXT, 'New text of the task. It replaces the old one.'],
			completed: [
				'Completed',
				{ form: { type: 'boolean', default: true }, read: parseSwitch },
				'Whether the task is done',
			],
			assignee_emails: [
				'Assignee Emails (All)',
				allEmails,
				`Everyone the task is assigned to from now on; all other assignees are removed. ${MEMBERS} An expression that returns an empty list removes everyone.`,
			],
		}),
	},
	write: async (client, { caseId, taskId, update: given }) =>
		shapeTask(await updateEntry(client, caseId, 'tasks', taskId, given)),
});
