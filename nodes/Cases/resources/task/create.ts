import { createTasks, MAX_TASKS, type TaskCreation } from '../../api/writes/entryWrites';
import { caseField } from '../../fields/caseLocator';
import { additionalFields, emails, requiredText } from '../../fields/caseValues';
import { MEMBERS, TASK_TEXT } from '../../fields/contents';
import { shapeTask } from '../../fields/output';
import { writing } from '../define';
import type { Write } from '../writeItems';

export const create = writing({
	name: 'Create',
	action: 'Create task on case',
	description: 'Add a task to a case. Each run adds another one, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to add a task to'),
		description: requiredText(
			{
				...TASK_TEXT.form,
				displayName: 'Description',
				name: 'description',
				description:
					'What is to be done, as plain text on one line. The service takes 100 characters.',
			},
			TASK_TEXT.read,
			['The task has no description', 'Enter what is to be done.'],
		),
		additional: additionalFields("More values of the new task. A field that is empty isn't sent.", {
			assignee_emails: ['Assignee Emails', emails, `Who the task is assigned to. ${MEMBERS}`],
		}),
	},
	plan: ({ client }) => {
		const added = new Set<string>();
		/** Starts a batch: tasks that one request creates. */
		const startBatch = (caseId: string) => {
			const tasks: TaskCreation[] = [];
			const carryOut: Write['carryOut'] = async () => {
				const created = await createTasks(client, caseId, tasks, added);
				return { row: created.map((task) => shapeTask(task)), outcome: 'Written' };
			};
			return { tasks, write: { caseId, carryOut } };
		};
		const lastBatchOf = new Map<string, ReturnType<typeof startBatch>>();
		return ({ caseId, description, additional }) => {
			const last = lastBatchOf.get(caseId);
			const batch = last && last.tasks.length < MAX_TASKS ? last : startBatch(caseId);
			lastBatchOf.set(caseId, batch);
			batch.tasks.push({ description, ...additional });
			return batch.write;
		};
	},
});
