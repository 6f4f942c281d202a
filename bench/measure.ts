/** The median; for an even number of values the mean of the two in the middle. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of a quantity of several runs. */
export function medianOf<T>(runs: T[], quantity: (run: T) => number): number {
	return median(runs.map(quantity));
}

/**
 * Runs contenders in turns, so that other work on the machine affects all of them alike. The first
 * round warms up and isn't counted; every other round runs in reverse order.
 * @returns the runs of each contender
 */
export async function interleave<Name extends string, T>(
	rounds: number,
	contenders: Record<Name, () => Promise<T>>,
): Promise<Record<Name, T[]>> {
	const names = Object.keys(contenders) as Name[];
	const runs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, T[]>;
	for (let round = 0; round <= rounds; round++) {
		for (const name of round % 2 === 0 ? names : [...names].reverse()) {
			const run = await contenders[name]();
			if (round > 0) runs[name].push(run);
		}
	}
	return runs;
}

/** The CPU time, in ms, of work that waits for nothing. */
export function cpuOf(work: () => void): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}
