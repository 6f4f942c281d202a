import type { Client } from '../api/http/client';

/** The latest unfinished task in this process, by tenant and case. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs a task that writes a case, after all earlier tasks of this case in this process, even if these fail.
 * @param task gets whether it had to wait. If so, what was read of the case before may be out of date.
 */
export async function inTurn<T>(
	{ tenant }: Pick<Client, 'tenant'>,
	caseId: string,
	task: (hasWaited: boolean) => Promise<T>,
): Promise<T> {
	const key = `${tenant.baseUrl} ${caseId}`;
	const before = last.get(key);
	const afterIt = async () => await task(before !== undefined);
	const own = before === undefined ? afterIt() : before.then(afterIt, afterIt);
	last.set(key, own);
	return await own.finally(() => {
		if (last.get(key) === own) last.delete(key);
	});
}
