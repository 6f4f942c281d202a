import type { CaseAction } from '../api/types';
import type { Client } from '../api/http/client';

/** The latest unfinished task in this process, by tenant and case. */
const last = new Map<string, Promise<unknown>>();

type Tenant = Pick<Client, 'tenant'>;

const keyOf = ({ tenant }: Tenant, caseId: string) => `${tenant.baseUrl} ${caseId}`;

/** What a run keeps of a case until its next turn there. A turn of another run at the case drops it. */
export interface Kept {
	actions?: CaseAction[];
}

/** What a run keeps, by tenant and case. */
type Memory = Map<string, Kept>;

const memories = new Set<Memory>();

/** Does work that takes several turns at some cases. @param work gets a memory of these cases for {@link inTurn} */
export async function remembering<T>(
	client: Tenant,
	caseIds: Iterable<string>,
	work: (memory: Memory) => Promise<T>,
): Promise<T> {
	const memory: Memory = new Map([...caseIds].map((caseId) => [keyOf(client, caseId), {}]));
	memories.add(memory);
	return await work(memory).finally(() => memories.delete(memory));
}

/**
 * Runs a task that writes a case, after all earlier tasks of this case in this process, even if these fail.
 * @param task gets whether it had to wait. If so, what was read of the case before may be out of date.
 */
export async function inTurn<T>(
	client: Tenant,
	caseId: string,
	task: (hasWaited: boolean, kept: Kept) => Promise<T>,
	own?: Memory,
): Promise<T> {
	const key = keyOf(client, caseId);
	const before = last.get(key);
	const afterIt = async () => {
		for (const memory of memories) if (memory !== own && memory.has(key)) memory.set(key, {});
		return await task(before !== undefined, own?.get(key) ?? {});
	};
	const turn = before === undefined ? afterIt() : before.then(afterIt, afterIt);
	last.set(key, turn);
	return await turn.finally(() => {
		if (last.get(key) === turn) last.delete(key);
	});
}
