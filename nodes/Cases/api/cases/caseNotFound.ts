import { readCasesById } from './cases';
import type { Client } from '../http/client';
import { ApiFailure } from '../failures/failure';
import type { Case } from '../types';

/** The failure of a case that the list has no row for. */
export function caseNotFound(caseId: string): ApiFailure {
	return new ApiFailure(`Case ${caseId} was not found, or the API key has no access to it`, {
		description:
			"The service gives the same answer for both. Check the ID, and what the key can see: a team key sees only its team's cases.",
		retryable: false,
	});
}

/** A case as the list of cases has it now. @throws ApiFailure when it can't be read, or isn't found */
export async function readCase(client: Client, caseId: string): Promise<Case> {
	const row = (await readCasesById(client, [caseId], 1)).get(caseId);
	if (row === undefined) throw caseNotFound(caseId);
	return row;
}
