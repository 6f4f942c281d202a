import { quote } from '../failures/failure';
import { fetchPage, type Client } from '../http/client';
import { isObject } from '../json';
import { listPath } from '../http/requests';
import { exactId, numericId, rowIdentity } from '../identity';
import { MAX_PAGE_SIZE, type Row } from '../types';
import { createOnce, watchCreations } from './caseWrites';

/** The fields of a new task, by the API's own names. */
export type TaskCreation = Row & { description: string };

/** The largest number of tasks that a request creates. */
export const MAX_TASKS = 25;

/**
 * Finds the row of each task by its description, because the service doesn't promise their order.
 * @returns undefined where a task has no row
 */
function pairTasks(tasks: TaskCreation[], rows: unknown): Row[] | undefined {
	const left = Array.isArray(rows) ? rows.filter(isObject) : [];
	const paired = tasks.flatMap(({ description }) => {
		const at = left.findIndex((row) => row.description === description && exactId(row.id));
		return at < 0 ? [] : left.splice(at, 1);
	});
	return paired.length === tasks.length ? paired : undefined;
}

/**
 * Adds tasks to a case with one request: at most {@link MAX_TASKS}.
 * @param known the tasks that this run has added, by `rowIdentity`; the new tasks are added to the set
 * @returns the tasks in the order in which they were given, each with its `case_id`
 * @throws ApiFailure
 */
export async function createTasks(
	client: Client,
	caseId: string,
	tasks: TaskCreation[],
	known: Set<string>,
): Promise<Row[]> {
	const path = listPath(caseId, 'tasks');
	const newRows = watchCreations(client, known);
	/** Looks for the tasks on one page: a case has at most 50 tasks. */
	const find = async () => {
		const page = await fetchPage(client, path, 'tasks', { per_page: MAX_PAGE_SIZE, page: 1 });
		return { tasks: newRows(page) };
	};
	const answer = await createOnce(
		client,
		`${path}/batch`,
		{ tasks },
		{
			noun: 'tasks',
			isMeant: (row) => pairTasks(tasks, row.tasks) !== undefined,
			find,
			check: `case ${caseId} has the task ${quote(tasks[0].description)}`,
		},
	);
	const created = pairTasks(tasks, answer.tasks) ?? [];
	for (const task of created) known.add(rowIdentity(task));
	return created.map((task) => ({ case_id: numericId(caseId), ...task }));
}
