import fc from 'fast-check';
import type { Fault } from '../../sandbox';
import { WITH_WRITES } from '../../sandbox/grown';
import type { NodeRun } from '../../tools/engine/node';
import { byId, failureOf, rowsOf } from '../support/runs';
import { faultsOf, useFaultedService, type Faults } from './support/faultedService';

// Whatever a service loses or refuses of an update's parts: nothing is called done that isn't, nothing changes that isn't
// named, and the same item does the rest. More of them: `UPDATES_RUNS=10000 npx jest test/robustness/updates.property`.

const RUNS = Number(process.env.UPDATES_RUNS ?? 60);

const service = useFaultedService(RUNS, WITH_WRITES);

const fault: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({ kind: fc.constant('drop' as const), applied: fc.boolean() }),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(408, 500, 502, 503, 504),
		applied: fc.boolean(),
	}),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(400, 401, 403, 404, 422, 429),
	}),
	fc.constantFrom<Fault>(
		{ kind: 'reset' },
		{ kind: 'truncatedJson' },
		{ kind: 'html' },
		{ kind: 'empty' },
		{ kind: 'raw', status: 200, body: '{}', applied: true },
		{ kind: 'raw', status: 200, body: '{"cases":[]}', applied: false },
	),
);

/** The parts by their names in messages, in the order in which they are sent. */
const PARTS = {
	Metadata: { metadata: { pair: [{ key: 'ticket', value: 'OPS-7' }] } },
	'Metadata Keys to Remove': { remove_metadata_keys: 'old' },
	'Field Values': { field_values: { pair: [{ key: '32', value: 'benign' }] } },
	'the other fields': { name: 'New', sub_status_id: '13' },
};
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;
type Name = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as Name[];

const BEFORE = {
	...{ name: 'Old', status: 'OPEN', sub_status_id: 11, 31: 'Host', 32: 'suspicious' },
	...{ ticket: 'OPS-1', old: '1', kept: '2' },
};
type State = Record<string, unknown>;
/** What each part changes. */
const CHANGES: Record<Name, State> = {
	Metadata: { ticket: 'OPS-7' },
	'Metadata Keys to Remove': { old: undefined },
	'Field Values': { 32: 'benign' },
	'the other fields': { name: 'New', status: 'CLOSED', sub_status_id: 13 },
};

const drawn = fc.record({
	faults: faultsOf(fault, { freq: 2, maxLength: 8 }),
	parts: fc.subarray(NAMES, { minLength: 1 }),
	maxRetries: fc.constantFrom<number>(0, 3),
});

function createCase(): number {
	const { name, ticket, old, kept } = BEFORE;
	const { case_id } = service.sandbox.store.createCase({
		...{ team_id: 1, name, sub_status_id: 11, metadata: { ticket, old, kept } },
	});
	const fields = ([31, 32] as const).map((id) => ({
		...{ id: service.sandbox.store.nextId(), input_id: id, value: BEFORE[id] },
	}));
	service.sandbox.store.editContent(case_id, { fields });
	return case_id;
}

function stateOf(caseId: number): State {
	const one = service.sandbox.store.getCase(caseId);
	const { name, status } = one;
	const values = one.fields().map(({ input_id, value }) => [input_id, value] as const);
	return {
		name,
		status,
		sub_status_id: one.sub_status?.id,
		...Object.fromEntries(values),
		...one.metadata,
	};
}

async function update(
	caseId: number,
	parts: Name[],
	faults: Faults,
	maxRetries: number,
): Promise<NodeRun> {
	const updateFields = Object.assign({}, ...parts.map((name) => PARTS[name])) as object;
	const ended = await service.run(
		{
			...{ resource: 'case', operation: 'update', caseId: byId(caseId), updateFields },
			options: { maxRetries },
		},
		faults,
	);
	await service.settle();
	return ended;
}

/** Whether a DELETE was confirmed that did nothing. The service answers it with 204, without a body that could show this. */
const isFalselyDeleted = (faults: Faults) =>
	service.sandbox.requests.some(({ method }, at) => {
		const fault = faults[at];
		return method === 'DELETE' && fault?.kind === 'raw' && fault.applied === false;
	});

/** The parts that a failure gives as done, perhaps done or not done. */
const saidOf = (text: string, how: string) => {
	const list = new RegExp(`(?:^|[. ])${how}: ([^.]*)\\.`).exec(text)?.[1].split(', ') ?? [];
	return list.filter((name): name is Name => name in PARTS);
};

it('A service that loses and refuses parts of an update never gets them called done', async () => {
	const check = async ({ faults, parts, maxRetries }: Drawn) => {
		const caseId = createCase();
		expect(stateOf(caseId)).toEqual(BEFORE);
		const ended = await update(caseId, parts, faults, maxRetries);
		const cannotTell = isFalselyDeleted(faults);
		const state = stateOf(caseId);
		const isDone = (name: Name) =>
			(cannotTell && name === 'Metadata Keys to Remove') ||
			Object.entries(CHANGES[name]).every(([key, value]) => state[key] === value);
		const named = parts.flatMap((name) => Object.keys(CHANGES[name]));
		Object.entries(BEFORE).forEach(([key, value]) => {
			if (!named.includes(key)) expect([key, state[key]]).toEqual([key, value]);
		});
		if (ended.status !== 'error') return expect(parts.filter(isDone)).toEqual(parts);
		const text = String(failureOf(ended).description);
		expect(saidOf(text, 'Done').filter((name) => !isDone(name))).toEqual([]);
		expect(saidOf(text, 'Not done').filter(isDone)).toEqual([]);
		rowsOf(await update(caseId, parts, [], 0));
		const after = Object.assign({}, BEFORE, ...parts.map((name) => CHANGES[name])) as State;
		expect(stateOf(caseId)).toEqual(JSON.parse(JSON.stringify(after)));
	};
	await fc.assert(fc.asyncProperty(drawn, check), { numRuns: RUNS });
});
