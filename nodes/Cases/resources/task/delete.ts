import { taskField } from '../../fields/locators';
import { deleting } from '../deleting';

export const deleteTask = deleting({
	action: 'Delete task of case',
	description: "Delete a task by its ID. This can't be undone.",
	noun: 'task',
	idField: taskField('The task to delete'),
	advice:
		'Check the two IDs: Get Many of tasks returns them. Older versions of the service have no tasks.',
});
