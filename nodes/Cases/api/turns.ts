/** The last task of each key; a key without tasks has no entry. */
const last = new Map<string, Promise<unknown>>();

/** Runs a task after all earlier ones with the same key in this process, whether they succeeded or not. */
export async function inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
	const before = last.get(key) ?? Promise.resolve();
	const own = before.then(task, task);
	last.set(key, own);
	return await own.finally(() => {
		if (last.get(key) === own) last.delete(key);
	});
}
