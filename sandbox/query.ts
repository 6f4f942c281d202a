import { viewOf } from './deviations';
import { TEAMS } from './directory';
import { notFound } from './errors';
import { FILTERS } from './filters';
import { pageOf, type Page } from './page';
import type { ServiceOptions } from './service';
import type { CaseStore } from './store';
import { PRIORITIES, type Access, type Case, type CaseQuery, type Order, type Team } from './types';

type QueryOptions = Pick<ServiceOptions, 'defaultEnd' | 'deviations'>;

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

/** Those of the rows that belong to teams the key may see, or to one of these. @throws ApiError 404 */
export function ofTeams<Row extends { team_id: number }>(
	rows: readonly Row[],
	access: Access,
	teamId?: number,
): Row[] {
	if (teamId !== undefined) visibleTeam(access, teamId);
	return rows.filter(
		({ team_id }) => mayRead(access, team_id) && (teamId === undefined || team_id === teamId),
	);
}

/** The results for one version of a store, so that reading 400 pages sorts the cases once. */
const resultsOf = new WeakMap<CaseStore, { version: number; byQuery: Map<string, Case[]> }>();
const MAX_CACHED_QUERIES = 200;

function matchingCases(
	store: CaseStore,
	{ team_id, filters: given = {}, order }: CaseQuery,
	access: Access,
	{ defaultEnd, deviations = {} }: QueryOptions,
): Case[] {
	const { filters: understood = {}, list = {} } = deviations;
	const heeded = Object.entries(given).filter(([name]) => !understood.ignored?.includes(name));
	const filters = Object.fromEntries(heeded);
	for (const field of ['', 'resolved_at_', 'updated_at_']) {
		if (`${field}start_date` in filters) {
			filters[`${field}end_date`] ??= today(store.now(), defaultEnd).toISOString();
		}
	}
	const heededOrder = list.orderIgnored ? undefined : order;
	const view = viewOf(store, deviations);
	const read = () => {
		const used = Object.entries(FILTERS).filter(([name]) => name in filters);
		const isMatch = (one: Case) =>
			mayRead(access, one.team.id) &&
			(team_id === undefined || team_id === one.team.id) &&
			used.every(([name, { matches }]) =>
				matches(filters[name] as never, one, { ...understood, access }),
			);
		const ids = filters.case_ids as number[] | undefined;
		const candidates = ids
			? [...new Set(ids)].flatMap((id) => store.findCase(id) ?? [])
			: store.cases();
		const matching: Case[] = [];
		for (const candidate of candidates) {
			const seen = view ? view(candidate) : candidate;
			if (seen && isMatch(seen)) matching.push(seen);
		}
		return matching.sort(comparatorOf(store, heededOrder));
	};
	if (view) return read();

	const key = JSON.stringify([team_id, filters, heededOrder, access, understood]);
	let results = resultsOf.get(store);
	if (results?.version !== store.version || results.byQuery.size >= MAX_CACHED_QUERIES) {
		results = { version: store.version, byQuery: new Map() };
		resultsOf.set(store, results);
	}
	const cases = results.byQuery.get(key) ?? read();
	results.byQuery.set(key, cases);
	return cases;
}

function today(now: Date, defaultEnd: QueryOptions['defaultEnd']): Date {
	const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
	return new Date(defaultEnd === 'endOfToday' ? start + 24 * 60 * 60 * 1000 - 1 : start);
}

const priorityOf = ({ priority }: Case) => PRIORITIES.indexOf(priority);

/** By what each order sorts, and in which direction. */
const ORDERINGS: Record<Order, [key: (one: Case) => string | number | null, direction: 1 | -1]> = {
	RECENTLY_EDITED: [({ updated_at }) => updated_at, -1],
	LEAST_RECENTLY_EDITED: [({ updated_at }) => updated_at, 1],
	PRIORITY_ASC: [priorityOf, 1],
	PRIORITY_DESC: [priorityOf, -1],
	OPENED_ASC: [({ opened_at }) => opened_at, 1],
	OPENED_DESC: [({ opened_at }) => opened_at, -1],
	CREATED_ASC: [({ created_at }) => created_at, 1],
	CREATED_DESC: [({ created_at }) => created_at, -1],
};

/**
 * Compares cases; those without the time come last in both directions. With an order, ties are sorted by id. Without
 * one the API document promises nothing: recently edited cases come first, and ties are in another order after every
 * change of any case.
 */
function comparatorOf({ version }: CaseStore, order?: Order) {
	const [keyOf, direction] = ORDERINGS[order ?? 'RECENTLY_EDITED'];
	const tieKey = (id: number) =>
		order ? id : Math.imul(id ^ Math.imul(version, 0x9e3779b1), 0x85ebca6b) >>> 0;
	return (a: Case, b: Case): number => {
		const [left, right] = [keyOf(a), keyOf(b)];
		if (left === right) return tieKey(a.case_id) - tieKey(b.case_id);
		if (left === null || right === null) return left === null ? 1 : -1;
		return left < right ? -direction : direction;
	};
}
