import { viewOf, type Deviations } from './deviations';
import { TEAMS } from './directory';
import { notFound } from './errors';
import { pageOf, type Page } from './page';
import { subStatusOf } from './serialize';
import type { CaseStore } from './store';
import {
	PRIORITIES,
	type Access,
	type Case,
	type CaseFilters,
	type CaseQuery,
	type Order,
	type Team,
	type User,
} from './types';

export interface QueryOptions {
	/** What a missing end date means if there is a start date. Default startOfToday, the stricter one. */
	defaultEnd?: 'endOfToday' | 'startOfToday';
	deviations?: Deviations;
	/** A number that no request had before. */
	turn?: () => number;
}

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
	return pageOf(matchingCases(store, query, access, options), query, options.deviations?.list);
}

/** Whether a key may see the cases of a team. */
export function mayRead(access: Access, teamId: number): boolean {
	return access.team_ids === 'all' || access.team_ids.includes(teamId);
}

/** @throws ApiError 404 for a team that the key may not see, as for one that doesn't exist */
export function visibleTeam(access: Access, teamId: number): Team {
	const team = TEAMS.find(({ id }) => id === teamId);
	if (!team || !mayRead(access, teamId)) throw notFound();
	return team;
}

/** The results for one version of a store, so that reading 400 pages sorts the cases once. */
const resultsOf = new WeakMap<CaseStore, { version: number; byQuery: Map<string, Case[]> }>();
const MAX_CACHED_QUERIES = 200;

function matchingCases(
	store: CaseStore,
	{ team_id, filters: given = {}, order }: CaseQuery,
	access: Access,
	{ defaultEnd, deviations = {}, turn = () => 0 }: QueryOptions,
): Case[] {
	const { filters: understood = {}, list = {} } = deviations;
	const heeded = Object.entries(given).filter(([name]) => !understood.ignored?.includes(name));
	const filters: CaseFilters = Object.fromEntries(heeded);
	const ranges = dateRanges(filters, today(store.now(), defaultEnd));
	const heededOrder = list.orderIgnored ? undefined : order;
	const view = viewOf(store, deviations);
	const read = () => {
		const tests = [
			({ team }: Case) => mayRead(access, team.id),
			({ team }: Case) => team_id === undefined || team.id === team_id,
			...rangeTests(ranges, understood),
			...filterTests(filters, access),
		];
		const matching: Case[] = [];
		for (const candidate of candidates(store, filters)) {
			const seen = view ? view(candidate) : candidate;
			if (seen && tests.every((test) => test(seen))) matching.push(seen);
		}
		const mix = list.tiesMove ? turn() : heededOrder ? undefined : store.version;
		return matching.sort(comparatorOf(heededOrder, mix));
	};
	if (view || list.tiesMove) return read();

	const key = JSON.stringify([team_id, filters, heededOrder, access, ranges, understood]);
	let results = resultsOf.get(store);
	if (results?.version !== store.version || results.byQuery.size >= MAX_CACHED_QUERIES) {
		results = { version: store.version, byQuery: new Map() };
		resultsOf.set(store, results);
	}
	const cases = results.byQuery.get(key) ?? read();
	results.byQuery.set(key, cases);
	return cases;
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

/** What each filter except dates and IDs demands of a case. */
const FILTERS: { [Name in keyof CaseFilters]?: (value: NonNullable<CaseFilters[Name]>) => Test } = {
	status: (status) => (one) => one.status === status,
	priority: (priority) => (one) => one.priority === priority,
	and_tags: (all) => (one) => all.every((name) => hasTag(one, name)),
	tags: (all) => (one) => all.every((name) => hasTag(one, name)),
	or_tags: (any) => (one) => any.some((name) => hasTag(one, name)),
	excluded_tags: (none) => (one) => !none.some((name) => hasTag(one, name)),
	exclude_tags: (none) => (one) => !none.some((name) => hasTag(one, name)),
	sub_status_names: (names) => (one) => names.includes(subStatusOf(one).name),
	unassigned: (isHeeded) => (one) => !isHeeded || one.assignees.length === 0,
	assignees: (any) => (one) => any.some((user) => isAssigned(one, user)),
	and_assignees: (all) => (one) => all.every((user) => isAssigned(one, user)),
	exclude_assignees: (none) => (one) => !none.some((user) => isAssigned(one, user)),
	assignee_emails: (any) => (one) => any.some((email) => isAssigned(one, email)),
	authors: (any) => (one) => any.some((user) => isUser(one.author, user)),
	exclude_authors: (none) => (one) => !none.some((user) => isUser(one.author, user)),
	author_emails: (emails) => (one) => emails.includes(one.author.email),
	metadata: (metadata) => (one) =>
		Object.entries(metadata).every(([key, value]) => one.metadata[key] === value),
	search: (search) => {
		const needle = search.toLowerCase();
		return ({ name, description, case_id }) =>
			[name, description ?? '', String(case_id)].some((text) =>
				text.toLowerCase().includes(needle),
			);
	},
	// Last, because generated cases compute their records each time they are read.
	records: (values) => (one) =>
		one
			.records()
			.flatMap(({ record_type_record_results }) => record_type_record_results)
			.some(({ results }) => results.some(({ value }) => values.includes(value))),
};

function filterTests(filters: CaseFilters, access: Access): Test[] {
	const tests = Object.entries(FILTERS).flatMap(([name, toTest]) => {
		const value = filters[name as keyof CaseFilters];
		return value === undefined ? [] : (toTest as (value: unknown) => Test)(value);
	});
	const isMine: Test = (one) => isAssigned(one, access.user_id);
	return filters.assigned_to_me ? [isMine, ...tests] : tests;
}

const hasTag = ({ tags }: Case, wanted: string) => tags.some(({ name }) => name === wanted);

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
function comparatorOf(order: Order | undefined, mix?: number): Comparator {
	const primary = ORDERINGS[order ?? 'RECENTLY_EDITED'];
	const tieKey =
		mix === undefined
			? (id: number) => id
			: (id: number) => Math.imul(id ^ Math.imul(mix, 0x9e3779b1), 0x85ebca6b) >>> 0;
	return (a, b) => primary(a, b) || tieKey(a.case_id) - tieKey(b.case_id);
}
