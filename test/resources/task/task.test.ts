import type { IDataObject } from 'n8n-workflow';
import {
	byId,
	failureOf,
	hintsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	range,
	reportOf,
	rowsOf,
} from '../../support/runs';
import { useService, type RunOptions } from '../../support/service';

const service = useService({ cases: 3, grown: ['case-writes', 'newer-requests'] });

const newCase = () => service.sandbox.store.createCase().case_id;
const tasksOf = (id: number) => service.sandbox.store.getCase(id).tasks();
const textsOf = (id: number) => tasksOf(id).map(({ description }) => description);
const run = async (operation: string, parameters: object, options?: RunOptions) =>
	await service.run({ resource: 'task', operation, ...parameters }, options);
/** Adds tasks to the cases of items. */
const create = async (items: IDataObject[], parameters: object = {}, options: RunOptions = {}) =>
	await run(
		'create',
		{ caseId: OF_ITEM, description: '={{ $json.text }}', ...parameters },
		{ items, ...options },
	);
const posts = () => service.sandbox.requests.filter(({ method }) => method === 'POST');
const bodies = () => service.sandbox.requests.map(({ body }) => body);
const LOST = { kind: 'drop', applied: true } as const;
const ANA = 'ana.lindqvist@example.com';
const BRUNO = 'bruno.okafor@example.com';
const MAY_ARRIVE = /check whether case \d+ has the task ".+"\. If not, it may still arrive/;

/** Gives a case tasks. @returns their IDs */
async function newTasks(id: number, ...texts: string[]): Promise<number[]> {
	await create(texts.map((text) => ({ id, text })));
	service.sandbox.clearRequests();
	return tasksOf(id).map((task) => task.id);
}

describe('Task: Create', () => {
	it('sends the tasks of a case with one request, and returns each at its item', async () => {
		const [id, other] = [newCase(), newCase()];
		const items = [
			{ id, text: ' Block the sender ', who: `${ANA}, ${BRUNO}` },
			{ id: other, text: 'Call', who: '' },
			{ id, text: 'Report', who: '' },
		];
		const added = await create(items, {
			additionalFields: { assignee_emails: '={{ $json.who }}' },
		});
		expect(service.paths().sort()).toEqual([
			`POST /api/v2/cases/${id}/tasks/batch`,
			`POST /api/v2/cases/${other}/tasks/batch`,
		]);
		expect(bodies()).toContainEqual({
			tasks: [
				{ description: 'Block the sender', assignee_emails: [ANA, BRUNO] },
				{ description: 'Report' },
			],
		});
		const rows = rowsOf(added);
		expect(rows[0]).toEqual({
			case_id: id,
			task_id: tasksOf(id)[0].id,
			description: 'Block the sender',
			completed: false,
			assignees: [ANA, BRUNO],
			created_at: expect.any(String) as string,
			updated_at: expect.any(String) as string,
		});
		expect(rows.map(({ case_id, description }) => [case_id, description])).toEqual([
			[id, 'Block the sender'],
			[other, 'Call'],
			[id, 'Report'],
		]);
		expect(pairsOf(added)).toEqual([[0], [1], [2]]);
	});

	it('pairs the tasks by their descriptions, whatever their order in the answer', async () => {
		const id = newCase();
		const task = (number: number, description: string) => ({ id: number, description });
		const tasks = [task(3, 'B'), task(1, 'A'), task(2, 'A')];
		const body = JSON.stringify({ tasks });
		service.sandbox.faults.add({ fault: { kind: 'raw', status: 201, body } });
		const added = await create(['A', 'B', 'A'].map((text) => ({ id, text })));
		expect(rowsOf(added).map(({ task_id }) => task_id)).toEqual([1, 3, 2]);
	});

	it('sends at most 25 tasks with a request, in the order of the items', async () => {
		const id = newCase();
		const texts = range(1, 30).map((number) => `Task ${number}`);
		const rows = rowsOf(await create(texts.map((text) => ({ id, text }))));
		expect(rows.map(({ description }) => description)).toEqual(texts);
		expect(textsOf(id)).toEqual(texts);
		expect(posts()).toHaveLength(2);
	});

	it('shows what the service says of too many tasks, and which items were written', async () => {
		const id = newCase();
		const items = range(1, 60).map((number) => ({ id, text: `Task ${number}` }));
		const { description, item } = failureOf(await create(items));
		expect(description).toMatch(/The service says: A case can't have more than 50 tasks/);
		expect(item).toBe(50);
		expect(description).toMatch(/Written: items 0 \(case/);
		expect(reportOf(description).failed).toHaveLength(10);
		expect(reportOf(description).written).toHaveLength(50);
		expect(tasksOf(id)).toHaveLength(50);
	});

	it('fails at each item of a request that is refused', async () => {
		const [id, other] = [newCase(), newCase()];
		const items = [
			{ id, text: 'Fine' },
			{ id: other, text: 'Other' },
			{ id, text: 'x'.repeat(101) },
		];
		const added = await create(items, {}, { onError: 'continueRegularOutput' });
		const rows = rowsOf(added);
		expect(rows.map(({ error }) => error !== undefined)).toEqual([true, false, true]);
		expect(JSON.stringify(rows[0])).toContain('maximum is 100 characters');
		expect(pairsOf(added)).toEqual([[0], [1], [2]]);
		expect(textsOf(id)).toEqual([]);
	});

	it('finds tasks whose answer was lost, but no older ones', async () => {
		const id = newCase();
		const at = '2026-01-01T00:00:00Z';
		const old = { id: 7, description: 'A', completed: false, assignees: [] };
		service.sandbox.store.editContent(id, {
			tasks: [{ ...old, created_at: at, updated_at: at }],
		});
		service.sandbox.faults.add({ fault: LOST });
		const items = ['A', 'B'].map((text) => ({ id, text }));
		const rows = rowsOf(await create(items));
		expect(rows.map(({ task_id }) => task_id)).toEqual(
			tasksOf(id)
				.slice(1)
				.map((task) => task.id),
		);
		expect(posts()).toHaveLength(1);
		service.sandbox.faults.add({ fault: { kind: 'drop' } });
		expect(failureOf(await create([{ id, text: 'C' }])).description).toMatch(MAY_ARRIVE);
		expect(textsOf(id)).toEqual(['A', 'A', 'B']);
	});

	it('does not take a task that the run created before for a lost one', async () => {
		const id = newCase();
		const items = range(1, 26).map(() => ({ id, text: 'Same' }));
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'drop' } });
		const { description } = failureOf(await create(items));
		expect(description).toMatch(MAY_ARRIVE);
		expect(reportOf(description).perhaps).toEqual([id]);
		expect(tasksOf(id)).toHaveLength(25);
	});

	it('refuses a task without a description before any request', async () => {
		expect(failureOf(await create([{ id: 1, text: ' ' }])).message).toMatch(/has no description/);
		expect(service.paths()).toEqual([]);
	});
});

describe('Task: Get Many', () => {
	it('returns the tasks, flat or as the service has them', async () => {
		const id = newCase();
		const [first] = await newTasks(id, 'A', 'B');
		const many = { caseId: byId(id), returnAll: true };
		const rows = rowsOf(await run('getAll', many));
		expect(rows.map(({ description }) => description)).toEqual(['A', 'B']);
		expect(rows[0]).toMatchObject({ case_id: id, task_id: first, completed: false, assignees: [] });
		const [raw] = rowsOf(await run('getAll', { ...many, output: 'raw' }));
		expect(raw).toMatchObject({ case_id: id, id: first });
		const limited = await run('getAll', { caseId: byId(id), limit: 1 });
		expect(rowsOf(limited)).toHaveLength(1);
		expect(hintsOf(limited)).toEqual([expect.stringContaining('2 tasks')]);
	});

	it('names an older service as a possible cause of 404', async () => {
		service.sandbox.faults.add({ fault: { kind: 'status', status: 404 } });
		const { description } = failureOf(await run('getAll', { caseId: byId(1) }));
		expect(description).toMatch(/may not support this request: older versions lack it/);
	});
});

describe('Task: Update', () => {
	const update = async (id: number, taskId: number, updateFields: object, options?: RunOptions) =>
		await run('update', { caseId: byId(id), taskId: byId(taskId), updateFields }, options);

	it('sends only what is given, and replaces all assignees', async () => {
		const id = newCase();
		const [first, second] = await newTasks(id, 'A', 'B');
		const [row] = rowsOf(await update(id, first, { completed: true, description: '' }));
		expect(row).toMatchObject({ case_id: id, task_id: first, description: 'A', completed: true });
		const rows = rowsOf(await update(id, second, { assignee_emails: `${ANA}, ${BRUNO}` }));
		expect(rows).toMatchObject([{ assignees: [ANA, BRUNO] }]);
		await update(id, second, { assignee_emails: BRUNO, completed: false });
		await update(id, second, { assignee_emails: '={{ [] }}' });
		expect(bodies()).toEqual([
			{ completed: true },
			{ assignee_emails: [ANA, BRUNO] },
			{ completed: false, assignee_emails: [BRUNO] },
			{ assignee_emails: [] },
		]);
		expect(tasksOf(id)[1].assignees).toEqual([]);
	});

	it('refuses an update without a value before any request', async () => {
		const { message } = failureOf(await update(1, 1, { description: '' }));
		expect(message).toBe('There is nothing to update');
		expect(service.paths()).toEqual([]);
	});

	it('is retried after a lost answer', async () => {
		const id = newCase();
		const [first] = await newTasks(id, 'A');
		service.sandbox.faults.add({ fault: LOST });
		expect(rowsOf(await update(id, first, { completed: true }))).toMatchObject([
			{ completed: true },
		]);
		expect(bodies()).toHaveLength(2);
	});

	it('does not take the answer for another task', async () => {
		const body = '{"task":{"id":9}}';
		service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body } });
		expect(failureOf(await update(1, 8, { completed: true })).message).toMatch(
			/did not answer with the task/,
		);
	});
});

describe('Task: Delete', () => {
	const remove = async (caseId: unknown, taskId: unknown) =>
		await run('delete', { caseId, taskId: byId(taskId) });

	it('deletes one task, though the answer has a body', async () => {
		const id = newCase();
		const [first] = await newTasks(id, 'A', 'B');
		const rows = rowsOf(await remove(byId(id), first));
		expect(rows).toEqual([{ case_id: id, task_id: first, deleted: true }]);
		expect(service.paths()).toEqual([`DELETE /api/v2/cases/${id}/tasks/${first}`]);
		expect(textsOf(id)).toEqual(['B']);
	});

	it('takes 404 after a lost answer for done, and otherwise for not found', async () => {
		const id = newCase();
		const [first] = await newTasks(id, 'A');
		service.sandbox.faults.add({ fault: LOST });
		expect(rowsOf(await remove(byId(id), first))).toMatchObject([{ deleted: true }]);
		expect(failureOf(await remove(byId(id), first)).message).toMatch(
			/^Task \d+ of case \d+ not found, or no access \(404\)/,
		);
	});

	it('continues on fail with the other items', async () => {
		const id = newCase();
		const [first] = await newTasks(id, 'A');
		const items = itemsWith([999_999, first]).map((item) => ({ task: item.id, id }));
		const parameters = { caseId: OF_ITEM, taskId: byId('={{ $json.task }}') };
		const removed = await run('delete', parameters, { items, onError: 'continueRegularOutput' });
		expect(rowsOf(removed)).toMatchObject([
			{ error: expect.any(String) as string },
			{ deleted: true },
		]);
	});
});

describe('Get as Text', () => {
	const textOf = async (id: number, sections: string[]) => {
		const parameters = { resource: 'case', operation: 'digest', caseId: byId(id) };
		const [{ text }] = rowsOf(await service.run({ ...parameters, options: { sections } }));
		return String(text);
	};

	it('has the tasks if they are chosen, and otherwise does not request them', async () => {
		const id = newCase();
		await create([{ id, text: 'Block the sender' }], {
			additionalFields: { assignee_emails: ANA },
		});
		service.sandbox.clearRequests();
		expect(await textOf(id, ['tasks'])).toContain(
			`## Tasks\n\n- Block the sender, completed: false, assignees: ["${ANA}"], updated_at: `,
		);
		expect(service.paths()).toEqual(['GET /api/v2/cases', `GET /api/v2/cases/${id}/tasks`]);
		service.sandbox.clearRequests();
		expect(await textOf(id, [])).not.toContain('Tasks');
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
		expect(await textOf(newCase(), ['tasks'])).toContain('Nothing in: Tasks.');
	});

	it('shows tasks that a case brings along under Other Fields, unless they are chosen', async () => {
		const id = newCase();
		const rows = { fields: [{ path: 'tasks', value: ['Call back'] }] };
		service.sandbox.deviate({ rows });
		expect(await textOf(id, [])).toContain('Call back');
		expect(await textOf(id, ['tasks', 'other'])).not.toContain('Call back');
		service.sandbox.deviate();
	});
});
