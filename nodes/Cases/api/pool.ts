/** Does the work of a {@link Pool}. After a failure the tasks under way are still awaited. */
async function mapConcurrently<T>(
	count: number,
	concurrency: number,
	task: (index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
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
	 */
	mapReads: Pool['map'];
	/** Creates a line for the reads of several tasks, as wide as `mapReads`. */
	lineOfReads: () => Line;
}

/** @param concurrency how many requests may be in flight at a time */
export function createPool(concurrency: number): Pool {
	return {
		map: async (count, task) => await mapConcurrently(count, concurrency, task),
		mapReads: async (count, task) => await mapConcurrently(count, concurrency + 1, task),
		lineOfReads: () => createLine(concurrency + 1),
	};
}

/** A function that resolves once a task may enter, with the function that the task calls when it leaves. */
export type Gate = () => Promise<() => void>;

/** A gate that lets at most `size` tasks in at a time, first come, first served. */
export function createGate(size: number): Gate {
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

/** The gates of {@link gatesFor}, with the number of tasks in each and before it. */
type Gates = Map<string, { enter: Gate; tasks: number }>;

/**
 * A gate of this size for each key, such as a tenant, so that the tasks of one don't wait for those of another. A gate
 * without a task is dropped.
 */
export function gatesFor(size: number, gates: Gates = new Map()): (key: string) => Gate {
	return (key) => async () => {
		const gate = gates.get(key) ?? { enter: createGate(size), tasks: 0 };
		gates.set(key, gate);
		gate.tasks++;
		const leave = await gate.enter();
		return () => {
			leave();
			if (--gate.tasks === 0) gates.delete(key);
		};
	};
}

/** Runs a task when it is its turn. @throws the failure of an earlier task, without running this one */
export type Line = <T>(task: () => Promise<T>) => Promise<T>;

/** A line in which `size` tasks run at a time. After a failure no further task starts. */
export function createLine(size: number): Line {
	const enter = createGate(size);
	let failed: { failure: unknown } | undefined;
	return async (task) => {
		const leave = await enter();
		const own = failed === undefined ? task() : Promise.reject(failed.failure as Error);
		return await own
			.catch((failure: unknown) => {
				failed ??= { failure };
				throw failure;
			})
			.finally(leave);
	};
}
