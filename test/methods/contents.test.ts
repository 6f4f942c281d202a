import { listSearch, loadOptions } from '../../tools/engine/methods';
import { newTasks } from '../../sandbox/tasks';
import { byId, byUrl } from '../support/runs';
import { CASES_NODE, useService } from '../support/service';

const service = useService({ cases: 2, grown: ['case-writes', 'newer-requests'] });

const optionsOf = (parameters: object) => ({
	type: CASES_NODE,
	credentials: { casesApi: service.credential() },
	parameters: parameters as never,
});
const searchTasks = async (caseId: unknown, filter?: string) =>
	await listSearch({
		...optionsOf({ resource: 'task', operation: 'update', caseId }),
		...{ method: 'searchTasks', path: 'parameters.taskId', filter },
	});
const ofRecord = (recordTypeId?: unknown) =>
	optionsOf({ resource: 'record', operation: 'create', recordTypeId });

describe('the list of tasks', () => {
	beforeAll(() => {
		const { store } = service.sandbox;
		const [first, second] = newTasks(store, store.getCase(1).team, [
			{ description: 'Block the sender' },
			{ description: 'Warn the team' },
		]);
		store.editContent(1, {
			tasks: [
				{ ...first, id: 11, completed: true },
				{ ...second, id: 12 },
			],
		});
	});

	it('has the tasks of the chosen case, those first that are not done', async () => {
		const expected = [
			{ name: 'Warn the team', value: '12' },
			{ name: 'Block the sender (done)', value: '11' },
		];
		expect((await searchTasks(byId('1'))).results).toEqual(expected);
		const url = byUrl(`${service.sandbox.url}/cases/1`);
		expect((await searchTasks(url)).results).toEqual(expected);
		expect((await searchTasks(byId('1'), 'block')).results).toEqual([expected[1]]);
	});

	it('tells tasks with the same text apart', async () => {
		const { store } = service.sandbox;
		const same = { description: 'Call' };
		const tasks = newTasks(store, store.getCase(2).team, [same, same]);
		store.editContent(2, { tasks: tasks.map((task, index) => ({ ...task, id: 21 + index })) });
		expect((await searchTasks(byId('2'))).results.map(({ name }) => name)).toEqual([
			'Call <21>',
			'Call <22>',
		]);
	});

	it('asks for a case where none is chosen', async () => {
		await expect(searchTasks(byId(''))).rejects.toMatchObject({
			message: 'No case ID was given',
		});
		expect(service.paths()).toEqual([]);
	});
});

const NONE = { name: 'Not Chosen', value: '' };

it('The list of record types has those that the key can see, and is searched', async () => {
	const search = async (filter?: string) =>
		await listSearch({ ...ofRecord(), method: 'searchRecordTypes', filter });
	expect((await search('o')).results).toEqual([
		{ name: 'Host', value: '12' },
		{ name: 'Account', value: '13' },
		{ name: 'Transaction', value: '14' },
	]);
	expect((await search()).results).toHaveLength(4);
});

it('The list of the fields of a record has those of the chosen type', async () => {
	const load = async (type: unknown) =>
		await loadOptions({ ...ofRecord(type), method: 'getRecordFields' });
	expect(await load(byId('12'))).toEqual([
		NONE,
		{ name: 'hostname', value: '1200' },
		{ name: 'address', value: '1201' },
		{ name: 'cores', value: '1202' },
		{ name: 'Timestamp', value: '1298' },
		{ name: 'Story name', value: '1299' },
	]);
	expect(await load(byId(''))).toEqual([NONE]);
});

describe('the lists of a team', () => {
	const list = async (method: string, parameters: object) =>
		await loadOptions({ ...optionsOf({ resource: 'case', ...parameters }), method });

	it('have names and IDs of the team of the chosen case, or of the chosen team', async () => {
		const { id } = service.sandbox.store.getCase(1).team;
		const ofCase = { operation: 'update', caseId: byId('1') };
		const ofTeam = { operation: 'create', teamId: byId(String(id)) };
		for (const parameters of [ofCase, ofTeam]) {
			const statuses = await list('getSubStatuses', parameters);
			expect(statuses).toContainEqual({
				...{ name: `Closed: False positive (${id * 10 + 3})`, value: String(id * 10 + 3) },
			});
			expect(statuses[0]).toEqual(NONE);
		}
		const fields = await list('getCaseFields', { operation: 'create', teamId: byId('1') });
		expect(fields).toContainEqual({ name: 'Verdict (32)', value: '32' });
	});

	it('say why they are empty where an expression gives the case', async () => {
		const caseId = byId('={{ $json.case_id }}');
		const said = { name: 'Needs a Fixed Case or Team', value: '' };
		expect(await list('getTemplates', { operation: 'update', caseId })).toEqual([said]);
		expect(service.paths()).toEqual([]);
	});
});
