import type { CaseFilters } from '../../api/caseQuery';
import { readCases, type OrderedQuery } from '../../api/cases';
import type { Client } from '../../api/client';
import { countCases } from '../../api/countCases';
import { caseIdentity } from '../../api/identity';
import type { Log } from '../../api/log';
import type { Case } from '../../api/types';
import { numberOfText } from './digest';
import { refuseTooMany } from './matches';
import { hasWholeId, numberOfCase } from './memory';
import type { Seconds } from './state';
import type { WatchedCases } from './watchedCases';

/** Which cases match the filters, as the service says. Each reader throws an ApiFailure. */
export interface MatchingCases {
	/** What tells the filters from others. */
	filters: number;
	/** How long after all were read they are read again. */
	readEvery: Seconds;
	/** Reads the IDs of all cases that match. */
	readIds: () => Promise<number[]>;
	/** Reads those of some cases that match now, by ID. A case that contradicts a filter doesn't match. */
	among: (ids: number[]) => Promise<Map<number, Case>>;
}

function numberOf({ filters, caseIds, teamId, priorities }: CaseFilters): number {
	const inOrder = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
	return numberOfText(JSON.stringify([inOrder, caseIds, teamId, priorities]));
}

/**
 * The cases that match filters. All of them are read with Return All, which verifies that none is missing; single ones
 * with their IDs beside the filters, fifty to a request.
 * @param includes whether a case has one of several priorities, for which single cases need no request each
 */
export function findMatching(
	client: Client,
	filters: CaseFilters,
	{ includes, pageSize }: Pick<WatchedCases, 'includes' | 'pageSize'>,
	readEvery: Seconds,
	warn: Log['warn'],
): MatchingCases {
	const given = filters.caseIds && new Set(filters.caseIds);
	const idOf = (row: Case) => numberOfCase(caseIdentity(row));
	return {
		filters: numberOf(filters),
		readEvery,
		readIds: async () => {
			refuseTooMany((await countCases(client, filters, { pageSize })).count);
			const { rows } = await readCases(
				client,
				{ ...filters, order: 'CREATED_DESC' },
				{ pageSize, shape: ({ case_id }) => ({ case_id }) },
			);
			return rows.map(idOf).filter(hasWholeId);
		},
		among: async (ids) => {
			const caseIds = ids.map(String).filter((id) => given?.has(id) !== false);
			const query: OrderedQuery = {
				...filters,
				priorities: undefined,
				caseIds,
				order: 'CREATED_ASC',
			};
			const { rows, observed } = await readCases(client, query, {
				pageSize,
				shape: (row) => row,
			});
			for (const [filter, count] of Object.entries(observed.contradicting ?? {})) {
				warn(`Left out cases that contradict the filter ${client.nameFilter(filter)}: ${count}`);
			}
			return new Map(rows.filter(includes).map((row: Case) => [idOf(row), row]));
		},
	};
}
