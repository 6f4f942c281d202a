import { z } from 'zod';
import { ApiError, notFound } from './errors';
import { member } from './params';
import { mayRead, ofTeams } from './query';
import { caseWith, created, edit, request, requestOfCase, rowWith } from './requests';
import type { Routes } from './requests';
import { groupedRecords, recordEntries } from './serialize';
import type { CaseContext, Context } from './service';
import { isOfType, settings } from './settings';
import type { TypedRecord } from './types';
import { RECORD_TYPES, type RecordType } from './words';

/** Records live by themselves; cases are linked to them. */

const MOST_CASES = 5;
const CASES_OF_RECORD = '/api/v2/records/:recordId/cases';

/** The fields of a type: texts, and others as `TYPE` or `TYPE:value,value`. */
const fieldsOf = ({ id, fields, others }: RecordType) =>
	Object.entries({ ...fields, ...others }).map(([name, kind], at) => {
		const [result_type, values] = (name in others ? kind : 'TEXT').split(':');
		return { id: id * 100 + at, name, result_type, fixed_values: values?.split(',') ?? [] };
	});
type RecordField = ReturnType<typeof fieldsOf>[number];

const typeJson = (type: RecordType) => ({
	...{ id: type.id, name: type.name, description: '', team_id: type.team_id },
	...{ editable: true, ttl_days: null, record_fields: fieldsOf(type) },
	default_record_fields: [
		{ id: type.id * 100 + 98, name: 'Timestamp', result_type: 'TIMESTAMP', fixed_values: [] },
		{ id: type.id * 100 + 99, name: 'Story name', result_type: 'TEXT', fixed_values: [] },
	],
});

/** The value of a field as the service keeps it. @throws ApiError 422 */
function keptValue({ name, result_type, fixed_values }: RecordField, value: string): string {
	const isFixed = fixed_values.length === 0 || fixed_values.includes(value);
	if (!isFixed || !isOfType(value, result_type)) {
		throw new ApiError(422, `${name} can't be ${value}: it is of the type ${result_type}`);
	}
	// An offset is dropped, not converted.
	return result_type === 'TIMESTAMP' ? value.slice(0, 19).replace('T', ' ') : value;
}

const RECORD = z.strictObject({
	record_type_id: member.id,
	field_values: z.array(
		z.strictObject({
			field_id: member.id,
			value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
		}),
	),
	case_ids: z.array(member.id).max(MOST_CASES).default([]),
});

/** Makes a record, and links cases to it, all or none. @throws ApiError 404 or 422 */
function createRecord(context: Context, given: z.infer<typeof RECORD>): object {
	const { service, access } = context;
	const { store } = service;
	const types = ofTeams(RECORD_TYPES, access);
	const { id, ...type } = rowWith(types, String(given.record_type_id));
	const fields = fieldsOf({ id, ...type });
	const cases = given.case_ids.map((one) => caseWith(context, one));
	const values = given.field_values.map(({ field_id, value }) => {
		const field = fields.find((one) => one.id === field_id);
		if (!field) throw new ApiError(422, `${type.name} has no field ${field_id}`);
		return { field_id, name: field.name, value: keptValue(field, value) };
	});
	const results = values.map(({ name, value }) => ({ id: store.nextId(), name, value }));
	const record: TypedRecord = {
		group: { record_type_id: id, record_type_name: type.name, record_type_record_results: [] },
		entry: { id: store.nextId(), results, created_at: store.timestamp(store.now()) },
	};
	store.records.set(record.entry.id, record);
	for (const one of cases) setRecords(one, (others) => [...others, record]);
	return created({
		...{ id: record.entry.id, created_at: record.entry.created_at, test_mode: false },
		record_type: { id, name: type.name },
		records: values.map((one) => ({ ...one, field_id: String(one.field_id) })),
		case_ids: given.case_ids,
	});
}

function setRecords(context: CaseContext, change: (all: TypedRecord[]) => TypedRecord[]): void {
	edit(context, { records: groupedRecords(change(recordEntries(context.found))) });
}

/** The record in the path, which a generated case may have made. @throws ApiError 403 or 404 */
function recordIn({ service: { store }, access, ids }: Context): TypedRecord {
	const id = Number(ids.recordId);
	const ofCases = () => [...store.cases()].flatMap(recordEntries);
	const record = store.records.get(id) ?? ofCases().find(({ entry }) => entry.id === id);
	if (!record) throw notFound();
	const type = RECORD_TYPES.find((one) => one.id === record.group.record_type_id);
	if (type && !mayRead(access, type.team_id)) throw new ApiError(403, 'No access to this record');
	// It stays when no case has it any more.
	store.records.set(id, record);
	return record;
}

function setLink(context: CaseContext, isLinked: boolean): void {
	const record = recordIn(context);
	const isIt = ({ entry }: TypedRecord) => entry.id === record.entry.id;
	if (recordEntries(context.found).some(isIt) === isLinked) return;
	setRecords(context, (all) => (isLinked ? [...all, record] : all.filter((one) => !isIt(one))));
}

export const RECORD_ROUTES: Routes = {
	'POST /api/v1/records': request(RECORD, createRecord),
	...settings('record_types', RECORD_TYPES, typeJson),
};

export const RECORD_LINK_ROUTES: Routes = {
	[`POST ${CASES_OF_RECORD}`]: request(
		z.strictObject({ case_id: member.id }),
		(context, { case_id }) => setLink(caseWith(context, case_id), true),
	),
	[`DELETE ${CASES_OF_RECORD}/:caseId`]: requestOfCase(undefined, (context) =>
		setLink(context, false),
	),
};
