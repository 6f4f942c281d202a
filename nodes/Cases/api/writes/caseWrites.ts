// Law of this folder: a write sends only what it is given, and nothing is created twice.

import { isObject } from '../json';
import type { Client } from '../client';
import { ApiFailure, quote } from '../failure';
import { exactId } from '../identity';
import type { ApiAnswer } from '../readAnswer';
import { CASES_PATH, type ApiRequest } from '../requests';
import type { Case, Row } from '../types';

/** What a new case gets, by the API's own names. */
export type CaseCreation = Row & { team_id: number; name: string };

/** What of a case changes, by the API's own names. */
export interface CaseUpdate {
	name?: string;
	description?: string;
	priority?: string;
	status?: string;
	team_id?: number;
	assignee_emails?: string[];
	add_assignee_emails?: string[];
	remove_assignee_emails?: string[];
	add_tag_names?: string[];
	remove_tag_names?: string[];
	opened_at?: string;
	resolved_at?: string;
	author_email?: string;
}

const casePath = (caseId: string) => `${CASES_PATH}/${caseId}`;

/**
 * Creates a case, with a single request.
 * @returns the case as the service answers
 * @throws ApiFailure; its description says whether the case may have been created, and what to look for
 */
export async function createCase(client: Client, creation: CaseCreation): Promise<Case> {
	const request: ApiRequest = { method: 'POST', path: CASES_PATH, body: creation };
	return await client
		.send(request)
		.then((answer) => caseOf(answer))
		.catch((failure: unknown) => {
			throw withAdvice(
				failure,
				`Before you create the case again, check whether there is one named ${quote(creation.name)}. If it isn't there, it may still arrive.`,
			);
		});
}

/**
 * Changes what is given of a case. It can be carried out twice without harm, so it is retried as a read.
 * @returns the case as the service answers
 * @throws ApiFailure
 */
export async function updateCase(
	client: Client,
	caseId: string,
	update: CaseUpdate,
): Promise<Case> {
	const answer = await client
		.send({ method: 'PUT', path: casePath(caseId), body: { ...update } })
		.catch((failure: unknown) => {
			throw update.status === 'closed' ? withClosureAdvice(failure) : failure;
		});
	return caseOf(answer, caseId);
}

/** @throws ApiFailure where the answer is not a case, or another one */
function caseOf({ body, saidError, unusable }: ApiAnswer, caseId?: string): Case {
	const answered = isObject(body) ? exactId(body.case_id)?.trim() : undefined;
	if (saidError !== undefined) {
		throw unusable({
			message: 'The service answered with an error',
			isSaid: true,
			remedy: `It says: ${saidError}. The case may have been written all the same.`,
		});
	}
	if (!isObject(body) || answered === undefined || (caseId ?? answered) !== answered) {
		throw unusable({
			message: 'The service confirmed the write, but did not answer with the case',
			remedy: 'The case was probably written.',
		});
	}
	return body;
}

/** A failure with an advice for where the write may have been carried out. */
export function withAdvice(failure: unknown, advice: string): unknown {
	const mayBeDone = failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
	return mayBeDone ? described(failure, advice) : failure;
}

/** A refused close: only the service knows which of its conditions a case meets. */
function withClosureAdvice(failure: unknown): unknown {
	const isRefused =
		failure instanceof ApiFailure && [400, 409, 422].includes(failure.details.httpCode ?? 0);
	return isRefused
		? described(failure, 'A case with closure conditions can only be closed once it meets them.')
		: failure;
}

function described({ message, details }: ApiFailure, more: string): ApiFailure {
	return new ApiFailure(message, { ...details, description: `${details.description} ${more}` });
}
