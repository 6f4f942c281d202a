import { z } from 'zod';
import { membersOf } from './directory';
import { ApiError } from './errors';
import { member } from './params';
import { CASE, created, edit, listOfCase, requestOfCase, rowWith, type Routes } from './requests';
import type { CaseContext } from './service';
import type { CaseStore } from './store';
import type { Task, Team } from './types';

/** The tasks of cases. No public page has names for their activities, so they write none. */

const MOST_TASKS = 50;
const MOST_IN_BATCH = 25;
const LONGEST_DESCRIPTION = 100;
const TASKS = `${CASE}/tasks`;
const TASK = `${TASKS}/:taskId`;

export const NEW_TASK = z.strictObject({
	description: member.text,
	assignee_emails: member.texts.optional(),
});
const CHANGES = NEW_TASK.extend({ completed: z.boolean() }).partial();
const BATCH = z.strictObject({ tasks: z.array(NEW_TASK).min(1).max(MOST_IN_BATCH) });

/** What the members of a body say of a task. @throws ApiError 422 */
function readTask({ description, assignee_emails, ...given }: z.infer<typeof CHANGES>, team: Team) {
	if (description && description.length > LONGEST_DESCRIPTION) {
		const limit = `${LONGEST_DESCRIPTION} characters`;
		throw new ApiError(422, `Description is too long (maximum is ${limit})`);
	}
	const assignees = assignee_emails?.map((email) => {
		const found = membersOf(team.id).find((user) => user.email === email.toLowerCase());
		if (!found) throw new ApiError(422, `Assignee ${email} is not a member of ${team.name}`);
		return found;
	});
	return { ...given, ...(description && { description }), ...(assignees && { assignees }) };
}

/** Tasks to be added to those of a case. @throws ApiError 422 */
export function newTasks(
	store: CaseStore,
	team: Team,
	given: ReadonlyArray<z.infer<typeof NEW_TASK>>,
	before: readonly Task[] = [],
): Task[] {
	if (before.length + given.length > MOST_TASKS) {
		throw new ApiError(422, `A case can't have more than ${MOST_TASKS} tasks`);
	}
	const now = store.timestamp(store.now());
	const times = { created_at: now, updated_at: now };
	return given
		.map((one) => ({ description: '', assignees: [], ...readTask(one, team) }))
		.map((one) => ({ ...one, id: store.nextId(), completed: false, ...times }));
}

const taskJson = ({ assignees, ...task }: Task) => ({
	...task,
	assignees: assignees.map(({ user_id, email, first_name, last_name }) => ({
		...{ id: String(user_id), email, first_name, last_name },
	})),
});

const taskIn = ({ found, ids }: CaseContext) => rowWith(found.tasks(), ids.taskId);

export const TASK_ROUTES: Routes = {
	[`GET ${TASKS}`]: listOfCase(
		'tasks',
		({ found }) => found.tasks(),
		(rows) => rows.map(taskJson),
		() => ({}),
	),
	[`POST ${TASKS}/batch`]: requestOfCase(BATCH, (context, { tasks }) => {
		const { service, found } = context;
		const added = newTasks(service.store, found.team, tasks, found.tasks());
		edit(context, { tasks: [...found.tasks(), ...added] });
		return created({ tasks: added.map(taskJson) });
	}),
	[`PUT ${TASK}`]: requestOfCase(CHANGES, (context, given) => {
		const { service, found } = context;
		const updated_at = service.store.timestamp(service.store.now());
		const task = { ...taskIn(context), ...readTask(given, found.team), updated_at };
		edit(context, { tasks: found.tasks().map((one) => (one.id === task.id ? task : one)) });
		return { task: taskJson(task) };
	}),
	[`DELETE ${TASK}`]: requestOfCase(undefined, (context) => {
		const { id } = taskIn(context);
		edit(context, { tasks: context.found.tasks().filter((one) => one.id !== id) });
		return { destroyed_id: String(id) };
	}),
};
