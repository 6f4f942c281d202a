import { caseIdentity } from '../../api/identity';
import type { Case } from '../../api/types';
import { digestOf, numberOfText } from './digest';
import { packDigests, packNumbers, unpackDigests, unpackNumbers } from './packNumbers';
import type { PackedEdits, Seconds, TriggerState } from './state';

/** Digests that are kept at most. Beyond, a second edit of a case within one second isn't noticed. */
const MAX_DIGESTS = 4000;

/** Cases that are remembered at most because they were created after their edit, by their dates: the newest ones. */
const MAX_AHEAD = 5000;

/** A version of a case: which case, when it was edited, and a digest of its content. */
export interface Version {
	id: number;
	edited: Seconds;
	digest: number;
}

/** The first number that stands for a hash, beyond all IDs. */
const FIRST_HASH = 2 ** 42;

/** A number for a case: its ID or, where that isn't a whole number, a hash. */
export function numberOfCase(identity: string): number {
	return /^\d{1,12}$/.test(identity) ? Number(identity) : FIRST_HASH + numberOfText(identity);
}

/** Whether the number of a case is its ID. */
export const hasWholeId = (id: number): boolean => id < FIRST_HASH;

export function versionOf(row: Case, edited: Seconds): Version {
	return { id: numberOfCase(caseIdentity(row)), edited, digest: digestOf(row) };
}

/** What happened at some time, as hashes of a text, by minute. */
export interface Marks {
	has: (time: Seconds, key: string) => boolean;
	add: (time: Seconds, key: string) => void;
	/** Those from the minute of a time on, packed; with an end, only those of minutes that are over by then. */
	pack: (from: Seconds, end?: Seconds) => Record<string, string>;
}

const minuteOf = (time: Seconds) => Math.floor(time / 60).toString(36);

export function openMarks(packed: Record<string, string>): Marks {
	const minutes = new Map(
		Object.entries(packed).map(([minute, text]) => [minute, new Set(unpackNumbers(text))]),
	);
	return {
		has: (time, key) => minutes.get(minuteOf(time))?.has(numberOfText(key)) ?? false,
		add: (time, key) => {
			const minute = minuteOf(time);
			const hashes = minutes.get(minute) ?? new Set();
			minutes.set(minute, hashes.add(numberOfText(key)));
		},
		pack: (from, end = Infinity) =>
			Object.fromEntries(
				[...minutes]
					.filter(([minute]) => {
						const over = (parseInt(minute, 36) + 1) * 60;
						return over > from && over <= end;
					})
					.map(([minute, hashes]) => [minute, packNumbers(hashes)]),
			),
	};
}

/** What was seen and reported, opened for one poll. */
export interface Memory {
	/** Whether this version was seen. */
	hasVersion: (version: Version) => boolean;
	addVersion: (version: Version) => void;
	/** Adds a version that doesn't match the filters, so that its case stays unknown. */
	passVersion: (version: Version) => void;
	/** Whether any version of a case was seen since `since` that matches the filters. */
	knows: (id: number) => boolean;
	/** Whether a version of a case was seen that was created after its edit, by its dates. */
	isAhead: (id: number) => boolean;
	addAhead: (id: number) => void;
	/** How many edits from a time on were seen. */
	countFrom: (from: Seconds) => number;
	/** Closings, comments and other entries. */
	marks: Marks;
	/** Packs what is dated from `floor` on; digests from `digestsFrom` on. The rest stays known if `keepsOlder`. */
	pack: (options: {
		floor: Seconds;
		digestsFrom: Seconds;
		keepsOlder: boolean;
	}) => Pick<TriggerState, 'edits' | 'marks' | 'older' | 'ahead' | 'passed'>;
}

/** The digest of each case seen in one second; undefined where none was kept. */
type Edits = Map<number, number | undefined>;

function unpackEdits([ids, digested = '', digests = '']: PackedEdits): Edits {
	const edits: Edits = new Map(unpackNumbers(ids).map((id) => [id, undefined]));
	const values = unpackDigests(digests);
	unpackNumbers(digested).forEach((id, index) => edits.set(id, values[index]));
	return edits;
}

function packEdits(edits: Edits, withDigests: boolean): PackedEdits {
	const ids = packNumbers(edits.keys());
	const digested = withDigests
		? [...edits].filter((entry): entry is [number, number] => entry[1] !== undefined)
		: [];
	if (digested.length === 0) return [ids];
	digested.sort(([a], [b]) => a - b);
	return [
		ids,
		packNumbers(digested.map(([id]) => id)),
		packDigests(digested.map(([, digest]) => digest)),
	];
}

export function openMemory(state: TriggerState): Memory {
	const seconds = new Map(
		Object.entries(state.edits).map(([second, packed]) => [
			parseInt(second, 36),
			unpackEdits(packed),
		]),
	);
	const known = new Set(unpackNumbers(state.older ?? ''));
	const passed = new Set(unpackNumbers(state.passed ?? ''));
	for (const edits of seconds.values()) {
		for (const id of edits.keys()) if (!passed.has(id)) known.add(id);
	}
	const marks = openMarks(state.marks);
	const ahead = new Set(unpackNumbers(state.ahead ?? ''));
	const passVersion = ({ id, edited, digest }: Version) => {
		const edits: Edits = seconds.get(edited) ?? new Map();
		seconds.set(edited, edits.set(id, digest));
	};
	return {
		hasVersion: ({ id, edited, digest }) => {
			const edits = seconds.get(edited);
			if (edits === undefined || !edits.has(id)) return false;
			const seen = edits.get(id);
			return seen === undefined || seen === digest;
		},
		addVersion: (version) => {
			passVersion(version);
			known.add(version.id);
		},
		passVersion,
		knows: (id) => known.has(id),
		isAhead: (id) => ahead.has(id),
		addAhead: (id) => void ahead.add(id),
		countFrom: (from) =>
			[...seconds].reduce((count, [second, { size }]) => count + (second < from ? 0 : size), 0),
		marks,
		pack: ({ floor, digestsFrom, keepsOlder }) => {
			const kept = [...seconds].filter(([second]) => second >= floor).sort(([a], [b]) => b - a);
			let room = MAX_DIGESTS;
			const edits: TriggerState['edits'] = {};
			for (const [second, ofSecond] of kept) {
				const withDigests = second >= digestsFrom && ofSecond.size <= room;
				if (withDigests) room -= ofSecond.size;
				edits[second.toString(36)] = packEdits(ofSecond, withDigests);
			}
			const inEdits = new Set(kept.flatMap(([, ofSecond]) => [...ofSecond.keys()]));
			const older = keepsOlder ? [...known].filter((id) => !inEdits.has(id)) : [];
			const stillPassed = [...inEdits].filter((id) => !known.has(id));
			const newestAhead = [...ahead].sort((a, b) => b - a).slice(0, MAX_AHEAD);
			return {
				ahead: newestAhead.length === 0 ? undefined : packNumbers(newestAhead),
				edits,
				marks: marks.pack(floor),
				older: older.length === 0 ? undefined : packNumbers(older),
				passed: stillPassed.length === 0 ? undefined : packNumbers(stillPassed),
			};
		},
	};
}
