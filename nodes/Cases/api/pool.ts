/**
 * Runs a task for each index from 0 to `count` - 1, at most `concurrency` at a time, and gives the results in order.
 * After a failure it starts no more, waits for those under way, and throws the failure of the lowest index.
 */
export async function mapConcurrently<T>(
	count: number,
	concurrency: number,
	task: (index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = new Array(count);
	const failures = new Map<number, unknown>();
	let next = 0;
	const work = async () => {
		while (next < count && failures.size === 0) {
			const index = next++;
			await task(index).then(
				(result) => (results[index] = result),
				(failure: unknown) => failures.set(index, failure),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
	return results;
}

/** A gate that lets at most `size` tasks through at a time, first come, first served. */
export function createGate(size: number): <T>(task: () => Promise<T>) => Promise<T> {
	let free = size;
	const waiting: Array<() => void> = [];
	return async (task) => {
		if (free > 0) free--;
		else await new Promise<void>((resume) => waiting.push(resume));
		return await task().finally(() => {
			const resume = waiting.shift();
			if (resume === undefined) free++;
			else resume();
		});
	};
}
