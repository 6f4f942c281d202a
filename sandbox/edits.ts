import type { ActivityType, Case } from './types';

/** What an edit changed, as an entry of the case's activity log. */
interface Edit {
	activity_type: ActivityType;
	value: string;
}

const VALUES: Array<[changed: ActivityType, valueOf: (one: Case) => string | undefined]> = [
	['STATUS_UPDATED', ({ status }) => status],
	['SUB_STATUS_UPDATED', ({ sub_status }) => sub_status?.name],
	['SEVERITY_UPDATED', ({ priority }) => priority],
	['METADATA_UPDATED', ({ metadata }) => JSON.stringify(metadata)],
	[
		'FIELD_UPDATED',
		({ fields }) => JSON.stringify(fields().map((one) => [one.input_id, one.value])),
	],
];

const recordIds = (one: Case) =>
	one.records().flatMap((group) => group.record_type_record_results.map(({ id }) => id));

type ListOf = (one: Case) => ReadonlyArray<string | number>;

const LISTS: Array<[added: ActivityType, removed: ActivityType, listOf: ListOf]> = [
	['TAGS_ADDED', 'TAGS_REMOVED', ({ tags }) => tags.map(({ name }) => name)],
	['ASSIGNED', 'UNASSIGNED', ({ assignees }) => assignees.map(({ email }) => email)],
	['LINKED_CASE_ADDED', 'LINKED_CASE_REMOVED', ({ linked_case_ids }) => linked_case_ids],
	['RECORD_RESULT_SET_ADDED', 'RECORD_RESULT_SET_REMOVED', recordIds],
];

/** What differs between two versions of a case, in the kinds of activities that a grown service writes. */
export function editsBetween(before: Case, after: Case): Edit[] {
	const changed = VALUES.filter(([, valueOf]) => valueOf(before) !== valueOf(after));
	const moved = LISTS.flatMap(([added, removed, listOf]): Edit[] => {
		const [old, current] = [listOf(before), listOf(after)];
		const news = current.filter((one) => !old.includes(one));
		const gone = old.filter((one) => !current.includes(one));
		return [
			{ activity_type: added, value: news.join(', ') },
			{ activity_type: removed, value: gone.join(', ') },
		];
	});
	return [
		...changed.map(([activity_type, valueOf]) => ({ activity_type, value: valueOf(after) ?? '' })),
		...moved.filter(({ value }) => value !== ''),
	];
}
