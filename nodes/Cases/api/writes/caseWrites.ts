// Law of this folder: a write sends only what it is given, and nothing is created twice.

import type { Client } from '../http/client';
import { ApiFailure, quote, unlessFailed } from '../failures/failure';
import { exactId, numericId, rowIdentity } from '../identity';
import { isObject } from '../json';
import type { ApiAnswer } from '../http/readAnswer';
import { CASES_PATH, listPath } from '../http/requests';
import { parseTimestamp } from '../timestamps';
import type { Case, Page, Row } from '../types';

/** The fields of a new case, by the API's own names. */
export type CaseCreation = Row & {
	team_id: number;
	name: string;
	sub_status_id?: number;
};

/** The fields that an update sets, by the API's own names. Those that `changeOf` compares in a special way are listed. */
export interface CaseUpdate extends Row {
	priority?: string;
	status?: string;
	assignee_emails?: string[];
	add_assignee_emails?: string[];
	remove_assignee_emails?: string[];
	add_tag_names?: string[];
	remove_tag_names?: string[];
	/** Values by key, which are added or changed. */
	metadata?: Row;
	remove_metadata_keys?: string[];
	/** Values as text, by the ID of the field. */
	field_values?: Row;
	sub_status_id?: number;
}

export async function createCase(client: Client, creation: CaseCreation): Promise<Case> {
	return await createOnce(client, CASES_PATH, creation, {
		noun: 'case',
		isMeant: ({ case_id }) => exactId(case_id) !== undefined,
		check: `there is a case named ${quote(creation.name)}`,
	});
}

/**
 * Changes a comment or a task of a case. @returns it as the service has it then, with its `case_id`
 * @throws ApiFailure
 */
export async function updateEntry(
	client: Client,
	caseId: string,
	list: 'comments' | 'tasks',
	id: string,
	body: Row,
): Promise<Row> {
	const noun = list.slice(0, -1);
	const answer = await client.send({
		method: 'PUT',
		path: `${listPath(caseId, list)}/${id}`,
		body,
	});
	// A task comes inside of an object.
	const rowIn = (row: Row) => (isObject(row[noun]) ? row[noun] : row);
	const row = confirmed(answer, noun, (one) => exactId(rowIn(one).id)?.trim() === id);
	return { case_id: numericId(caseId), ...rowIn(row) };
}

/** What a request creates, and how to tell whether it was created. */
interface Creation {
	/** Its name in messages, such as `comment`. */
	noun: string;
	/** Whether the row in an answer, or that was found, is what was to be created. */
	isMeant: (row: Row) => boolean;
	/** Looks for what was to be created, in the service's list; missing where that list can't show it. */
	find?: () => Promise<Row | undefined>;
	/** What the user should check before another run, in words that follow "check whether". */
	check: string;
}

/**
 * Creates something. If the request fails but may have been carried out, {@link Creation.find} looks once for the result.
 * @throws ApiFailure; its description says when something may have been created nevertheless
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
			if (found !== undefined && isMeant(found)) return found;
			throw failure.adding(
				`Before you run again, check whether ${check}. If not, it may still arrive.`,
			);
		});
}

/**
 * The row with which the service answered a write.
 * @param isMeant whether a row is what was written
 * @throws ApiFailure where the answer has no such row
 */
export function confirmed(
	{ body, unusable }: ApiAnswer,
	noun: string,
	isMeant: Creation['isMeant'],
): Row {
	if (isObject(body) && isMeant(body)) return body;
	throw unusable({
		message: `The service confirmed the write, but did not answer with the ${noun}`,
		remedy: `The ${noun} may have been written.`,
	});
}

/**
 * Returns a function that finds the rows of a page that were created after this call, by the service's clock, and aren't
 * among the known ones.
 */
export function watchCreations(client: Client, known: Set<string>): (page: Page) => Row[] {
	const startedAt = client.now();
	return ({ rows, servedAt = Infinity }) => {
		// A second less, because both dates are in whole seconds.
		const since = servedAt - (client.now() - startedAt) - 1000;
		return rows.filter(
			(row) => (parseTimestamp(row.created_at) ?? 0) >= since && !known.has(rowIdentity(row)),
		);
	};
}

/** Adds to a failure how many writes of the same case came before it. @param nouns what they wrote */
export function afterWrites(failure: unknown, count: number, nouns = 'Actions'): unknown {
	if (count === 0 || !(failure instanceof ApiFailure)) return failure;
	const sentence = `${nouns} of the same case that were written before: ${count}.`;
	return failure.adding(sentence, { mayHaveBeenDone: true });
}

/** Whether a write failed that may have been carried out. */
export function mayBeDone(failure: unknown): failure is ApiFailure {
	return failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
}
