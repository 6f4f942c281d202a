import type { Client } from '../http/client';
import { readList } from '../lists/readList';
import { listAt } from '../lists/source';
import { MAX_PAGE_SIZE, type Row } from '../types';
import { isObject } from '../json';
import { createOnce, withId } from './caseWrites';

/** The fields of a new record, by the API's own names. */
export interface RecordCreation extends Row {
	record_type_id: number;
	field_values: Array<{ field_id: number; value: string }>;
	case_ids: number[];
}

/** Reads the types of records that the key can see. @throws ApiFailure */
export async function readRecordTypes(client: Client): Promise<Row[]> {
	const source = listAt(client, '/api/v1/record_types', 'record_types');
	return (await readList([source], { pageSize: MAX_PAGE_SIZE, pool: client })).rows;
}

/** The fields of a record type, those that all types have included. */
export const fieldsOfType = ({ record_fields, default_record_fields }: Row): Row[] =>
	[record_fields, default_record_fields].flat().filter(isObject);

/** Creates a record on a case. @returns the record as a flat row: see `flatRecords`. @throws ApiFailure */
export async function createRecord(client: Client, creation: RecordCreation): Promise<Row> {
	const record = await createOnce(client, {
		path: '/api/v1/records',
		body: creation,
		noun: 'record',
		read: withId('id'),
		check: `case ${creation.case_ids[0]} has the record`,
	});
	const { id, created_at, record_type, records } = record;
	const { name = null } = isObject(record_type) ? record_type : {};
	return { id, record_type_name: name, created_at, results: records };
}
