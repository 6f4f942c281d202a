import { updateEntry } from '../../api/writes/caseWrites';
import { caseField } from '../../fields/caseLocator';
import { taskField } from '../../fields/contents/ids';
import { TASK_UPDATE } from '../../fields/contents/tasks';
import { optionsField } from '../../fields/options';
import { shapeTask } from '../../fields/output';
import { writing } from '../define';

export const update = writing({
	name: 'Update',
	action: 'Update task of case',
	description:
		'Mark a task as done or not, or overwrite its text or its assignees. Only the fields that are given are overwritten.',
	fields: {
		caseId: caseField('The case with the task'),
		taskId: taskField('The task to update'),
		update: TASK_UPDATE,
		options: optionsField({}),
	},
	plan:
		({ client }) =>
		({ caseId, taskId, update: given }) => ({
			caseId,
			carryOut: async () => {
				const task = await updateEntry(client, caseId, 'tasks', taskId, given);
				return { row: shapeTask(task), outcome: 'Written' };
			},
		}),
});
