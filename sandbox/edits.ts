import type { ActivityType, Case } from './types';

/** What an edit changed, as an entry of the case's activity log. */
export interface Edit {
	activity_type: ActivityType;
	value: string;
}

/** What differs between two versions of a case, in the kinds of activities that a grown service writes. */
export function editsBetween(before: Case, after: Case): Edit[] {
	const names = (list: ReadonlyArray<{ name: string }>) => list.map(({ name }) => name);
	const emails = (list: Case['assignees']) => list.map(({ email }) => email);
	const entries = (one: Case) =>
		one
			.records()
			.flatMap(({ record_type_record_results }) => record_type_record_results)
			.map(({ id }) => String(id));
	return [
		...changed('STATUS_UPDATED', before.status, after.status),
		...changed('SUB_STATUS_UPDATED', before.sub_status?.name, after.sub_status?.name),
		...changed('SEVERITY_UPDATED', before.priority, after.priority),
		...changed('METADATA_UPDATED', JSON.stringify(before.metadata), JSON.stringify(after.metadata)),
		...changed('FIELD_UPDATED', JSON.stringify(before.fields), JSON.stringify(after.fields)),
		...moved('TAGS_ADDED', 'TAGS_REMOVED', names(before.tags), names(after.tags)),
		...moved('ASSIGNED', 'UNASSIGNED', emails(before.assignees), emails(after.assignees)),
		...moved(
			'LINKED_CASE_ADDED',
			'LINKED_CASE_REMOVED',
			before.linked_case_ids.map(String),
			after.linked_case_ids.map(String),
		),
		...moved(
			'RECORD_RESULT_SET_ADDED',
			'RECORD_RESULT_SET_REMOVED',
			entries(before),
			entries(after),
		),
	];
}

function changed(activity_type: ActivityType, before?: string, after?: string): Edit[] {
	return before === after ? [] : [{ activity_type, value: after ?? '' }];
}

function moved(
	added: ActivityType,
	removed: ActivityType,
	before: readonly string[],
	after: readonly string[],
): Edit[] {
	const missingIn = (list: readonly string[], other: readonly string[]) =>
		list.filter((one) => !other.includes(one));
	const edit = (activity_type: ActivityType, values: string[]): Edit[] =>
		values.length > 0 ? [{ activity_type, value: values.join(', ') }] : [];
	return [...edit(added, missingIn(after, before)), ...edit(removed, missingIn(before, after))];
}
