import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Action } from '../../../sandbox/types';
import { runNode, type RunNodeOptions } from '../../../tools/engine/node';
import { createPoller, type Poller } from '../../../tools/engine/poll';
import { byId, failureOf, hintsOf, itemsWith, OF_ITEM, range, reportOf } from '../../support/runs';
import { CASES_NODE } from '../../support/service';
import { BUSY, COMMENTED, OLD_ACTION, type Scene } from './scene';

export type Options = { timeout: number; maxRetries: number; concurrency: number };

/** How an operation ended: with data, or with a failure. */
export interface Outcome {
	data: unknown[];
	hints: string[];
	failure?: { message?: string; description?: string | null };
	/** Everything that n8n would keep of it. */
	record: unknown;
}

export interface Operation {
	name: string;
	/** The operation of the node, such as `case.getAll`. */
	covers?: string;
	kind: 'read' | 'write';
	/** How it writes. Default: the batch update, after which a doubtful case is read. */
	sends?: 'PUT' | 'DELETE';
	/** Whether what was found before a failure is kept, and the rest comes later. */
	keepsWhatItHas?: boolean;
	/** The numbers of the requests that read, where it is a write. */
	reads?: number[];
	/** What each request is for, in the order of a run without faults that sends one at a time. */
	requests: string[];
	/** Under which fields the rows of the answers stand. Default: those of the list that the name says. */
	rowsUnder?: string[];
	/** Faults that it can't see, by their names. */
	unseen?: string[];
	/** The requests that faults hit, by a name: their numbers in `requests`, from 1. */
	places: Record<string, number>;
	/** The number of the request that a fault hits while several are in flight. */
	oneOfSeveral: number;
	/** How many lists it reads. Default: one. */
	lists?: number;
	/** The numbers of requests for the list of one case among others, and how it ends without the list of the first. */
	ofOneCase?: { requests: number[]; data: (scene: Scene) => unknown[]; hints: unknown[] };
	/** Prepares the operation without faults, and returns a function that runs it. */
	prepare: (scene: Scene, options: Options) => Promise<() => Promise<Outcome>>;
	/** Returns what the store holds now, in the form of the outcome's data. */
	truth: (scene: Scene) => unknown[];
	/** Checks what must hold after every ending, once the faults are over. */
	afterwards?: (scene: Scene, outcome: Outcome) => Promise<void> | void;
}

const PAGE_SIZE = 5;

export async function runCases(
	{ credential }: Scene,
	parameters: Record<string, unknown>,
	items?: IDataObject[],
	mode?: RunNodeOptions['mode'],
): Promise<Outcome> {
	const run = await runNode({
		type: CASES_NODE,
		parameters: parameters as INodeParameters,
		credentials: { casesApi: credential },
		items,
		mode,
	});
	return {
		data: run.items.map(({ json }) => json),
		hints: hintsOf(run),
		failure: run.status === 'error' ? failureOf(run) : undefined,
		record: run.run.data.resultData,
	};
}

/** An operation of the Cases node: what it is given, and what is compared of its output. */
interface Given
	extends Omit<Operation, 'prepare' | 'oneOfSeveral'>,
		Partial<Pick<Operation, 'oneOfSeveral'>> {
	parameters: Record<string, unknown>;
	items?: IDataObject[] | ((scene: Scene) => IDataObject[]);
	/** What is compared of a row of the output. */
	shown: (row: IDataObject) => unknown;
	before?: (scene: Scene) => void;
}

/** A fault hits the last request while several are in flight, unless `oneOfSeveral` says another one. */
export const operationOf = ({ parameters, items, shown, before, ...rest }: Given): Operation => ({
	oneOfSeveral: rest.requests.length,
	covers: `${String(parameters.resource ?? 'case')}.${String(parameters.operation ?? 'getAll')}`,
	...rest,
	prepare: async (scene, options) => {
		before?.(scene);
		const input = typeof items === 'function' ? items(scene) : items;
		return await Promise.resolve(async () => {
			const all = { ...options, ...(parameters.options as object | undefined) };
			const outcome = await runCases(scene, { ...parameters, options: all }, input);
			return { ...outcome, data: (outcome.data as IDataObject[]).map(shown) };
		});
	},
});

export const ofCase = (resource: string, operation: string, caseId: number) => ({
	...{ resource, operation, caseId: byId(caseId), returnAll: true },
});

const list = operationOf({
	name: 'list of cases',
	kind: 'read',
	requests: ['1', '5', 'look', '2', '3', '4', 'look', 'edits'],
	places: {
		'page 1': 1,
		'the last page': 2,
		'the look at page 1': 3,
		'a middle page': 5,
		'the page behind the last': 7,
		'the check for edits': 8,
	},
	oneOfSeveral: 4,
	parameters: { returnAll: true, order: 'RECENTLY_EDITED', options: { pageSize: PAGE_SIZE } },
	shown: ({ case_id, name }) => [case_id, name],
	truth: ({ sandbox }) =>
		[...sandbox.store.cases()].map(({ case_id, name }) => [case_id, name]).reverse(),
});

const comments = operationOf({
	name: 'list of comments',
	kind: 'read',
	requests: ['1', '3', 'look', '2', 'look'],
	places: {
		'page 1': 1,
		'the last page': 2,
		'the look at page 1': 3,
		'a middle page': 4,
		'the page behind the last': 5,
	},
	oneOfSeveral: 3,
	parameters: ofCase('comment', 'getAll', BUSY),
	shown: ({ case_id, comment_id, text }) => [case_id, comment_id, text],
	truth: ({ sandbox }) => sandbox.store.comments(BUSY).map(({ id, value }) => [BUSY, id, value]),
});

const WITH_COMMENTS = [COMMENTED, COMMENTED + 1];

/** Two cases with their comments, of which the second has none: one request for the cases, and one for each of them. */
const casesWithComments = operationOf({
	name: 'list of cases with comments',
	kind: 'read',
	requests: ['1', '1', '1'],
	places: { 'the cases': 1, 'the comments of a case': 2 },
	oneOfSeveral: 2,
	lists: 3,
	ofOneCase: {
		requests: [2, 3],
		data: (scene) => [[COMMENTED, undefined], ...casesWithComments.truth(scene).slice(1)],
		hints: [
			expect.stringMatching(
				/^The comments of some cases could not be read, and are null there: case 7 \(\S.*\)\.$/,
			),
		],
	},
	parameters: {
		...{ returnAll: true, order: 'CREATED_ASC', filters: { case_ids: WITH_COMMENTS } },
		options: { includeComments: true },
	},
	shown: ({ case_id, comments: texts }) => [
		case_id,
		(texts as IDataObject[] | undefined)?.map(({ text }) => text),
	],
	truth: ({ sandbox }) =>
		WITH_COMMENTS.map((id) => [id, sandbox.store.comments(id).map(({ value }) => value)]),
});

/** The history of a case that carries ten of its activities: one request for the case, then its pages. */
const history = operationOf({
	name: 'list of activities',
	kind: 'read',
	requests: ['1', '1', '4', 'look', '2', '3', 'look'],
	places: { 'the case': 1, 'page 1': 2, 'the last page': 3, 'a middle page': 5 },
	oneOfSeveral: 4,
	parameters: ofCase('activity', 'getAll', BUSY),
	shown: ({ activity_id, value }) => [activity_id, value],
	truth: ({ sandbox }) =>
		sandbox.store
			.getCase(BUSY)
			.activities()
			.map(({ id, value }) => [id, value]),
});

/** The cases that writes are tried on. */
export const WRITTEN = range(1, 5);
const newAction = (caseId: number) => ({
	url: `https://example.com/${caseId}`,
	label: `New ${caseId}`,
	action_type: 'webhook',
	action_text: 'Go',
});

/** Actions without what a service that has grown adds to them. */
const documented = (actions: unknown) =>
	(actions as Action[]).map(({ id, url, label, action_type }) => [id, url, label, action_type]);

export const actionsIn = ({ sandbox }: Scene, id: number) =>
	sandbox.store
		.getCase(id)
		.actions()
		.map(({ url, label, action_text }) => ({ url, label, action_text: action_text ?? null }));
const labelsOf = (actions: unknown) => (actions as Action[]).map(({ label }) => label);

function writtenCases(scene: Scene): number[] {
	return WRITTEN.filter((id) => actionsIn(scene, id)[0].label !== OLD_ACTION.label);
}

/** Checks what a failure says about the cases, each of which was written or has the old action. */
function expectTrueReport(scene: Scene, { failure }: Outcome): void {
	if (!failure) {
		expect(writtenCases(scene)).toEqual(WRITTEN);
		return;
	}
	const { failed, perhaps, written, left } = reportOf(failure.description);
	expect(written).toEqual(writtenCases(scene).filter((id) => !perhaps.includes(id)));
	expect([...written, ...perhaps, ...failed, ...left].sort()).toEqual(WRITTEN);
}

const replace = operationOf({
	name: 'replace',
	kind: 'write',
	requests: WRITTEN.map(String),
	places: { 'the first case': 1, 'a middle case': 3, 'the last case': 5 },
	oneOfSeveral: 3,
	parameters: {
		...{ resource: 'action', operation: 'replace', caseId: OF_ITEM },
		...{ actionsFrom: 'json', actionsJson: '={{ [$json.action] }}' },
	},
	items: WRITTEN.map((id) => ({ id, action: newAction(id) })),
	shown: ({ case_id, actions }) => [case_id, documented(actions)],
	truth: ({ sandbox }) =>
		WRITTEN.map((id) => [id, documented(sandbox.store.getCase(id).actions())]),
	afterwards(scene, outcome) {
		for (const id of WRITTEN) {
			// Each try to write a case sent the same body, and the store has the old action or the new one.
			const bodies = scene.sandbox.requests
				.filter(({ path }) => path === `/api/v2/cases/${id}/actions/batch`)
				.map(({ body }) => body);
			for (const body of bodies) expect(body).toEqual({ actions: [newAction(id)] });
			const [action, ...others] = actionsIn(scene, id);
			expect(others).toEqual([]);
			expect([OLD_ACTION.url, newAction(id).url]).toContain(action.url);
		}
		expectTrueReport(scene, outcome);
	},
});

/** What must never get lost: an action of which rows have the text. */
const OTHER = {
	...OLD_ACTION,
	url: 'https://example.com/other',
	label: 'Other',
	action_text: 'Go',
};

const deletion = operationOf({
	name: 'delete',
	kind: 'write',
	reads: [1, 3, 5, 7, 9],
	requests: WRITTEN.flatMap((id) => [String(id), String(id)]),
	// What becomes of its writes is tried in test/robustness/writes.property.test.ts.
	places: { 'the first read': 1, 'a middle read': 5, 'the last read': 9 },
	oneOfSeveral: 3,
	before: ({ sandbox }) => {
		const at = { updated_at: '2026-01-20T00:00:00Z' };
		for (const id of WRITTEN) sandbox.store.replaceActions(id, [OLD_ACTION, OTHER], at);
	},
	parameters: { resource: 'action', operation: 'delete', caseId: OF_ITEM, matchLabel: 'Old' },
	items: itemsWith(WRITTEN),
	shown: ({ case_id, actions }) => [case_id, labelsOf(actions)],
	truth: (scene) => WRITTEN.map((id) => [id, labelsOf(actionsIn(scene, id))]),
	afterwards(scene, outcome) {
		for (const id of WRITTEN) {
			expect(actionsIn(scene, id).at(-1)).toMatchObject({ label: 'Other', action_text: 'Go' });
		}
		expectTrueReport(scene, outcome);
	},
});

const pollers = new WeakMap<Scene, Poller>();
const NEW_CASES = 7;

async function pollOnce(poller: Poller): Promise<Outcome> {
	try {
		const items = (await poller.poll()) ?? [];
		const data = items.map(({ json: { event, case_id, comment } }) => [
			event,
			case_id,
			(comment as IDataObject | undefined)?.comment_id ?? null,
		]);
		return { data: data.sort(), hints: [], record: [items, poller.snapshot()] };
	} catch (error) {
		return { data: [], hints: [], failure: error as Error, record: [error, poller.snapshot()] };
	}
}

/** A poll that finds 7 new cases, a second apart, two of them with a comment. */
const trigger: Operation = {
	name: 'poll of the trigger',
	kind: 'read',
	keepsWhatItHas: true,
	// Each page is followed by the comments of its new cases. It begins a second earlier than the page before has ended.
	requests: '1 2 comments comments 5 comments 7 comments 9 comments 11 comments 13 comments'.split(
		' ',
	),
	places: { 'the first page': 1, 'a middle page': 7, 'the last page': 13, 'some comments': 4 },
	oneOfSeveral: 7,
	// The case of this request has no comments.
	ofOneCase: { requests: [4], data: (scene) => trigger.truth(scene), hints: [] },
	prepare: async (scene, options) => {
		const { sandbox, credential, clock } = scene;
		const poller = await createPoller({
			type: 'n8n-nodes-cases.casesTrigger',
			parameters: {
				events: ['caseCreated', 'commentAdded'],
				options: { ...options, pageSize: 3 },
			},
			credentials: { casesApi: credential },
		});
		pollers.set(scene, poller);
		await poller.poll();
		clock.now += 120_000;
		for (let index = 0; index < NEW_CASES; index++) {
			clock.now += 1000;
			const { case_id } = sandbox.store.createCase();
			if (index % 3 === 2) sandbox.store.addComment(case_id, 'Look here');
		}
		// Much longer than an answer takes on a busy machine: a poll leaves the newest seconds of the service for the next one.
		clock.now += 30_000;
		sandbox.clearRequests();
		return async () => await pollOnce(poller);
	},
	truth: ({ sandbox }) =>
		[...sandbox.store.cases()]
			.slice(-NEW_CASES)
			.flatMap(({ case_id }): unknown[][] => [
				['caseCreated', case_id, null],
				...sandbox.store.comments(case_id).map(({ id }) => ['commentAdded', case_id, id]),
			])
			.sort(),
	async afterwards(scene, outcome) {
		// What a poll has not found comes with the next one, and nothing comes twice.
		const next = await pollOnce(pollers.get(scene) as Poller);
		expect(next.failure).toBeUndefined();
		expect([...outcome.data, ...next.data].sort()).toEqual(trigger.truth(scene));
	},
};

export const DOCUMENTED: Operation[] = [
	list,
	comments,
	casesWithComments,
	history,
	replace,
	deletion,
	trigger,
];
