import fc from 'fast-check';
import {
	isFinal,
	moveOn,
	newestOf,
	openReading,
	placeAfter,
	type EditTimes,
	type Place,
	type Reading,
	type Window,
} from '../../nodes/Cases/trigger/changes/window';

/**
 * The law by itself, against a service that is a table of versions: whatever becomes visible within two minutes of its
 * time is reported once. WINDOW_RUNS sets the number of schedules.
 */
const RUNS = Number(process.env.WINDOW_RUNS ?? 300);

const rarely = <T>(usual: T, ...others: T[]) =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

/** What a schedule of the law depends on. Times are in seconds. */
const settings = fc
	.record({
		seed: fc.nat(2 ** 31),
		/** How long the cases are edited. */
		length: fc.constantFrom(300, 900, 1800),
		cases: fc.constantFrom(5, 40, 200),
		/** Edits in a second, on average. */
		rate: fc.constantFrom(0.02, 0.1, 0.3, 1),
		/** How late an edit becomes visible at most; one in ten is late. */
		lag: rarely(110, 0, 5),
		/** How often all cases are edited at once. */
		bulk: rarely(0, 1, 3),
		/** Cases that are dated far ahead. */
		ahead: rarely(0, 5),
		pageSize: fc.constantFrom(1, 2, 7, 10, 50),
		pageTime: rarely(0.3, 0, 3, 8, 20),
		pollEvery: rarely(60, 10, 600),
		/** What a poll takes at most. */
		maxCases: rarely(Infinity, 2, 5, 20),
		maxPages: rarely(Infinity, 3, 6),
		/** How far the service's clock is off, and by how much it runs too fast. */
		offset: rarely(0, 180, -180, 3600, -3600, 5, -300),
		drift: rarely(0, 0.01, -0.01),
		/** The service compares days, here of ten minutes. */
		byDay: rarely(false, true),
		/** The service says how many pages there are. */
		isCounted: rarely(true, false),
		/** How often a request fails. */
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

type Setting = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** Random numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** A version of a case: when it was edited, and since when it can be seen. */
interface Version {
	edited: number;
	visible: number;
}

interface Row {
	id: number;
	edited: number;
}

/** Draws the versions of each case. No case is edited twice in one second. */
function drawVersions(setting: Setting, random: () => number): Version[][] {
	const { length, cases, rate, lag, bulk, ahead } = setting;
	const edits: Array<{ at: number; id: number; late: number }> = [];
	for (let at = 1; at < length; at += (random() * 2) / rate) {
		const late = random() < 0.1 ? random() * lag : 0;
		edits.push({ at, id: Math.floor(random() * cases), late });
	}
	for (let times = 0; times < bulk; times++) {
		const at = Math.floor(random() * length);
		for (let id = 0; id < cases; id++) edits.push({ at: at + random() * 0.9, id, late: 0 });
	}
	edits.sort((a, b) => a.at - b.at);
	const versions = Array.from({ length: cases }, (): Version[] => [{ edited: 0, visible: 0 }]);
	for (const { at, id, late } of edits) {
		const before = versions[id][versions[id].length - 1].edited;
		const edited = Math.max(Math.floor(at), before + 1);
		versions[id].push({ edited, visible: Math.max(at + late, edited) });
	}
	for (let index = 0; index < ahead; index++) {
		versions.push([
			{ edited: 0, visible: 0 },
			{ edited: length * 40, visible: 100 + index },
		]);
	}
	return versions;
}

/** When a case was edited last, as far as it can be seen. No edit is more than two minutes late. */
function latestOf(versions: Version[], now: number): number {
	for (let index = versions.length - 1; index >= 0; index--) {
		if (versions[index].visible <= now) return versions[index].edited;
	}
	return 0;
}

/** A service, read by the law through polls; counts the versions that it loses and repeats. */
function runWindow(setting: Setting) {
	const { length, pageSize, pageTime, pollEvery, maxCases, maxPages, byDay, failing } = setting;
	const random = randomOf(setting.seed);
	const versions = drawVersions(setting, random);
	let now = 60;
	let requests = 0;
	/** Long after the last edit nothing fails, and there is no limit. */
	let isQuiet = false;

	const shown = ({ from, backwards }: Place): Row[] => {
		const start = byDay ? Math.floor(from / 600) * 600 : from;
		const end = byDay ? start + 600 : from + 1;
		const isOneSecond = backwards === 'count' || backwards === 'second';
		const rows = versions.flatMap((ofCase, id) => {
			const edited = latestOf(ofCase, now);
			const isWithin = edited >= start && (!isOneSecond || edited <= end);
			return isWithin ? [{ id, edited }] : [];
		});
		return rows.sort((a, b) => a.edited - b.edited || a.id - b.id);
	};
	const fetch = (place: Place): (EditTimes & { rows: Row[]; clock: number }) | undefined => {
		requests++;
		const clock = now * (1 + setting.drift) + setting.offset;
		const all = shown(place);
		now += pageTime;
		if (!isQuiet && random() < failing) return undefined;
		const rows = all.slice((place.page - 1) * pageSize, place.page * pageSize);
		const times = rows.map(({ edited }) => edited);
		const pages = Math.max(1, Math.ceil(all.length / pageSize));
		const counted = setting.isCounted ? { pages } : { hasNext: place.page < pages };
		return { rows, times, ...counted, clock };
	};

	let window: Window = { from: 1 };
	/** What was seen in the window, as the state keeps it, and all that was ever reported. */
	const seen = new Map<string, number>();
	const reported = new Map<string, number>();
	/** Cases that were edited right before the last poll. */
	let waiting = new Set<number>();

	/** One poll: what it found before a failure or a limit is kept. */
	const poll = () => {
		const reading: Reading = openReading(window, now);
		const waited = waiting;
		waiting = new Set();
		let taken = 0;
		let left = false;
		for (let pages = 1; ; pages++) {
			const answer = fetch(reading);
			if (answer === undefined) {
				if (pages > 1) window = { ...window, rest: reading };
				return;
			}
			for (const { id, edited } of answer.rows) {
				const key = `${id} ${edited}`;
				if (edited < window.from || seen.has(key)) continue;
				if (!isFinal(edited, answer.clock) && !waited.has(id)) {
					waiting.add(id);
					continue;
				}
				if (!isQuiet && taken >= maxCases) {
					left = true;
					break;
				}
				taken++;
				seen.set(key, edited);
				reported.set(key, (reported.get(key) ?? 0) + 1);
			}
			reading.newest = newestOf(answer.times, answer.clock, reading.newest);
			if (left) {
				window = { ...window, rest: reading };
				return;
			}
			const next = placeAfter(reading, answer);
			if (next === undefined) break;
			delete reading.backwards;
			Object.assign(reading, next);
			if (!isQuiet && pages >= maxPages) {
				window = { ...window, rest: reading };
				return;
			}
		}
		window = moveOn(window, reading, now);
		for (const [key, edited] of seen) if (edited < window.from) seen.delete(key);
	};

	for (let at = 60; at < length + 3600; at += pollEvery) {
		now = Math.max(now, at);
		isQuiet = at > length + 1800;
		poll();
	}
	const finals = versions.flatMap((ofCase, id) => {
		const { edited } = ofCase[ofCase.length - 1];
		// Cases that are dated ahead are not followed.
		return edited > 0 && edited <= now ? [`${id} ${edited}`] : [];
	});
	return {
		edits: versions.reduce((count, ofCase) => count + ofCase.length - 1, 0),
		lost: finals.filter((key) => !reported.has(key)).length,
		repeated: [...reported.values()].filter((times) => times > 1).length,
		requests,
	};
}

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
