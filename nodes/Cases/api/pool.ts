/** Does the work of a {@link Pool}. After a failure the tasks under way are still awaited. */
async function mapConcurrently<T>(
	count: number,
	concurrency: number,
	task: (index: number) => Promise<T>,
	isDone = () => false,
): Promise<T[]> {
	const results: T[] = [];
	const failures = new Map<number, unknown>();
	let next = 0;
	const work = async () => {
		while (next < count && failures.size === 0 && !isDone()) {
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

/** Runs several tasks at a time. */
export interface Pool {
	/**
	 * Runs a task for each index from 0 to `count` - 1, and returns the results in order.
	 * @throws the failure of the lowest index; after a failure no further task starts
	 */
	map: <T>(count: number, task: (index: number) => Promise<T>) => Promise<T[]>;
	/**
	 * As `map`, for long answers. It runs one task more than requests may be in flight, so that while an answer is parsed
	 * the next request can go out. The client still limits the requests.
	 * @param isDone once it returns true, no further task starts, and only the results of started tasks are returned
	 */
	mapReads: <T>(
		count: number,
		task: (index: number) => Promise<T>,
		isDone?: () => boolean,
	) => Promise<T[]>;
}

/** @param concurrency how many requests may be in flight at a time */
export function createPool(concurrency: number): Pool {
	return {
		map: async (count, task) => await mapConcurrently(count, concurrency, task),
		mapReads: async (count, task, isDone) =>
			await mapConcurrently(count, concurrency + 1, task, isDone),
	};
}

/**
 * A gate that lets at most `size` tasks in at a time, first come, first served.
 * @returns a function that resolves once a task may enter, with the function that the task calls when it leaves
 */
export function createGate(size: number): () => Promise<() => void> {
	let free = size;
	const waiting: Array<() => void> = [];
	const leave = () => {
		const next = waiting.shift();
		if (next === undefined) free++;
		else next();
	};
	return async () => {
		if (free > 0) free--;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		return leave;
	};
}
