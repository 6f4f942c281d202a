import fc from 'fast-check';
import { runWindow, type Setting } from './window';

/**
 * The law by itself, against a service that is a table of versions: whatever becomes visible within two minutes of its
 * time is reported once. WINDOW_RUNS sets the number of schedules.
 */
const RUNS = Number(process.env.WINDOW_RUNS ?? 300);

const rarely = <T>(usual: T, ...others: T[]) =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const settings: fc.Arbitrary<Setting> = fc
	.record({
		seed: fc.nat(2 ** 31),
		length: fc.constantFrom(300, 900, 1800),
		cases: fc.constantFrom(5, 40, 200),
		rate: fc.constantFrom(0.02, 0.1, 0.3, 1),
		lag: rarely(110, 0, 5),
		bulk: rarely(0, 1, 3),
		ahead: rarely(0, 5),
		pageSize: fc.constantFrom(1, 2, 7, 10, 50),
		pageTime: rarely(0.3, 0, 3, 8, 20),
		pollEvery: rarely(60, 10, 600),
		maxCases: rarely(Infinity, 2, 5, 20),
		maxPages: rarely(Infinity, 3, 6),
		offset: rarely(0, 180, -180, 3600, -3600, 5, -300),
		drift: rarely(0, 0.01, -0.01),
		byDay: rarely(false, true),
		isCounted: rarely(true, false),
		failing: rarely(0, 0.05, 0.3),
	})
	// A limit that is lower than what happens is never caught up with.
	.map((setting) => {
		const { pageSize, cases, bulk, maxCases, maxPages, pageTime } = setting;
		const load = setting.rate * setting.pollEvery;
		const isTooSmall = maxCases < load * 2 || maxPages * pageSize < load * 4;
		const isSlow = pageTime > 3 && pageSize < 10;
		return {
			...setting,
			...(isTooSmall && { maxCases: Infinity, maxPages: Infinity }),
			...(isSlow && { pageTime: 0.3 }),
			...(bulk > 0 && cases / pageSize > 20 && { pageSize: 10 }),
		};
	});

describe('the window', () => {
	it(
		'loses no version that becomes visible within two minutes, and repeats none',
		() => {
			const sum = { edits: 0, requests: 0 };
			fc.assert(
				fc.property(settings, (setting) => {
					const { lost, repeated, edits, requests } = runWindow(setting);
					sum.edits += edits;
					sum.requests += requests;
					expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 });
				}),
				{ numRuns: RUNS, endOnFailure: true },
			);
			process.stdout.write(
				`window: ${RUNS} schedules, ${sum.edits} edits, ${sum.requests} requests\n`,
			);
		},
		60_000 + RUNS * 2000,
	);
});
