import type { Client } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import { nameInLog, type Warn } from './log';

/** Where lists are read from, one for each case. */
export interface ListsOfCases {
	client: Client;
	/** The cases that the user named; others may be gone, or not there yet for their own lists. */
	given?: ReadonlySet<string>;
	warn: Warn;
}

/**
 * Reads a list for each case, as many as there is time for, at least one. Single ones may fail; they are named.
 * @throws ApiFailure where no list could be read; a single case that is gone is skipped all the same
 */
export async function readEach<T>(
	{ client, given, warn }: ListsOfCases,
	caseIds: string[],
	isTimeUp: () => boolean,
	read: (id: string, index: number) => Promise<T[]>,
): Promise<Array<T[] | ApiFailure>> {
	const lists = await client.map(caseIds.length, async (index) => {
		if (index > 0 && isTimeUp()) return undefined;
		return await read(caseIds[index], index).catch((error: unknown) => {
			if (error instanceof ApiFailure && isAboutOne(error)) return error;
			throw error;
		});
	});
	const done = lists.filter((list) => list !== undefined);
	const areAllGiven = caseIds.every((id) => given?.has(id));
	refuseIfNone(done, areAllGiven);
	done.forEach((list, index) => {
		if (list instanceof ApiFailure) {
			warn(
				`Skipped the comments or activities of case ${nameInLog(caseIds[index])}: ${list.message}`,
			);
		}
	});
	return done;
}

/** Whether a failure can be that of one case, with others fine: it is gone, or the service stumbles over it. */
function isAboutOne({ details: { httpCode = 0 } }: ApiFailure): boolean {
	return httpCode === 404 || (httpCode >= 500 && httpCode !== 503);
}

function refuseIfNone(lists: Array<unknown[] | ApiFailure>, areGiven: boolean): void {
	const failures = lists.filter((list) => list instanceof ApiFailure);
	if (failures.length === 0 || failures.length < lists.length) return;
	const other = failures.find(({ details }) => details.httpCode !== 404);
	if (other !== undefined) throw other;
	if (areGiven && failures.length > 1) throw failures[0];
}
