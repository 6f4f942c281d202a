// Law of this folder: a write sends only what it is given, and nothing is created twice.

import type { Client } from '../http/client';
import { ApiFailure, quote, unlessFailed } from '../failures/failure';
import { exactId, numericId } from '../identity';
import { isObject } from '../json';
import type { ApiAnswer } from '../http/readAnswer';
import { CASES_PATH, listPath } from '../http/requests';
import type { Case, Row } from '../types';

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

/** Creates a case. @param creation its fields, by the API's own names. @throws ApiFailure */
export async function createCase(client: Client, creation: Row & { name: string }): Promise<Case> {
	return await createOnce(client, {
		path: CASES_PATH,
		body: creation,
		noun: 'case',
		read: withId('case_id'),
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
	const path = `${listPath(caseId, list)}/${id}`;
	const answer = await client.send({ method: 'PUT', path, body });
	const row = confirmed(answer, noun, (one) => {
		// A task comes inside of an object.
		const entry = isObject(one[noun]) ? one[noun] : one;
		return exactId(entry.id)?.trim() === id ? entry : undefined;
	});
	return { case_id: numericId(caseId), ...row };
}

/** Reads in an answer what was written; undefined where the answer doesn't have it. */
type ReadWritten<T> = (row: Row) => T | undefined;

/** For {@link Creation.read}: a row that has an ID in a field. */
export const withId =
	(field: string): ReadWritten<Row> =>
	(row) =>
		exactId(row[field]) === undefined ? undefined : row;

/** What a request creates, and how to tell whether it was created. */
interface Creation<T> {
	path: string;
	body: Row;
	/** Its name in messages, such as `comment`. */
	noun: string;
	/** Reads what was created in the answer, or in what was found. */
	read: ReadWritten<T>;
	/** Looks for what was to be created, in the service's list; missing where that list can't show it. */
	find?: () => Promise<Row | undefined>;
	/** What the user should check before another run, in words that follow "check whether". */
	check: string;
}

/**
 * Creates something. If the request fails but may have been carried out, {@link Creation.find} looks once for the result.
 * @throws ApiFailure; its description says when something may have been created nevertheless
 */
export async function createOnce<T>(
	client: Client,
	{ path, body, noun, read, find, check }: Creation<T>,
): Promise<T> {
	return await client
		.send({ method: 'POST', path, body })
		.then((answer) => confirmed(answer, noun, read))
		.catch(async (failure: unknown) => {
			if (!mayBeDone(failure)) throw failure;
			const found = await find?.().catch(unlessFailed);
			const created = found && read(found);
			if (created !== undefined) return created;
			throw failure.adding(
				`Before you run again, check whether ${check}. If not, it may still arrive.`,
			);
		});
}

/** What the service answered to a write. @throws ApiFailure where the answer doesn't have what was written */
export function confirmed<T>(
	{ body, unusable }: ApiAnswer,
	noun: string,
	read: ReadWritten<T>,
	why = '',
): T {
	const written = isObject(body) ? read(body) : undefined;
	if (written !== undefined) return written;
	throw unusable({
		message: `The service confirmed the write, but did not answer with the ${noun}`,
		remedy: `The ${noun} may have been written. ${why}`.trim(),
	});
}

/** For `catch`: throws a failure with the number of writes of the same case before it. @param nouns what they wrote */
export const afterWrites =
	(count: number, nouns = 'Actions') =>
	(failure: unknown): never => {
		if (count === 0 || !(failure instanceof ApiFailure)) throw failure;
		const sentence = `${nouns} of the same case that were written before: ${count}.`;
		throw failure.adding(sentence, { mayHaveBeenDone: true });
	};

/** Whether a write failed that may have been carried out. */
export function mayBeDone(failure: unknown): failure is ApiFailure {
	return failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
}
