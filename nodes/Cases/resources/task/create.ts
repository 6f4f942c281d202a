import { createTasks, MAX_TASKS, type TaskCreation } from '../../api/writes/entryWrites';
import { caseField } from '../../fields/caseLocator';
import { TASK_DESCRIPTION, TASK_FIELDS } from '../../fields/contents/tasks';
import { optionsField } from '../../fields/options';
import { shapeTask } from '../../fields/output';
import { writing } from '../define';
import type { Write } from '../writeItems';

/** The tasks that one request creates. */
interface Batch {
	tasks: TaskCreation[];
	write: Write;
}

export const create = writing({
	name: 'Create',
	action: 'Create task on case',
	description: 'Add a task to a case. Each run adds another one, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to add a task to'),
		description: TASK_DESCRIPTION,
		additional: TASK_FIELDS,
		options: optionsField({}),
	},
	plan: ({ client }) => {
		const added = new Set<string>();
		const lastBatchOf = new Map<string, Batch>();
		const startBatch = (caseId: string): Batch => {
			const tasks: TaskCreation[] = [];
			const carryOut: Write['carryOut'] = async () => {
				const created = await createTasks(client, caseId, tasks, added);
				return { row: created.map((task) => shapeTask(task)), outcome: 'Written' };
			};
			return { tasks, write: { caseId, carryOut } };
		};
		return ({ caseId, description, additional }) => {
			const last = lastBatchOf.get(caseId);
			const batch = last && last.tasks.length < MAX_TASKS ? last : startBatch(caseId);
			lastBatchOf.set(caseId, batch);
			batch.tasks.push({ description, ...additional });
			return batch.write;
		};
	},
});
