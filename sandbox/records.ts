import { z } from 'zod';
import { ApiError, notFound } from './errors';
import { member } from './params';
import { mayRead, ofTeams } from './query';
import { created, request, requestOfCase, rowWith, visibleCase } from './requests';
import type { Endpoint, Routes } from './requests';
import { groupedRecords, recordEntries } from './serialize';
import type { CaseContext, Context } from './service';
import { isOfType, settings } from './settings';
import type { CaseStore } from './store';
import type { Case, TypedRecord } from './types';
import { RECORD_TYPES } from './words';

/** Records live by themselves; cases are linked to them. */

const MOST_CASES = 5;
const CASES_OF_RECORD = '/api/v2/records/:recordId/cases';

type RecordType = (typeof RECORD_TYPES)[number];

function fieldsOf({ id, fields, others }: RecordType) {
	const texts = Object.keys(fields).map((name) => [name, 'TEXT'] as const);
	const kinds: ReadonlyArray<readonly [string, string | string[]]> = [
		...texts,
		...Object.entries(others),
	];
	return kinds.map(([name, kind], at) => ({
		...{ id: id * 100 + at, name },
		...{ result_type: typeof kind === 'string' ? kind : 'TEXT_ENUM' },
		...{ fixed_values: typeof kind === 'string' ? [] : kind },
	}));
}
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
	const isFixed = result_type !== 'TEXT_ENUM' || fixed_values.includes(value);
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
	const cases = given.case_ids.map((one) => visibleCase({ ...context, ids: { caseId: `${one}` } }));
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
	for (const found of cases) setRecords(context, found, (others) => [...others, record]);
	return created({
		...{ id: record.entry.id, created_at: record.entry.created_at, test_mode: false },
		record_type: { id, name: type.name },
		records: values.map((one) => ({ ...one, field_id: String(one.field_id) })),
		case_ids: given.case_ids,
	});
}

function setRecords(
	{ service, access }: Context,
	found: Case,
	change: (records: TypedRecord[]) => TypedRecord[],
): void {
	const records = groupedRecords(change(recordEntries(found)));
	service.store.editContent(found.case_id, { records, by: access.user_id });
}

/** The record in the path, which a generated case may have made. @throws ApiError 403 or 404 */
function recordIn({ service: { store }, access, ids }: Context): TypedRecord {
	const id = Number(ids.recordId);
	const record = store.records.get(id) ?? recordOfCase(store, id);
	if (!record) throw notFound();
	const type = RECORD_TYPES.find((one) => one.id === record.group.record_type_id);
	if (type && !mayRead(access, type.team_id)) throw new ApiError(403, 'No access to this record');
	// It stays when no case has it any more.
	store.records.set(id, record);
	return record;
}

function recordOfCase(store: CaseStore, id: number): TypedRecord | undefined {
	for (const one of store.cases()) {
		const found = recordEntries(one).find(({ entry }) => entry.id === id);
		if (found) return found;
	}
	return undefined;
}

const withoutRecord = (records: TypedRecord[], { entry }: TypedRecord) =>
	records.filter((one) => one.entry.id !== entry.id);

function linkCase(context: Context, { case_id }: { case_id: number }): void {
	const record = recordIn(context);
	const found = visibleCase({ ...context, ids: { caseId: String(case_id) } });
	if (recordEntries(found).some(({ entry }) => entry.id === record.entry.id)) return;
	setRecords(context, found, (others) => [...others, record]);
}

function unlinkCase(context: CaseContext): void {
	const record = recordIn(context);
	setRecords(context, context.found, (others) => withoutRecord(others, record));
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
	400: 'bad_request',
	403: 'forbidden',
	404: 'not_found',
};

/** Refuses as the newer requests for records do: with an object as `error`, and 400 in place of 422. */
function strictly(endpoint: Endpoint): Endpoint {
	const refusing = <Result>(act: () => Result): Result => {
		try {
			return act();
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { message, isBreach } = error;
			const status = error.status === 422 ? 400 : error.status;
			const field = status === 400 ? { field: message.split(' ', 1)[0] } : {};
			const body = { error: { type: TYPE_NAMES[status], message, ...field } };
			throw new ApiError(status, message, isBreach, body);
		}
	};
	return (service, given) => {
		const call = refusing(() => endpoint(service, given));
		return { ...call, run: (...context) => refusing(() => call.run(...context)) };
	};
}

export const RECORD_ROUTES: Routes = {
	'POST /api/v1/records': request(RECORD, createRecord),
	...settings('record_types', RECORD_TYPES, typeJson),
	'GET /api/v1/record_types/:typeId': request(undefined, ({ access, ids }) =>
		typeJson(rowWith(ofTeams(RECORD_TYPES, access), ids.typeId)),
	),
};

export const RECORD_LINK_ROUTES: Routes = {
	[`POST ${CASES_OF_RECORD}`]: strictly(request(z.strictObject({ case_id: member.id }), linkCase)),
	[`DELETE ${CASES_OF_RECORD}/:caseId`]: strictly(requestOfCase(undefined, unlinkCase)),
};
