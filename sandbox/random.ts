/** Repeatable choices for generated data. */
export type Random = ReturnType<typeof randomOf>;

/**
 * A stream of choices that depends only on the numbers (mulberry32). Better generators cost more to
 * seed, and each case creates several streams whenever it is read.
 */
export function randomOf(...seeds: number[]) {
	let state = seeds.reduce((hash, seed) => mix(hash + 0x9e3779b9 + seed), 0);
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
	return {
		/** An integer from `from` to `to`, both inclusive. */
		int,
		chance: (probability: number) => next() < probability,
		pick: <T>(list: readonly T[]) => list[int(0, list.length - 1)],
		/** One of the keys; the numbers are relative weights. */
		weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
			const entries = Object.entries(weights) as Array<[K, number]>;
			let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
			const found = entries.find(([, weight]) => (rest -= weight) < 0);
			return (found ?? entries[entries.length - 1])[0];
		},
		/** This many different elements of the list, in its order. */
		sample<T>(list: readonly T[], count: number): T[] {
			let wanted = Math.min(count, list.length);
			return list.filter((_item, index) => {
				const isTaken = next() * (list.length - index) < wanted;
				if (isTaken) wanted--;
				return isTaken;
			});
		},
	};
}

/** Mixes all bits (murmur3's finalizer), so that similar seeds start unrelated streams. */
function mix(hash: number): number {
	const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
	return twice ^ (twice >>> 16);
}
