import { z } from 'zod';
import type { Deviations } from './deviations';
import { CASE_STATUSES, PRIORITIES, type Access, type Case } from './types';

/** What else decides whether a case matches. */
type Reading = NonNullable<Deviations['filters']> & { access: Access };

type Matches<T> = (value: T, one: Case, reading: Reading) => boolean;

/** How a filter is sent, what each of its values must be, and which cases match. */
export interface Filter {
	shape: 'scalar' | 'array' | 'pairs';
	schema: z.ZodType;
	matches: Matches<never>;
}

export const id = z
	.string()
	.regex(/^[1-9]\d{0,14}$/, 'must be a positive integer')
	.transform(Number);
export const oneOf = <const T extends readonly string[]>(values: T) =>
	z.enum(values, `must be one of ${values.join(', ')}`);
const text = z.string().min(1, 'must not be empty');
const boolean = z
	.enum(['true', 'false'], 'must be true or false')
	.transform((value) => value === 'true');
const NO_TIMESTAMP = 'must be an ISO 8601 UTC timestamp such as 2026-01-02T03:04:05Z';
const timestamp = z.iso.datetime(NO_TIMESTAMP).regex(/T\d\d:\d\d:\d\d/, NO_TIMESTAMP);
/** A user as a grown service takes one: an ID, an e-mail or `unassigned`. */
export const person = text.transform((value) => (/^\d+$/.test(value) ? Number(value) : value));

const scalar = <T>(schema: z.ZodType<T>, matches: Matches<T>): Filter => ({
	shape: 'scalar',
	schema,
	matches,
});
const array = <T>(schema: z.ZodType<T>, matches: Matches<T[]>): Filter => ({
	shape: 'array',
	schema,
	matches,
});

const hasTag = ({ tags }: Case, wanted: string) => tags.some(({ name }) => name === wanted);
const allTags: Matches<string[]> = (names, one) => names.every((name) => hasTag(one, name));
const noTags: Matches<string[]> = (names, one) => !names.some((name) => hasTag(one, name));

type Person = number | string;
const isAssigned = ({ assignees }: Case, wanted: Person) =>
	wanted === 'unassigned'
		? assignees.length === 0
		: assignees.some(({ user_id, email }) => wanted === user_id || wanted === email);
const anyAssignee: Matches<Person[]> = (people, one) =>
	people.some((wanted) => isAssigned(one, wanted));

const DAY = 24 * 60 * 60 * 1000;

/** One end of a range of dates, inclusive unless the service deviates. A case without the date is in no range. */
const end = (field: 'created_at' | 'resolved_at' | 'updated_at', which: 'first' | 'last') =>
	scalar(timestamp, (value, one, { startExclusive, byDay }) => {
		const at = one[field];
		if (at === null) return false;
		const unitOf = (moment: string) => Math.floor(Date.parse(moment) / (byDay ? DAY : 1));
		const distance = unitOf(at) - unitOf(value);
		if (which === 'last') return distance <= 0;
		return startExclusive ? distance > 0 : distance >= 0;
	});

export const FILTERS: Readonly<Record<string, Filter>> = {
	and_tags: array(text, allTags),
	tags: array(text, allTags),
	or_tags: array(text, (any, one) => any.some((name) => hasTag(one, name))),
	excluded_tags: array(text, noTags),
	exclude_tags: array(text, noTags),
	assigned_to_me: scalar(
		boolean,
		(isHeeded, one, { access }) => !isHeeded || isAssigned(one, access.user_id),
	),
	unassigned: scalar(boolean, (isHeeded, one) => !isHeeded || one.assignees.length === 0),
	assignees: array(id, anyAssignee),
	assignee_emails: array(text, anyAssignee),
	author_emails: array(text, (emails, { author }) => emails.includes(author.email)),
	case_ids: array(id, (any, { case_id }) => any.includes(case_id)),
	metadata: {
		shape: 'pairs',
		schema: z.string(),
		matches: (pairs: Record<string, string>, one) =>
			Object.entries(pairs).every(([key, value]) => one.metadata[key] === value),
	},
	priority: scalar(oneOf(PRIORITIES), (priority, one) => one.priority === priority),
	status: scalar(oneOf(CASE_STATUSES), (status, one) => one.status === status),
	search: scalar(text, (search, { name, description, case_id }) =>
		[name, description ?? '', String(case_id)].some((searched) =>
			searched.toLowerCase().includes(search.toLowerCase()),
		),
	),
	start_date: end('created_at', 'first'),
	end_date: end('created_at', 'last'),
	resolved_at_start_date: end('resolved_at', 'first'),
	resolved_at_end_date: end('resolved_at', 'last'),
	updated_at_start_date: end('updated_at', 'first'),
	updated_at_end_date: end('updated_at', 'last'),
	// Last, because generated cases compute their records each time they are read.
	records: array(text, (values, one) =>
		one
			.records()
			.flatMap(({ record_type_record_results }) => record_type_record_results)
			.some(({ results }) => results.some(({ value }) => values.includes(value))),
	),
};
