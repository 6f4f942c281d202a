import {
	hasWholeId,
	numberOfCase,
	openMarks,
	openMemory,
	type Memory,
} from '../../nodes/Cases/trigger/changes/memory';
import { startingState } from '../../nodes/Cases/trigger/changes/state';

const EMPTY = startingState(0);
const ALL = { floor: 0, digestsFrom: 0, keepsOlder: false };
const version = (id: number, edited: number, digest = 1) => ({ id, edited, digest });
/** A memory as the next poll has it. */
const reopened = (memory: Memory, options = ALL) =>
	openMemory({ ...EMPTY, ...memory.pack(options) });

describe('the number of a case', () => {
	it.each(['7', '0', '999999999999'])('is its ID %s', (id) => {
		expect(numberOfCase(id)).toBe(Number(id));
		expect(hasWholeId(numberOfCase(id))).toBe(true);
	});

	it.each(['1000000000000', '-7', '7a', 'a7', '7.5', ''])(
		'differs from any ID for %j',
		(identity) => {
			expect(hasWholeId(numberOfCase(identity))).toBe(false);
			expect(Number.isSafeInteger(numberOfCase(identity))).toBe(true);
		},
	);

	it('differs for each text', () => {
		expect(numberOfCase('a')).not.toBe(numberOfCase('b'));
	});
});

describe('marks', () => {
	it('are known by their time, to the minute, and their text', () => {
		const marks = openMarks({});
		marks.add(120, 'a');
		marks.add(121, 'b');
		expect([marks.has(120, 'a'), marks.has(179, 'a'), marks.has(150, 'b')]).toEqual([
			true,
			true,
			true,
		]);
		expect([marks.has(119, 'a'), marks.has(180, 'a'), marks.has(120, 'c')]).toEqual([
			false,
			false,
			false,
		]);
	});

	it('are kept from the minute of a time on', () => {
		const marks = openMarks({});
		// Minutes of several digits.
		for (const minute of [100, 101, 102]) marks.add(minute * 60, `m${minute}`);
		const kept = (from: number) => {
			const later = openMarks(marks.pack(from));
			return [100, 101, 102].filter((minute) => later.has(minute * 60, `m${minute}`));
		};
		expect(kept(0)).toEqual([100, 101, 102]);
		expect(kept(6059)).toEqual([100, 101, 102]);
		expect(kept(6060)).toEqual([101, 102]);
		expect(kept(6120)).toEqual([102]);
		expect(marks.pack(6180)).toEqual({});
	});
});

describe('the memory of versions', () => {
	it('knows a version by case, time and content', () => {
		const memory = openMemory(EMPTY);
		memory.addVersion(version(7, 100, 5));
		memory.addVersion(version(8, 100, 6));
		for (const one of [memory, reopened(memory)]) {
			expect(one.hasVersion(version(7, 100, 5))).toBe(true);
			expect(one.hasVersion(version(8, 100, 6))).toBe(true);
			expect(one.hasVersion(version(7, 100, 6))).toBe(false);
			expect(one.hasVersion(version(9, 100, 5))).toBe(false);
			expect(one.hasVersion(version(7, 101, 5))).toBe(false);
		}
	});

	it('keeps each content with its case, in whatever order they came', () => {
		const memory = openMemory(EMPTY);
		for (const id of [30, 4, 200]) memory.addVersion(version(id, 100, id * 10));
		const later = reopened(memory);
		expect([4, 30, 200].map((id) => later.hasVersion(version(id, 100, id * 10)))).toEqual([
			true,
			true,
			true,
		]);
		expect(later.hasVersion(version(4, 100, 300))).toBe(false);
	});

	it('knows any content of a case where it kept none', () => {
		const memory = openMemory(EMPTY);
		memory.addVersion(version(7, 100, 5));
		memory.addVersion(version(7, 101, 5));
		const later = reopened(memory, { ...ALL, digestsFrom: 101 });
		expect(later.hasVersion(version(7, 100, 6))).toBe(true);
		expect(later.hasVersion(version(7, 101, 6))).toBe(false);
		expect(later.pack(ALL).edits[(100).toString(36)]).toHaveLength(1);
	});

	it('forgets what is dated before the floor', () => {
		const memory = openMemory(EMPTY);
		for (const edited of [99, 100]) memory.addVersion(version(edited, edited));
		const later = reopened(memory, { ...ALL, floor: 100 });
		expect([later.knows(99), later.knows(100)]).toEqual([false, true]);
		expect(memory.pack({ ...ALL, floor: 100 })).toMatchObject({ older: undefined });
	});

	it('keeps which cases it knows, for a read of several polls', () => {
		const memory = openMemory(EMPTY);
		for (const edited of [99, 100]) memory.addVersion(version(edited, edited));
		const later = reopened(memory, { ...ALL, floor: 100, keepsOlder: true });
		expect([later.knows(99), later.knows(100), later.knows(98)]).toEqual([true, true, false]);
		expect(later.hasVersion(version(99, 99))).toBe(false);
		expect(reopened(later, { ...ALL, keepsOlder: true }).knows(99)).toBe(true);
		expect(memory.pack({ ...ALL, keepsOlder: true }).older).toBeUndefined();
	});

	it('keeps a case that was passed unknown, until it is added', () => {
		const memory = openMemory(EMPTY);
		memory.passVersion(version(7, 100));
		memory.addVersion(version(8, 100));
		expect(memory.hasVersion(version(7, 100))).toBe(true);
		const later = reopened(memory);
		expect([later.knows(7), later.knows(8)]).toEqual([false, true]);
		later.addVersion(version(7, 100));
		expect(later.pack(ALL).passed).toBeUndefined();
		expect(reopened(later).knows(7)).toBe(true);
	});

	it('keeps the contents of at most four thousand cases, those edited last', () => {
		const memory = openMemory(EMPTY);
		for (let id = 0; id < 2001; id++) {
			for (const edited of [100, 101]) memory.addVersion(version(id, edited, 5));
		}
		for (let id = 0; id < 1999; id++) memory.addVersion(version(id, 99, 5));
		const isKept = (one: Memory) =>
			[99, 100, 101].map((edited) => !one.hasVersion(version(0, edited, 6)));
		expect(isKept(reopened(memory))).toEqual([true, false, true]);
	});

	it('keeps at most five thousand cases that were created ahead, those with the highest IDs', () => {
		const memory = openMemory(EMPTY);
		expect(memory.pack(ALL).ahead).toBeUndefined();
		for (let id = 1; id <= 5001; id++) memory.addAhead(id);
		const later = reopened(memory);
		expect([1, 2, 5001].map(later.isAhead)).toEqual([false, true, true]);
	});

	it('counts the edits from a time on', () => {
		const memory = openMemory(EMPTY);
		for (const id of [1, 2, 3]) memory.addVersion(version(id, 100));
		memory.addVersion(version(1, 101));
		expect([99, 100, 101, 102].map(memory.countFrom)).toEqual([4, 4, 1, 0]);
	});
});
