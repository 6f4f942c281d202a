import { ApiFailure } from './failure';

/** The failure of a case that the list has no row for. */
export function caseNotFound(caseId: string): ApiFailure {
	return new ApiFailure(`Case ${caseId} was not found, or the API key has no access to it`, {
		description:
			"The service gives the same answer for both. Check the ID, and what the key can see: a team key sees only its team's cases.",
		retryable: false,
	});
}
