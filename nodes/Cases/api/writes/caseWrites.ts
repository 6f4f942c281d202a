// Law of this folder: a write sends only what it is given, and nothing is created twice.

import type { Client } from '../http/client';
import { ApiFailure, quote } from '../failures/failure';
import { exactId } from '../identity';
import { isObject } from '../http/json';
import type { ApiAnswer } from '../http/readAnswer';
import { CASES_PATH } from '../http/requests';
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

/**
 * Creates a case, with a single request.
 * @returns the case as the service answers
 * @throws ApiFailure; its description says whether the case may have been created, and what to look for
 */
export async function createCase(client: Client, creation: CaseCreation): Promise<Case> {
	return await client
		.send({ method: 'POST', path: CASES_PATH, body: creation })
		.then((answer) => confirmed(answer, 'case', ({ case_id }) => exactId(case_id) !== undefined))
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
	const path = `${CASES_PATH}/${caseId}`;
	const answer = await client.send({ method: 'PUT', path, body: { ...update } });
	return confirmed(answer, 'case', ({ case_id }) => exactId(case_id)?.trim() === caseId);
}

/**
 * What a write was answered with.
 * @param isMeant whether it is what was written
 * @throws ApiFailure where the answer is something different, or speaks of an error
 */
export function confirmed(
	{ body, saidError, unusable }: ApiAnswer,
	noun: 'action' | 'case' | 'comment',
	isMeant: (row: Row) => boolean,
): Row {
	if (saidError === undefined && isObject(body) && isMeant(body)) return body;
	throw unusable({
		message: `The service confirmed the write, but did not answer with the ${noun}`,
		remedy: `${saidError === undefined ? '' : `It says: ${saidError}. `}The ${noun} may have been written.`,
	});
}

/** Whether a write failed that may have been carried out. */
export function mayBeDone(failure: unknown): failure is ApiFailure {
	return failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
}

/** A failure, with what to do where the write may have been carried out. */
export function withAdvice(failure: unknown, advice: string): unknown {
	if (!mayBeDone(failure)) return failure;
	const { message, details } = failure;
	return new ApiFailure(message, { ...details, description: `${details.description} ${advice}` });
}
