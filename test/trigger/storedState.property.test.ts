import fc from 'fast-check';
import { eventsOf, useTrigger } from './trigger';

/**
 * A trigger finds any state where it stored its own: that of another version, truncated, or of another shape. It never
 * fails because of it, and reports what happens from its next poll on.
 *
 * STATE_RUNS sets the number of states, for example `STATE_RUNS=10000 npx jest test/trigger/storedState.property`.
 */
const RUNS = Number(process.env.STATE_RUNS ?? 25);

/** After so many states there is a new service: a poll must not have more cases to catch up with than it may take. */
const STATES_OF_A_SERVICE = 25;

const setUp = useTrigger();

const junk = fc.oneof(
	fc.constantFrom<unknown>(undefined, null, '', 'x', -1, 0.5, true, [], {}, [null], { a: null }),
	fc.jsonValue({ maxDepth: 2 }),
);

/** A change of one member, wherever it is: chosen by `turn` among all. */
const change = fc.record({ turn: fc.nat(40), value: junk });

type Members = Record<string, unknown>;

/** The places of all members of a value, those inside others too. */
function placesIn(value: unknown): Array<[Members, string]> {
	if (typeof value !== 'object' || value === null) return [];
	const members = value as Members;
	return Object.keys(members).flatMap(
		(name): Array<[Members, string]> => [[members, name], ...placesIn(members[name])],
	);
}

/** Whether a value is not just another number or text: that would be a state like others. */
const isOther = (value: unknown, before: unknown) =>
	value === null || typeof value === 'object' || typeof value !== typeof before;

it(
	`a trigger continues from any stored state (${RUNS} states)`,
	async () => {
		/** A service, and the state that a trigger stored there. */
		const start = async () => {
			const { store, trigger, published, later } = await setUp();
			let caseId = 0;
			const create = () => {
				later(30);
				store.createCase({ case_id: ++caseId });
				return `caseCreated ${caseId}`;
			};
			create();
			const poller = await published();
			create();
			await poller.poll();
			return { trigger, later, create, saved: poller.savedData() };
		};
		let states = 0;
		let started = await start();

		const check = async (changes: Array<{ turn: number; value: unknown }>) => {
			if (++states % STATES_OF_A_SERVICE === 0) started = await start();
			const { trigger, later, create, saved } = started;
			const stored = structuredClone(saved);
			for (const { turn, value } of changes) {
				const places = placesIn(stored).filter(([holder]) => (holder as unknown) !== stored);
				const [holder, name] = places[turn % places.length] ?? [];
				if (holder === undefined || !isOther(value, holder[name])) continue;
				if (value === undefined) delete holder[name];
				// A copy: a later change may put the same value into it.
				else holder[name] = structuredClone(value);
			}
			// As n8n stores it: what is missing from a list is null there.
			const found = JSON.parse(JSON.stringify(stored)) as typeof stored;
			const restarted = await trigger({ ...found, activation: 'init' });
			await restarted.poll();
			const event = create();
			expect(await eventsOf(restarted)).toEqual([event]);
			later(120);
			expect(await eventsOf(restarted)).toEqual([]);
		};
		await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), check), {
			numRuns: RUNS,
		});
	},
	60_000 + RUNS * 500,
);
