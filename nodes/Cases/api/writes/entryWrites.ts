import { quote } from '../failures/failure';
import { fetchPage, type Client } from '../http/client';
import { listPath } from '../http/requests';
import { exactId, numericId, rowIdentity } from '../identity';
import { objectsIn } from '../json';
import { parseTimestamp } from '../timestamps';
import { MAX_PAGE_SIZE, type Row } from '../types';
import { createOnce, withId } from './caseWrites';

/**
 * Returns a function that reads the entries of a list of a case that were created after this call, by the service's
 * clock, and aren't among the known ones. It reads the first and the last page, because a list may begin or end with its
 * newest entries.
 */
function watchCreations(
	client: Client,
	caseId: string,
	list: 'comments' | 'files' | 'tasks',
	known: Set<string>,
): () => Promise<Row[]> {
	const startedAt = client.now();
	const read = async (page: number) =>
		await fetchPage(client, listPath(caseId, list), list, { per_page: MAX_PAGE_SIZE, page });
	return async () => {
		const first = await read(1);
		const { pages = 1 } = first.meta;
		const last = pages > 1 ? [await read(pages)] : [];
		const { servedAt = Infinity } = last[0] ?? first;
		// A second less, because both dates are in whole seconds.
		const since = servedAt - (client.now() - startedAt) - 1000;
		return [first, ...last]
			.flatMap(({ rows }) => rows)
			.filter((row) => (parseTimestamp(row.created_at) ?? 0) >= since)
			.filter((row) => !known.has(rowIdentity(row)));
	};
}

/**
 * Adds a comment or a file to a case.
 * @param isSame whether a row of the list has what is created
 * @param known the entries that this run has added, by `rowIdentity`; the new entry is added to the set
 * @returns the entry, with its `case_id`
 */
export async function createEntry(
	client: Client,
	caseId: string,
	list: 'comments' | 'files',
	creation: Row,
	isSame: (row: Row) => boolean,
	known: Set<string>,
): Promise<Row> {
	const newRows = watchCreations(client, caseId, list, known);
	const noun = list.slice(0, -1);
	const entry = await createOnce(client, {
		path: listPath(caseId, list),
		body: creation,
		noun,
		read: withId('id'),
		find: async () => (await newRows()).find(isSame),
		check: `the case has the ${noun}`,
	});
	known.add(rowIdentity(entry));
	return { case_id: numericId(caseId), ...entry };
}

/** The fields of a new task, by the API's own names. */
export type TaskCreation = Row & { description: string };

/** The largest number of tasks that a request creates. */
export const MAX_TASKS = 25;

/**
 * Finds the row of each task by its description, because the service doesn't promise their order.
 * @returns undefined where a task has no row
 */
function pairTasks(tasks: TaskCreation[], rows: unknown): Row[] | undefined {
	const left = objectsIn(rows);
	const paired = tasks.flatMap(({ description }) => {
		const at = left.findIndex((row) => row.description === description && exactId(row.id));
		return at < 0 ? [] : left.splice(at, 1);
	});
	return paired.length === tasks.length ? paired : undefined;
}

/**
 * Adds tasks to a case with one request: at most {@link MAX_TASKS}.
 * @param known as in {@link createEntry}
 * @returns the tasks in the order in which they were given, each with its `case_id`
 * @throws ApiFailure
 */
export async function createTasks(
	client: Client,
	caseId: string,
	tasks: TaskCreation[],
	known: Set<string>,
): Promise<Row[]> {
	const newRows = watchCreations(client, caseId, 'tasks', known);
	const created = await createOnce(client, {
		path: `${listPath(caseId, 'tasks')}/batch`,
		body: { tasks },
		noun: 'tasks',
		read: (row) => pairTasks(tasks, row.tasks),
		find: async () => ({ tasks: await newRows() }),
		check: `case ${caseId} has the task ${quote(tasks[0].description)}`,
	});
	for (const task of created) known.add(rowIdentity(task));
	return created.map((task) => ({ case_id: numericId(caseId), ...task }));
}
