import { shownInRows } from './deviating/clock';
import { viewOf, type CaseView } from './deviating/view';
import type { Deviating, Deviations } from './deviations';
import type { Page } from './page';
import { pageOf, subStatusOf } from './serialize';
import type { CaseStore } from './store';
import {
	PRIORITIES,
	type Access,
	type Case,
	type CaseFilters,
	type CaseQuery,
	type Order,
	type User,
} from './types';

export interface QueryOptions {
	/** What a missing end date means if there is a start date. Default startOfToday, the stricter one. */
	defaultEnd?: 'endOfToday' | 'startOfToday';
	deviating?: Deviating;
}

export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 50;
/** The largest page of cases where the service has grown. */
export const GROWN_MAX_PER_PAGE = 500;

/** One page of the cases that match the query and that the key may see. */
export function listCases(
	store: CaseStore,
	query: CaseQuery,
	access: Access,
	options: QueryOptions = {},
): Page<Case> {
	const { page = 1, per_page = DEFAULT_PER_PAGE } = query;
	const deviations = options.deviating?.current ?? {};
	const view = viewOf(store, deviations, store.now().getTime());
	const ids =
		view || deviations.filters || deviations.list?.tiesMove || deviations.list?.orderIgnored
			? idsByView(store, query, access, options, view)
			: matchingIds(store, query, access, options);
	const onPage = pageOf(ids, { page, per_page }, deviations.list);
	const shown = onPage.rows.map((id) => store.getCase(id));
	return { ...onPage, rows: view ? shown.flatMap((found) => view(found) ?? []) : shown };
}

/** Whether a key may see the cases of a team. */
export function mayRead(access: Access, teamId: number): boolean {
	return access.team_ids === 'all' || access.team_ids.includes(teamId);
}

/** The results for one version of a store, so that reading 400 pages sorts the cases once. */
const resultsOf = new WeakMap<CaseStore, { version: number; idsByQuery: Map<string, number[]> }>();
const MAX_CACHED_QUERIES = 200;

function matchingIds(
	store: CaseStore,
	{ team_id, filters = {}, order }: CaseQuery,
	access: Access,
	options: QueryOptions,
): number[] {
	const ranges = dateRanges(filters, today(store.now(), options.defaultEnd));
	const cacheKey = JSON.stringify([team_id, filters, order, access, ranges]);
	let results = resultsOf.get(store);
	if (results?.version !== store.version || results.idsByQuery.size >= MAX_CACHED_QUERIES) {
		results = { version: store.version, idsByQuery: new Map() };
		resultsOf.set(store, results);
	}
	let ids = results.idsByQuery.get(cacheKey);
	if (!ids) {
		const tests = testsOf({ team_id, filters }, access, rangeTests(ranges));
		const matching: Case[] = [];
		for (const candidate of candidates(store, filters)) {
			if (tests.every((test) => test(candidate))) matching.push(candidate);
		}
		ids = matching.sort(comparatorOf(order, store.version)).map(({ case_id }) => case_id);
		results.idsByQuery.set(cacheKey, ids);
	}
	return ids;
}

/** The same for a service that sees cases, ranges or orders in its own way; nothing is cached. */
function idsByView(
	store: CaseStore,
	{ team_id, filters: given = {}, order }: CaseQuery,
	access: Access,
	{ defaultEnd, deviating }: QueryOptions,
	view: CaseView | undefined,
): number[] {
	const { filters: deviations = {}, list = {}, clock = {} } = deviating?.current ?? {};
	const heeded = Object.entries(given).filter(([name]) => !deviations.ignored?.includes(name));
	const filters: CaseFilters = Object.fromEntries(heeded);
	const startOrEndOfToday = shownInRows(clock, today(store.now(), defaultEnd));
	const ranges = rangeTests(dateRanges(filters, startOrEndOfToday), deviations);
	const tests = testsOf({ team_id, filters }, access, ranges);
	const matching: Case[] = [];
	for (const candidate of candidates(store, filters)) {
		const seen = view ? view(candidate) : candidate;
		if (seen && tests.every((test) => test(seen))) matching.push(seen);
	}
	const mix = list.tiesMove ? deviating?.turn() : undefined;
	const compare = comparatorOf(list.orderIgnored ? undefined : order, store.version, mix);
	return matching.sort(compare).map(({ case_id }) => case_id);
}

function testsOf({ team_id, filters = {} }: CaseQuery, access: Access, ranges: Test[]): Test[] {
	return [
		(found) => mayRead(access, found.team.id),
		...(team_id === undefined ? [] : [(found: Case) => found.team.id === team_id]),
		...ranges,
		...filterTests(filters, access),
	];
}

function candidates(store: CaseStore, { case_ids }: CaseFilters): Iterable<Case> {
	if (!case_ids) return store.cases();
	return [...new Set(case_ids)].flatMap((id) => store.findCase(id) ?? []);
}

type DateField = 'created_at' | 'resolved_at' | 'updated_at';

interface DateRange {
	field: DateField;
	/** Epoch milliseconds, both inclusive. */
	from: number;
	to: number;
}

function today(now: Date, defaultEnd: QueryOptions['defaultEnd'] = 'startOfToday'): number {
	const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
	return defaultEnd === 'startOfToday' ? start : start + 24 * 60 * 60 * 1000 - 1;
}

function dateRanges(filters: CaseFilters, defaultEnd: number): DateRange[] {
	const range = (field: DateField, start?: string, end?: string): DateRange[] =>
		start === undefined && end === undefined
			? []
			: [
					{
						field,
						// Not -Infinity: the range is part of the cache key, and JSON can't express it.
						from: start === undefined ? 0 : Date.parse(start),
						to: end === undefined ? defaultEnd : Date.parse(end),
					},
				];
	return [
		...range('created_at', filters.start_date, filters.end_date),
		...range('resolved_at', filters.resolved_at_start_date, filters.resolved_at_end_date),
		...range('updated_at', filters.updated_at_start_date, filters.updated_at_end_date),
	];
}

type Test = (candidate: Case) => boolean;

function rangeTests(
	ranges: DateRange[],
	{ startExclusive = false, byDay = false }: NonNullable<Deviations['filters']> = {},
): Test[] {
	const unit = byDay ? 24 * 60 * 60 * 1000 : 1;
	const unitOf = (at: number) => Math.floor(at / unit);
	return ranges.map(({ field, from, to }) => (candidate) => {
		const value = candidate[field];
		if (value === null) return false;
		const at = unitOf(Date.parse(value));
		const isAfterStart = startExclusive ? at > unitOf(from) : at >= unitOf(from);
		return isAfterStart && at <= unitOf(to);
	});
}

/** A test for each given filter except dates and ids. */
function filterTests(filters: CaseFilters, access: Access): Test[] {
	const tests: Test[] = [];
	const when = <T>(value: T | undefined, toTest: (value: T) => Test) => {
		if (value !== undefined) tests.push(toTest(value));
	};
	const hasTag = (candidate: Case, name: string) => candidate.tags.some((tag) => tag.name === name);

	when(filters.status, (status) => (candidate) => candidate.status === status);
	when(filters.priority, (priority) => (candidate) => candidate.priority === priority);
	for (const names of [filters.and_tags, filters.tags]) {
		when(names, (all) => (candidate) => all.every((name) => hasTag(candidate, name)));
	}
	when(filters.or_tags, (any) => (candidate) => any.some((name) => hasTag(candidate, name)));
	for (const names of [filters.excluded_tags, filters.exclude_tags]) {
		when(names, (none) => (candidate) => !none.some((name) => hasTag(candidate, name)));
	}
	when(
		filters.sub_status_names,
		(names) => (candidate) => names.includes(subStatusOf(candidate).name),
	);
	if (filters.assigned_to_me) {
		tests.push(({ assignees }) => assignees.some(({ user_id }) => user_id === access.user_id));
	}
	if (filters.unassigned) tests.push(({ assignees }) => assignees.length === 0);
	when(filters.assignees, (any) => (found) => any.some((one) => isAssigned(found, one)));
	when(filters.and_assignees, (all) => (found) => all.every((one) => isAssigned(found, one)));
	when(filters.exclude_assignees, (none) => (found) => !none.some((one) => isAssigned(found, one)));
	when(
		filters.authors,
		(any) =>
			({ author }) =>
				any.some((one) => isUser(author, one)),
	);
	when(
		filters.exclude_authors,
		(none) =>
			({ author }) =>
				!none.some((one) => isUser(author, one)),
	);
	when(
		filters.assignee_emails,
		(emails) =>
			({ assignees }) =>
				assignees.some(({ email }) => emails.includes(email)),
	);
	when(
		filters.author_emails,
		(emails) =>
			({ author }) =>
				emails.includes(author.email),
	);
	when(filters.metadata, (metadata) => {
		const pairs = Object.entries(metadata);
		return (candidate) => pairs.every(([key, value]) => candidate.metadata[key] === value);
	});
	when(filters.search, (search) => {
		const needle = search.toLowerCase();
		return ({ name, description, case_id }) =>
			name.toLowerCase().includes(needle) ||
			(description ?? '').toLowerCase().includes(needle) ||
			String(case_id).includes(needle);
	});
	// Last, because generated cases compute their records each time they are read.
	when(filters.records, (values) => {
		const wanted = new Set(values);
		return (candidate) =>
			candidate
				.records()
				.some(({ record_type_record_results }) =>
					record_type_record_results.some(({ results }) =>
						results.some(({ value }) => wanted.has(value)),
					),
				);
	});
	return tests;
}

const isUser = ({ user_id, email }: User, wanted: number | string) =>
	wanted === user_id || wanted === email;

const isAssigned = ({ assignees }: Case, wanted: number | string) =>
	wanted === 'unassigned'
		? assignees.length === 0
		: assignees.some((assignee) => isUser(assignee, wanted));

type Comparator = (a: Case, b: Case) => number;

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Compares by a timestamp; cases without one come last in both directions. */
const byMoment =
	(field: 'created_at' | 'opened_at' | 'updated_at', direction: 1 | -1): Comparator =>
	(a, b) => {
		const left = a[field];
		const right = b[field];
		if (left === null || right === null) return Number(left === null) - Number(right === null);
		return direction * compareTexts(left, right);
	};

const rank = new Map(PRIORITIES.map((priority, index) => [priority, index]));
const byPriority =
	(direction: 1 | -1): Comparator =>
	(a, b) =>
		direction * ((rank.get(a.priority) ?? 0) - (rank.get(b.priority) ?? 0));

const ORDERINGS: Record<Order, Comparator> = {
	RECENTLY_EDITED: byMoment('updated_at', -1),
	LEAST_RECENTLY_EDITED: byMoment('updated_at', 1),
	PRIORITY_ASC: byPriority(1),
	PRIORITY_DESC: byPriority(-1),
	OPENED_ASC: byMoment('opened_at', 1),
	OPENED_DESC: byMoment('opened_at', -1),
	CREATED_ASC: byMoment('created_at', 1),
	CREATED_DESC: byMoment('created_at', -1),
};

/**
 * With an order, ties are sorted by id. Without one the API document promises nothing: recently
 * edited cases come first, and ties are in another order after every change of any case.
 *
 * @param mix ties are in another order for each number
 */
function comparatorOf(order: Order | undefined, version: number, mix?: number): Comparator {
	const primary = ORDERINGS[order ?? 'RECENTLY_EDITED'];
	const mixedBy = mix ?? (order ? undefined : version);
	const tieKey =
		mixedBy === undefined
			? (id: number) => id
			: (id: number) => Math.imul(id ^ Math.imul(mixedBy, 0x9e3779b1), 0x85ebca6b) >>> 0;
	return (a, b) => primary(a, b) || tieKey(a.case_id) - tieKey(b.case_id);
}
