import type { Deviations } from '../../sandbox/deviations';
import { byId, failureOf, hintsOf, rowsOf } from '../support/runs';
import { useService } from '../support/service';

const service = useService({ cases: 60 });
afterEach(() => service.sandbox.deviate());

/** By the sandbox's data: 61 activities, and more records than a case carries. */
const [MANY_ACTIVITIES, MANY_RECORDS] = [7, 11];

const without = (...paths: string[]): Deviations => ({
	rows: { fields: paths.map((path) => ({ path })) },
});
const METAS = ['activities_meta', 'records_meta'];
const valued = (paths: string[], value: unknown): Deviations => ({
	rows: {
		fields: [...METAS.map((path) => ({ path })), ...paths.map((path) => ({ path, value }))],
	},
});
const activities = { resource: 'activity', operation: 'getAll', returnAll: true };
const records = { resource: 'record', operation: 'getAll', returnAll: true };
const digest = { resource: 'case', operation: 'digest' };

const activityCount = () => service.sandbox.store.getCase(MANY_ACTIVITIES).activities().length;
const recordCount = () =>
	service.sandbox.store
		.getCase(MANY_RECORDS)
		.records()
		.flatMap((group) => group.record_type_record_results).length;

describe('Where a case does not show whether it has all of its activities or records', () => {
	it.each<[string, Deviations]>([
		['does not carry the list', without('activities', 'records', ...METAS)],
		['carries null', valued(['activities', 'records'], null)],
	])('all of them are requested: a case %s', async (_what, deviations) => {
		service.sandbox.deviate(deviations);
		const history = await service.run({ ...activities, caseId: byId(MANY_ACTIVITIES) });
		expect(rowsOf(history)).toHaveLength(activityCount());
		const list = await service.run({ ...records, caseId: byId(MANY_RECORDS) });
		expect(rowsOf(list)).toHaveLength(recordCount());
		expect([...hintsOf(history), ...hintsOf(list)]).toEqual([]);
		const [loaded] = rowsOf(
			await service.run({
				operation: 'get',
				caseId: byId(MANY_ACTIVITIES),
				output: 'raw',
				options: { loadInFull: ['activities'] },
			}),
		);
		expect(loaded.activities).toHaveLength(activityCount());
	});

	it('a list that can be read nowhere is an error, not an empty list', async () => {
		service.sandbox.deviate({
			rows: {
				fields: [{ path: 'activities' }, { path: 'activities_meta' }],
				failing: [{ list: 'activities', status: 404 }],
			},
		});
		const run = await service.run({ ...activities, caseId: byId(MANY_ACTIVITIES) });
		expect(failureOf(run)).toMatchObject({ message: expect.stringMatching(/not found/i) });
	});
});

describe('Get as Text', () => {
	it('names what the service did not return apart from what is empty', async () => {
		service.sandbox.deviate({
			rows: {
				fields: [
					{ path: 'closure_conditions' },
					{ path: 'metadata' },
					{ path: 'linked_cases', value: [] },
				],
			},
		});
		const [{ text }] = rowsOf(await service.run({ ...digest, caseId: byId(MANY_ACTIVITIES) }));
		expect(text).toMatch(/^Nothing in: .*Linked cases/m);
		expect(text).not.toMatch(/^Nothing in: .*(Metadata|Must be true)/m);
		expect(text).toMatch(
			/^Not returned by the service: Must be true to close the case, Metadata\.$/m,
		);
	});

	it('has the records that a case does not carry', async () => {
		service.sandbox.deviate(without('records', 'records_meta'));
		const [{ text }] = rowsOf(await service.run({ ...digest, caseId: byId(MANY_RECORDS) }));
		expect(text).toMatch(/^## Records$/m);
		expect(text).not.toContain('Not returned');
	});
});

describe('Where the service does not return all that it promises', () => {
	const incomplete = 'The service says that there are 61 activities, but it returned 50';
	beforeEach(() => service.sandbox.deviate({ list: { repeatedPages: 'all' } }));
	const textOf = async (options = {}) =>
		await service.run({ ...digest, caseId: byId(MANY_ACTIVITIES), options });

	it('Get Many of activities fails, and returns what came where that is accepted', async () => {
		const all = { ...activities, caseId: byId(MANY_ACTIVITIES) };
		expect(failureOf(await service.run(all))).toMatchObject({ message: incomplete, item: 0 });
		const run = await service.run({ ...all, options: { acceptIncomplete: true } });
		expect(rowsOf(run)).toHaveLength(50);
		expect(hintsOf(run)).toEqual([`${incomplete}.`]);
	});

	it('the text of a case names the section where that is accepted, also for a model', async () => {
		expect(failureOf(await textOf())).toMatchObject({ message: incomplete });
		const run = await textOf({ acceptIncomplete: true });
		expect(rowsOf(run)[0].text).toMatch(
			/^Not returned in full by the service: History and comments\.$/m,
		);
		expect(hintsOf(run)).toEqual([`${incomplete}.`]);
		service.sandbox.deviate();
		expect(rowsOf(await textOf())[0].text).not.toContain('Not returned in full');
	});
});
