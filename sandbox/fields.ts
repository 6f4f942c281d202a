import { z } from 'zod';
import { FIELDS } from './directory';
import { ApiError } from './errors';
import { member } from './params';
import { CASE, CASES, caseWith, edit, listOfCase, request, requestOfCase } from './requests';
import type { Routes } from './requests';
import { fieldRows } from './serialize';
import type { Context } from './service';
import { FIELD_SETTINGS, isOfType } from './settings';
import type { CaseStore } from './store';
import type { FieldValue, Team } from './types';

/** What cases hold by name: metadata, and the values of their team's fields. */

const MOST_CASES = 50;
const METADATA = `${CASE}/metadata`;

const BULK = z.strictObject({
	case_ids: z.array(member.id).min(1).max(MOST_CASES),
	fields: z.array(
		z.strictObject({
			...{ input_id: member.id, value: z.string(), upsert: z.boolean().default(false) },
		}),
	),
});
type Given = z.infer<typeof BULK>['fields'];

/** The values of a case of the team after these are set; a field of another team is passed over. @throws ApiError 422 */
export function withFields(
	store: CaseStore,
	team: Team,
	before: readonly FieldValue[],
	given: Given,
): FieldValue[] {
	const values = new Map(before.map((one) => [one.input_id, one]));
	for (const { input_id, value, upsert } of given) {
		const field = FIELDS.find(({ id, team_id }) => id === input_id && team_id === team.id);
		const old = values.get(input_id);
		if (!field || (!old && !upsert)) continue;
		const { options, regex } = field.validation_options;
		const isRight = options
			? value.split('|').every((one) => options.includes(one))
			: isOfType(value, field.input_type) && (!regex || new RegExp(regex).test(value));
		if (!isRight) throw new ApiError(422, `${field.name} can't be ${value}`);
		values.set(input_id, { id: old?.id ?? store.nextId(), input_id, value });
	}
	return [...values.values()];
}

/** Sets fields of cases, all or none. @returns the cases that have any of them @throws ApiError 404 or 422 */
function setFields(context: Context, { case_ids, fields }: z.infer<typeof BULK>): object {
	const { store } = context.service;
	const named = (one: { input_id: number }) =>
		fields.some(({ input_id }) => input_id === one.input_id);
	const changed = case_ids
		.map((id) => caseWith(context, id))
		.map(({ found }) => ({
			...{ found, case_id: found.case_id },
			fields: withFields(store, found.team, found.fields(), fields),
		}));
	for (const { found, ...one } of changed) edit({ ...context, found }, { fields: one.fields });
	const rows = changed.map(({ case_id, fields: values }) => ({
		...{ case_id, fields: fieldRows(values.filter(named)) },
	}));
	return { cases: rows.filter((one) => one.fields.length > 0) };
}

export const FIELD_ROUTES: Routes = {
	[`PUT ${METADATA}`]: requestOfCase(
		z.strictObject({ metadata: z.record(z.string(), z.string()) }),
		(context, { metadata }) => {
			const { case_id, ...found } = context.found;
			edit(context, { metadata: { ...found.metadata, ...metadata } });
			// Pages show an answer with the pair that was sent; a case may have others.
			return { case_id, metadata };
		},
	),
	[`DELETE ${METADATA}`]: requestOfCase(
		z.strictObject({ metadata: member.texts }),
		(context, { metadata: gone }) => {
			const kept = Object.entries(context.found.metadata).filter(([key]) => !gone.includes(key));
			edit(context, { metadata: Object.fromEntries(kept) });
		},
	),
	[`GET ${CASE}/fields`]: listOfCase(
		'fields',
		({ found }) => found.fields(),
		(rows, { access }) => fieldRows(rows, access.isRestricted),
	),
	...FIELD_SETTINGS,
};

export const BULK_ROUTES: Routes = { [`POST ${CASES}/bulk/fields`]: request(BULK, setFields) };
