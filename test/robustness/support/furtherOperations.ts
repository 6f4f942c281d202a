import type { IDataObject } from 'n8n-workflow';
import { byId, itemsWith, OF_ITEM, range } from '../../support/runs';
import { runCases, type Operation } from './operations';
import { BUSY, COMMENTED, OLD_ACTION, type Scene } from './scene';

/** Reads of one case or of few, and writes of case actions. */

const actionsIn = ({ sandbox }: Scene, id: number) =>
	sandbox.store
		.getCase(id)
		.actions()
		.map(({ url, label, action_text }) => [id, url, label, action_text ?? null]);

interface Read
	extends Pick<Operation, 'name' | 'requests' | 'rowsUnder' | 'places' | 'truth' | 'unseen'> {
	parameters: Record<string, unknown>;
	items?: IDataObject[];
	/** What is compared of a row of the output. */
	shown: (row: IDataObject) => unknown;
	before?: (scene: Scene) => void;
}

const readOf = ({ parameters, items, shown, before, ...rest }: Read): Operation => ({
	...rest,
	kind: 'read',
	oneOfSeveral: rest.requests.length,
	prepare: async (scene, options) => {
		before?.(scene);
		return await Promise.resolve(async () => {
			const outcome = await runCases(scene, { ...parameters, options }, items);
			return { ...outcome, data: (outcome.data as IDataObject[]).map(shown) };
		});
	},
});

const ofCase = (resource: string, operation: string, caseId: number) => ({
	...{ resource, operation, caseId: byId(caseId), returnAll: true },
});
const GOTTEN = [COMMENTED, BUSY];

const READS = [
	readOf({
		name: 'case: get',
		requests: ['1'],
		places: { 'the cases': 1 },
		parameters: { operation: 'get', caseId: OF_ITEM },
		items: itemsWith(GOTTEN),
		shown: ({ case_id, name }) => [case_id, name],
		truth: ({ sandbox }) => GOTTEN.map((id) => [id, sandbox.store.getCase(id).name]),
	}),
	readOf({
		name: 'case: count',
		requests: ['look'],
		// The number of pages of one case is what the service says that there are.
		unseen: [
			'meta with pages one too small',
			'meta with pages too large',
			'meta with absurd pages',
		],
		places: { 'the page of one case': 1 },
		parameters: { operation: 'count' },
		shown: ({ count }) => count,
		truth: ({ sandbox }) => [sandbox.store.size],
	}),
	readOf({
		name: 'case: digest',
		requests: ['1', '1'],
		rowsUnder: ['cases', 'activities'],
		places: { 'the case': 1, 'its history': 2 },
		parameters: ofCase('case', 'digest', COMMENTED),
		shown: ({ text }) => String(text).match(/Comment \d+/g),
		truth: ({ sandbox }) => [sandbox.store.comments(COMMENTED).map(({ value }) => value)],
	}),
	readOf({
		name: 'list of records',
		requests: ['1', '1'],
		rowsUnder: ['cases', 'records'],
		places: { 'the case': 1, 'its records': 2 },
		parameters: ofCase('record', 'getAll', COMMENTED),
		// More than a case carries.
		before: ({ sandbox }) => {
			const created_at = '2026-01-20T00:00:00Z';
			const entries = range(1, 15).map((id) => ({ id, results: [], created_at }));
			const group = { record_type_id: 1, record_type_name: 'Host' };
			const records = [{ ...group, record_type_record_results: entries }];
			sandbox.store.updateCase(COMMENTED, { records });
		},
		shown: ({ record_id }) => record_id,
		truth: ({ sandbox }) =>
			sandbox.store
				.getCase(COMMENTED)
				.records()
				.flatMap((group) => group.record_type_record_results.map(({ id }) => id)),
	}),
	readOf({
		name: 'list of actions',
		requests: ['1'],
		rowsUnder: ['actions'],
		places: { 'the list': 1 },
		parameters: ofCase('action', 'getAll', BUSY),
		shown: ({ case_id, url, label, action_text }) => [case_id, url, label, action_text ?? null],
		truth: (scene) => actionsIn(scene, BUSY),
	}),
];

const WRITTEN = range(1, 5);
const ADDED = { url: 'https://example.com/added', label: 'Added', action_type: 'page' };

const clear: Operation = {
	name: 'clear',
	kind: 'write',
	// How many actions it removes is read before.
	reads: [1],
	requests: ['cases', ...WRITTEN.map(String)],
	places: { 'the read': 1, 'the first case': 2, 'a middle case': 4, 'the last case': 6 },
	oneOfSeveral: 4,
	prepare: async (scene, options) =>
		await Promise.resolve(async () => {
			const parameters = { resource: 'action', operation: 'clear', caseId: OF_ITEM, options };
			const outcome = await runCases(scene, parameters, itemsWith(WRITTEN));
			const data = (outcome.data as IDataObject[]).map(({ case_id, actions }) => [
				case_id,
				actions,
			]);
			return { ...outcome, data };
		}),
	truth: (scene) => WRITTEN.map((id) => [id, actionsIn(scene, id)]),
};

const upsert: Operation = {
	name: 'upsert',
	kind: 'write',
	reads: [1, 3, 5, 7, 9],
	requests: WRITTEN.flatMap((id) => [String(id), String(id)]),
	// What becomes of its writes is tried in test/robustness/writes.property.test.ts.
	places: { 'the first read': 1, 'a middle read': 5, 'the last read': 9 },
	// The reads of the others are in flight, so that no write can fail before a read does.
	oneOfSeveral: 1,
	prepare: async (scene, options) =>
		await Promise.resolve(async () => {
			const outcome = await runCases(
				scene,
				{
					...{ resource: 'action', operation: 'upsert', caseId: OF_ITEM, options },
					actions: { action: [ADDED] },
				},
				itemsWith(WRITTEN),
			);
			const data = (outcome.data as Array<{ case_id: unknown; actions: IDataObject[] }>).map(
				({ case_id, actions }) => [case_id, ...actions.map(({ url }) => url)],
			);
			return { ...outcome, data };
		}),
	truth: (scene) =>
		WRITTEN.map((id) => [
			id,
			...actionsIn(scene, id)
				.map(([, url]) => url)
				.filter((url) => url === ADDED.url),
		]),
	afterwards(scene) {
		for (const id of WRITTEN) {
			const [kept, ...added] = actionsIn(scene, id).map(([, url]) => url);
			expect(kept).toBe(OLD_ACTION.url);
			expect([[], [ADDED.url]]).toContainEqual(added);
		}
	},
};

export const FURTHER: Operation[] = [...READS, clear, upsert];
