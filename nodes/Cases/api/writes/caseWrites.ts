// Law of this folder: a write sends only what it is given, and nothing is created twice.

import type { Client } from '../http/client';
import { ApiFailure, quote, unlessFailed } from '../failures/failure';
import { exactId } from '../identity';
import { isObject } from '../http/json';
import type { ApiAnswer } from '../http/readAnswer';
import { CASES_PATH } from '../http/requests';
import type { Case, Row } from '../types';

/** What a new case gets, by the API's own names. */
export type CaseCreation = Row & { team_id: number; name: string };

/** What an update changes, by the API's own names. Those listed here are compared with the case in a way of their own. */
export interface CaseUpdate extends Row {
	priority?: string;
	status?: string;
	assignee_emails?: string[];
	add_assignee_emails?: string[];
	remove_assignee_emails?: string[];
	add_tag_names?: string[];
	remove_tag_names?: string[];
}

/** Creates a case. @returns the case as the service answers */
export async function createCase(client: Client, creation: CaseCreation): Promise<Case> {
	return await createOnce(client, CASES_PATH, creation, {
		noun: 'case',
		isMeant: ({ case_id }) => exactId(case_id) !== undefined,
		check: `there is a case named ${quote(creation.name)}`,
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

/** What a request creates. */
interface Creation {
	noun: 'action' | 'case' | 'comment';
	/** Whether an answer has it. */
	isMeant: (row: Row) => boolean;
	/** Looks for it, where its list can tell. */
	find?: () => Promise<Row | undefined>;
	/** What to check before another run. */
	check: string;
}

/**
 * Creates something, with a single request. Where it may have been carried out without an answer, the list is read once.
 * @throws ApiFailure; its description says whether it may have been created
 */
export async function createOnce(
	client: Client,
	path: string,
	body: Row,
	{ noun, isMeant, find, check }: Creation,
): Promise<Row> {
	return await client
		.send({ method: 'POST', path, body })
		.then((answer) => confirmed(answer, noun, isMeant))
		.catch(async (failure: unknown) => {
			if (!mayBeDone(failure)) throw failure;
			const found = await find?.().catch(unlessFailed);
			if (found !== undefined) return found;
			throw failure.adding(
				`Before you run again, check whether ${check}. If not, it may still arrive.`,
			);
		});
}

/**
 * What a write was answered with.
 * @param isMeant whether it is what was written
 * @throws ApiFailure where the answer is something different
 */
export function confirmed(
	{ body, unusable }: ApiAnswer,
	noun: Creation['noun'],
	isMeant: Creation['isMeant'],
): Row {
	if (isObject(body) && isMeant(body)) return body;
	throw unusable({
		message: `The service confirmed the write, but did not answer with the ${noun}`,
		remedy: `The ${noun} may have been written.`,
	});
}

/** Whether a write failed that may have been carried out. */
export function mayBeDone(failure: unknown): failure is ApiFailure {
	return failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
}
