import { readCase } from '../cases/cases';
import type { Client } from '../http/client';
import type { ApiAnswer } from '../http/readAnswer';
import { ApiFailure } from '../failures/failure';
import { exactId, numericId } from '../identity';
import { isObject, objectsIn } from '../json';
import { CASES_PATH } from '../http/requests';
import type { Case, Row } from '../types';
import { confirmed, mayBeDone, type CaseUpdate } from './caseWrites';

/** One request of an update, by its name in messages. */
type Part = [name: string, send: () => Promise<Case | void>];

/** Whether a part of an answer has all values that were sent, as text. */
const hasAll = (found: unknown, sent: Row) =>
	Object.entries(sent).every(([name, value]) => String(Object(found)[name]) === String(value));

/** The field values of a case by the ID of their field. */
export function fieldValuesOf({ fields }: Row): Row {
	const idOf = ({ case_input: field }: Row) => (isObject(field) ? String(field.id) : '');
	return Object.fromEntries(objectsIn(fields).map((one) => [idOf(one), one.value]));
}

/** Adds metadata, or changes it. Keys that aren't named stay. */
async function putMetadata(client: Client, path: string, metadata: Row): Promise<void> {
	const answer = await client.send({ method: 'PUT', path, body: { metadata } });
	confirmed(answer, 'metadata', (row) => (hasAll(row.metadata, metadata) ? row : undefined));
}

/** Sets values of custom fields by the IDs of the fields. Without `upsert` a case that lacks the field would be skipped. */
async function setFieldValues(client: Client, caseId: string, values: Row): Promise<void> {
	const fields = Object.entries(values).map(([id, value]) => {
		return { input_id: Number(id), value, upsert: true };
	});
	const body = { case_ids: [numericId(caseId)], fields };
	const answer = await client.send({ method: 'POST', path: `${CASES_PATH}/bulk/fields`, body });
	const isSet = (row: Row) => exactId(row.case_id) === caseId && hasAll(fieldValuesOf(row), values);
	const why = 'A field that the team of the case lacks is not written.';
	confirmed(answer, 'field values', ({ cases }) => objectsIn(cases).find(isSet), why);
}

async function putCase(client: Client, caseId: string, update: Row): Promise<Case> {
	const path = `${CASES_PATH}/${caseId}`;
	const answer = await client.send({ method: 'PUT', path, body: { ...update } });
	return confirmed(answer, 'case', (row) =>
		exactId(row.case_id)?.trim() === caseId ? row : undefined,
	);
}

/** The parts, each of which may be repeated. The case itself comes last, because closing may depend on the fields. */
function partsOf(client: Client, caseId: string, update: CaseUpdate): Part[] {
	const { metadata, remove_metadata_keys: removed, field_values: values, ...own } = update;
	const path = `${CASES_PATH}/${caseId}/metadata`;
	// A 404 is a failure, also after a lost answer: the case itself is not there.
	const removal = { method: 'DELETE', path, body: { metadata: removed } } as const;
	const isOwn = Object.keys(own).some((name) => name !== 'author_email');
	const parts: Array<Part | false | undefined> = [
		metadata && ['Metadata', async () => await putMetadata(client, path, metadata)],
		removed && ['Metadata Keys to Remove', async () => void (await client.send(removal))],
		values && ['Field Values', async () => await setFieldValues(client, caseId, values)],
		isOwn && ['the other fields', async () => await putCase(client, caseId, own)],
	];
	return parts.filter((part) => !!part);
}

/** For `catch`: throws a failure that says which parts of an update were done, where it has several. */
const reporting = (names: string[], failed: number) => (failure: unknown) => {
	if (!(failure instanceof ApiFailure) || names.length === 1) throw failure;
	const left = mayBeDone(failure) ? failed + 1 : failed;
	const report = { Done: names.slice(0, failed), 'Perhaps done': names.slice(failed, left) };
	const said = Object.entries({ ...report, 'Not done': names.slice(left) })
		.filter(([, which]) => which.length > 0)
		.map(([how, which]) => `${how}: ${which.join(', ')}.`);
	throw failure.adding(said.join(' '), { mayHaveBeenDone: left > 0 });
};

/**
 * Changes what is given of a case, and nothing else.
 * @returns the case as the service has it then
 * @throws ApiFailure, which names the parts that were done, perhaps done and not done
 */
export async function updateCase(client: Client, id: string, update: CaseUpdate): Promise<Case> {
	const parts = partsOf(client, id, update);
	const names = parts.map(([name]) => name);
	let row: Case | void = undefined;
	for (const [index, [, send]] of parts.entries()) {
		row = await send().catch(reporting(names, index));
	}
	const all = [...names, 'reading the case afterwards'];
	return row ?? (await readCase(client, id).catch(reporting(all, names.length)));
}

/** The sub-statuses that each run has read. */
const readIn = new WeakMap<Client, Map<number, Promise<ApiAnswer>>>();

/**
 * Adds the status to values with a sub-status alone, because the API doesn't say what a sub-status of another status does.
 * @throws ApiFailure where the sub-status can't be read
 */
export async function withStatus<T extends Row>(
	client: Client,
	values: T & CaseUpdate,
): Promise<T> {
	const { sub_status_id: id, status } = values;
	if (id === undefined || status !== undefined) return values;
	const known = readIn.get(client) ?? new Map<number, Promise<ApiAnswer>>();
	const path = `/api/v1/case_sub_statuses/${id}`;
	const reading = known.get(id) ?? client.send({ method: 'GET', path });
	readIn.set(client, known.set(id, reading));
	const { body, unusable } = await reading;
	const parent = isObject(body) && body.parent_status;
	if (typeof parent === 'string') return { ...values, status: parent.toLowerCase() };
	throw unusable({ message: `The service did not say which status sub-status ${id} belongs to` });
}
