import type { FaultRule, Sandbox } from '../../sandbox';
import { createGate } from '../../nodes/Cases/api/pool';
import { expectEvery } from '../support/operations';
import { expectNoKey, useSandboxes } from '../support/service';
import { watchConnections, type Connections } from './support/connections';
import { cellsOf, FAULTS, sampleOf, type Cell } from './support/faultTable';
import { FURTHER } from './support/furtherOperations';
import { DOCUMENTED } from './support/operations';
import { SERVICES, startScene, type Scene } from './support/scene';
import { useShortWaits } from '../support/shortWaits';

// A sample of the table keeps `npm test` short. FAULTS=all tries every cell, as the nightly run does; FAULTS=delete those
// of the operation with this name.
const OPERATIONS = [...DOCUMENTED, ...FURTHER];
const TABLE = cellsOf(OPERATIONS);
/** What other tests try: creations, files and a question with its buttons, in properties; Close and Reopen are Update. */
const ELSEWHERE = [
	...['case.create', 'comment.create', 'task.create', 'record.create', 'record.link', 'case.link'],
	...['file.upload', 'file.download', 'action.sendAndWait', 'case.close', 'case.reopen'],
];
const { FAULTS: chosen } = process.env;
const TRIED =
	chosen === undefined
		? sampleOf(TABLE)
		: TABLE.filter(({ operation }) => chosen === 'all' || chosen === operation.name);
/** More attempts than any operation may make. */
const MANY = 150;
/** How many cells of all faults run at the same time, and how many of heavy ones. */
const AT_A_TIME = 16;
const HEAVY_AT_A_TIME = 2;
/** In ms: longer than any answer takes on a busy machine. A fault that keeps a request waiting has its own. */
const TIMEOUT = 120_000;
/** In ms: all cells of a fault, while those of others run as well. */
const TEST_TIMEOUT = 600_000;

const endings = { right: 0, error: 0 };
const start = useSandboxes();
useShortWaits();
let elsewhere: Sandbox;
let connections: Connections;

beforeAll(async () => {
	elsewhere = await start({ cases: 1 });
	connections = watchConnections();
	console.log(
		`Faults: ${TRIED.length} of ${TABLE.length} combinations of ${FAULTS.length} faults, ${OPERATIONS.length} operations and their places, once and lasting, on ${SERVICES.length} services`,
	);
});
afterAll(() => {
	connections.restore();
	console.log(`Endings: ${endings.right} right, ${endings.error} with an error`);
});

test('Every operation is in the table, or other tests try it', () => {
	const covered = OPERATIONS.flatMap(({ covers }) => covers ?? []);
	expectEvery([...covered, ...ELSEWHERE], 'test/robustness/support/furtherOperations.ts');
});

/** The nth request of an operation. Writes are counted alone: before one, a busy machine may read the case once more. */
function matchOf(
	{ kind, reads = [], sends = 'PUT' }: Cell['operation'],
	request: number,
): FaultRule['match'] {
	if (kind !== 'write' || reads.includes(request)) return { nth: request };
	return {
		method: sends,
		nth: request - reads.filter((read) => read < request).length,
	};
}

/** Makes the fault hit the cell's request: only once, or also every request after it. */
function script({ sandbox }: Scene, { row, operation, request, lasting }: Cell): void {
	const last = lasting === 'once' ? request : MANY;
	if (!row.fault) {
		connections.refuse(portOf(sandbox), request, last);
		return;
	}
	const fault = row.fault({
		list: listOf(operation, request),
		elsewhere: elsewhere.url,
		here: sandbox.url,
		now: sandbox.store.now(),
	});
	if (lasting === 'once') {
		sandbox.faults.add({ match: matchOf(operation, request), fault });
		return;
	}
	const rule: FaultRule = { times: MANY, fault };
	if (request === 1) {
		sandbox.faults.add(rule);
		return;
	}
	// A change that touches nothing in the store, only to start the fault after an earlier request.
	const begin = () => sandbox.faults.add(rule);
	sandbox.faults.add({ match: { nth: request - 1 }, fault: { kind: 'change', run: begin } });
}

/** Under which field the rows of an answer stand. */
function listOf({ name, requests, rowsUnder }: Cell['operation'], request: number): string {
	if (rowsUnder !== undefined) return rowsUnder[request - 1];
	if (requests[request - 1] === 'comments' || name === 'list of comments') return 'comments';
	if (request === 1) return 'cases';
	if (name.includes('comments')) return 'comments';
	return name.includes('activities') ? 'activities' : 'cases';
}

const portOf = ({ url }: Sandbox) => Number(new URL(url).port);

/** Runs the operation with the fault. @throws the failed expectation where it doesn't end as the table says */
async function tryCell(cell: Cell): Promise<void> {
	const { concurrency, ending, operation, row, service } = cell;
	const scene = await startScene(service);
	const { sandbox } = scene;
	try {
		const options = { timeout: TIMEOUT, maxRetries: 2, concurrency, ...row.options };
		const act = await operation.prepare(scene, options);
		script(scene, cell);
		const outcome = await act();

		const { data, failure, hints, record } = outcome;
		const sent = sandbox.requests.length;
		endings[failure ? 'error' : 'right']++;
		expectNoKey([record, hints], Object.values(sandbox.keys));
		expect(sandbox.rejected).toEqual([]);
		expect(elsewhere.requests).toEqual([]);
		const error = typeof ending === 'object' && 'rightOr' in ending ? ending.rightOr : ending;
		if (operation.keepsWhatItHas === true && failure === undefined) {
			expect(operation.truth(scene)).toEqual(expect.arrayContaining(data));
		} else if (error instanceof RegExp && (error === ending || failure)) {
			expect(failure?.message).toMatch(error);
			// No single request is to blame for a list that is not complete.
			expect(failure?.description).toMatch(
				/Request: (GET|POST|PUT|DELETE) \/api\/v2\/(cases|records)|'Accept Incomplete Lists'|Run again\./,
			);
			expect(data).toEqual([]);
		} else if (ending === 'without one') {
			expect(failure).toBeUndefined();
			expect({ data, hints }).toEqual({
				data: operation.ofOneCase?.data(scene),
				hints: operation.ofOneCase?.hints,
			});
		} else {
			expect(failure).toBeUndefined();
			expect(data).toEqual(operation.truth(scene));
			const isPause = (hint: string) => /^Waited [12] s for the service's rate limit\.$/.test(hint);
			const isPutOff = row.name.includes('Retry-After');
			const others = isPutOff ? hints.filter((hint) => !isPause(hint)) : hints;
			if (ending === 'right') expect(others).toEqual([]);
		}
		sandbox.faults.clear();
		connections.allow(portOf(sandbox));
		await operation.afterwards?.(scene, outcome);
		// A list is read four times at most, each time with few pages that have nothing new, and each request sent three times.
		const { requests, lists = 1 } = operation;
		expect(sent).toBeLessThanOrEqual(requests.length * 6 + lists * 24);
	} finally {
		await sandbox.stop();
	}
}

const enter = createGate(AT_A_TIME);
const enterHeavy = createGate(HEAVY_AT_A_TIME);

/** Tries the cells, some at a time. @returns what is wrong with those that fail */
async function failuresOf(cells: Cell[]): Promise<string[]> {
	const failures: string[] = [];
	const tryInTurn = async (cell: Cell) => {
		const { operation, place, lasting, service } = cell;
		const leaveHeavy = cell.row.isHeavy ? await enterHeavy() : undefined;
		const leave = await enter();
		await tryCell(cell)
			.catch((error: Error) =>
				failures.push(`${operation.name}, ${place}, ${lasting}, ${service}: ${error.message}`),
			)
			.finally(leave)
			.finally(leaveHeavy);
	};
	await Promise.all(cells.map(tryInTurn));
	return failures;
}

describe.each(SERVICES)('Without a fault, on the %s service', (service) => {
	test.each(OPERATIONS)(
		'the $name makes exactly the requests that the fault table counts',
		async (operation) => {
			const scene = await startScene(service);
			const act = await operation.prepare(scene, {
				timeout: TIMEOUT,
				maxRetries: 0,
				concurrency: 1,
			});
			const outcome = await act();
			const purposes = scene.sandbox.requests.map(({ path, query }, index) => {
				if (operation.name === 'poll of the trigger') {
					return path.endsWith('/comments') ? 'comments' : String(index + 1);
				}
				if (operation.kind === 'write') return path.split('/')[4] ?? 'cases';
				const { updated_at_start_date } = (query.filters ?? {}) as Record<string, unknown>;
				if (updated_at_start_date !== undefined) return 'edits';
				return query.per_page === '1' ? 'look' : String(query.page);
			});
			expect(purposes).toEqual(operation.requests);
			expect(outcome.failure).toBeUndefined();
			expect(outcome.data).toEqual(operation.truth(scene));
			await operation.afterwards?.(scene, outcome);
		},
	);
});

/** Those that wait for a timeout first: others run meanwhile. */
const LONGEST_FIRST = [...FAULTS].sort(
	(one, other) => (other.options?.timeout ?? 0) - (one.options?.timeout ?? 0),
);

// Several faults at once, because most of their time is waiting.
test.concurrent.each(LONGEST_FIRST)(
	'The fault "$name" ends every operation with right data or a clear error',
	async (row) => {
		const cells = TRIED.filter((cell) => cell.row === row);
		const failures = await failuresOf(cells);
		if (failures.length > 0) {
			const count = `${failures.length} of ${cells.length} combinations fail`;
			throw new Error([count, ...failures].join('\n\n'));
		}
	},
	TEST_TIMEOUT,
);
