import type { Client } from '../api/http/client';

/** The last task of each case in this process; a case without tasks has no entry. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs a task that writes a case after all earlier ones in this process, whether they succeeded or not.
 * @param task gets whether it had to wait: what was read before may then be out of date
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
