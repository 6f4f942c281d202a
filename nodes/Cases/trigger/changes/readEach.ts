import type { Client } from '../../api/client';
import { ApiFailure, isOfOneCase } from '../../api/failure';
import { caseIdentity } from '../../api/identity';
import type { Log } from '../../api/log';
import type { Case, Page } from '../../api/types';
import { nameFirst } from './log';

/** Where lists are read from, one for each case. */
export interface ListsOfCases {
	client: Client;
	/** The cases that the user named; others may be gone, or not there yet for their own lists. */
	given?: ReadonlySet<string>;
	info: Log['info'];
	/** Fetches the cases that were edited last. */
	fetchLastEdited: () => Promise<Page<Case>>;
}

/**
 * Reads a list for each case, as many as there is time for, at least one. A list that fails is skipped and named.
 * @throws ApiFailure where all of them failed, and so do those of other cases; but a single case that is gone is skipped
 */
export async function readEach<T>(
	{ client, given, info, fetchLastEdited }: ListsOfCases,
	rows: Case[],
	isTimeUp: () => boolean,
	read: (row: Case) => Promise<T[]>,
): Promise<Array<T[] | ApiFailure>> {
	const caseIds = rows.map(caseIdentity);
	const lists = await client.map(rows.length, async (index) => {
		if (index > 0 && isTimeUp()) return undefined;
		return await read(rows[index]).catch((error: unknown) => {
			if (error instanceof ApiFailure && isOfOneCase(error)) return error;
			throw error;
		});
	});
	const done = lists.filter((list) => list !== undefined);
	const failure = failureOfAll(
		done,
		caseIds.every((id) => given?.has(id)),
	);
	const isGone = failure?.details.httpCode === 404;
	if (failure !== undefined && (isGone || !(await isOtherServed()))) throw failure;
	const failed = caseIds.filter((_id, index) => done[index] instanceof ApiFailure);
	const reason = done.find((list) => list instanceof ApiFailure);
	if (reason !== undefined) {
		info(`Skipped the comments or activities of case ${nameFirst(failed)}: ${reason.message}`);
	}
	return done;

	/** Whether the list of any other case can be read: then the failures are those of single cases. */
	async function isOtherServed(): Promise<boolean> {
		const { rows: others } = await fetchLastEdited();
		const tried = new Set(caseIds.slice(0, done.length));
		for (const other of others.filter((row) => !tried.has(caseIdentity(row)))) {
			const isServed = await read(other).then(
				() => true,
				() => false,
			);
			if (isServed) return true;
		}
		return false;
	}
}

/** The failure to report where no list could be read; undefined where it is one of a single case. */
function failureOfAll(
	lists: Array<unknown[] | ApiFailure>,
	areGiven: boolean,
): ApiFailure | undefined {
	const failures = lists.filter((list) => list instanceof ApiFailure);
	if (failures.length < lists.length) return undefined;
	const other = failures.find(({ details }) => details.httpCode !== 404);
	return other ?? (areGiven && failures.length > 1 ? failures[0] : undefined);
}
