import type { FaultRule, Sandbox } from '../../sandbox';
import { expectNoKey, useSandboxes } from '../support/service';
import { watchConnections, type Connections } from './support/connections';
import { combinations, FAULTS, type Combination } from './support/faultTable';
import { OPERATIONS, type Outcome } from './support/operations';
import { startScene, type Scene } from './support/scene';

interface Played {
	scene: Scene;
	outcome: Outcome;
}

const ALL = combinations(OPERATIONS);
/** More tries than any operation may make. */
const MANY = 150;
const AT_A_TIME = 16;

/** The hint that a list could not be read as a whole. */
const UNREST = /kept changing/;

const endings = { right: 0, error: 0, hint: 0 };
const start = useSandboxes();
let elsewhere: Sandbox;
let connections: Connections;

beforeAll(async () => {
	elsewhere = await start({ cases: 1 });
	connections = watchConnections();
	// Waits before a retry grow up to seconds; a fiftieth of them is as good.
	const random = Math.random;
	jest.spyOn(Math, 'random').mockImplementation(() => random() / 50);
	console.log(
		`Faults: ${ALL.length} combinations of ${FAULTS.length} faults, ${OPERATIONS.length} operations and their places, once and lasting`,
	);
});
afterAll(() => {
	jest.restoreAllMocks();
	console.log(
		`Endings: ${endings.right} right, ${endings.error} with an error, ${endings.hint} with a hint that rows may be missing`,
	);
});

/** Lets the fault hit the request with this number, or all from it on. */
function script({ sandbox }: Scene, { row, operation, request, lasting }: Combination): void {
	const last = lasting === 'once' ? request : MANY;
	if (!row.fault) {
		connections.refuse(portOf(sandbox), request, last);
		return;
	}
	const list =
		operation.requests[request - 1] === 'comments' || operation.name.includes('comments');
	const fault = row.fault({
		list: list ? 'comments' : 'cases',
		elsewhere: elsewhere.url,
		here: sandbox.url,
	});
	if (lasting === 'once') {
		sandbox.faults.add({ match: { nth: request }, fault });
		return;
	}
	const rule: FaultRule = { times: MANY, fault };
	if (request === 1) {
		sandbox.faults.add(rule);
		return;
	}
	// Nothing changes in the store: this is how a fault can begin with a request.
	const begin = () => sandbox.faults.add(rule);
	sandbox.faults.add({ match: { nth: request - 1 }, fault: { kind: 'change', run: begin } });
}

async function play(combination: Combination): Promise<Played> {
	const scene = await startScene();
	const { concurrency, row } = combination;
	const options = { timeout: 20_000, maxRetries: 2, concurrency, ...row.options };
	const act = await combination.operation.prepare(scene, options);
	script(scene, combination);
	return { scene, outcome: await act() };
}

const portOf = ({ url }: Sandbox) => Number(new URL(url).port);

function nameOf({ operation, place, lasting }: Combination): string {
	return `${operation.name}, ${place}, ${lasting}`;
}

describe('without faults', () => {
	it.each(OPERATIONS)('the requests of $name are those that the places name', async (operation) => {
		const scene = await startScene();
		const act = await operation.prepare(scene, { timeout: 20_000, maxRetries: 0, concurrency: 1 });
		const outcome = await act();
		const purposes = scene.sandbox.requests.map(({ path, query }, index) => {
			if (operation.name === 'poll of the trigger') {
				return path.endsWith('/comments') ? 'comments' : String(index + 1);
			}
			if (operation.kind === 'write') return path.split('/')[4];
			const { updated_at_start_date } = (query.filters ?? {}) as Record<string, unknown>;
			if (updated_at_start_date !== undefined) return 'edits';
			return query.per_page === '1' ? 'count' : String(query.page);
		});
		expect(purposes).toEqual(operation.requests);
		expect(outcome.failure).toBeUndefined();
		expect(outcome.data).toEqual(operation.truth(scene));
		await operation.afterwards?.(scene, outcome);
	});
});

describe.each(FAULTS)('$name', (row) => {
	const ofRow = ALL.filter((combination) => combination.row === row);
	const played = new Map<Combination, Played>();

	beforeAll(async () => {
		const left = [...ofRow];
		const worker = async () => {
			for (let next = left.shift(); next; next = left.shift()) played.set(next, await play(next));
		};
		await Promise.all(Array.from({ length: AT_A_TIME }, worker));
	});
	afterAll(async () => {
		await Promise.all([...played.values()].map(async ({ scene }) => await scene.sandbox.stop()));
	});

	it.each(ofRow.map((combination) => [nameOf(combination), combination] as const))(
		'%s',
		async (_name, combination) => {
			const { operation, ending } = combination;
			const { scene, outcome } = played.get(combination) as Played;
			const { sandbox } = scene;
			const { data, failure, hints, record } = outcome;
			const sent = sandbox.requests.length;
			endings[failure ? 'error' : hints.some((hint) => UNREST.test(hint)) ? 'hint' : 'right']++;
			expectNoKey([record, hints], Object.values(sandbox.keys));
			expect(sandbox.rejected).toEqual([]);
			expect(elsewhere.requests).toEqual([]);
			if (ending instanceof RegExp) {
				expect(failure?.message).toMatch(ending);
				expect(failure?.description).toMatch(/Request: (GET|PUT) \/api\/v2\/cases/);
				expect(data).toEqual([]);
			} else {
				expect(failure).toBeUndefined();
				const isSaidToBeCertain = !hints.some((hint) => UNREST.test(hint));
				if (isSaidToBeCertain) expect(data).toEqual(operation.truth(scene));
				if (ending === 'right') expect(hints).toEqual([]);
			}
			sandbox.faults.clear();
			connections.allow(portOf(sandbox));
			await operation.afterwards?.(scene, outcome);
			// A list is read four times at most, and each request sent three times.
			expect(sent).toBeLessThanOrEqual(operation.requests.length * 4 + 24);
		},
	);
});
