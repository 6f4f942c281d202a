import type { Deviations } from './deviations';

/**
 * What the service has learned since the API document was written, as far as public pages and clients show it. Each
 * trait is a switch of its own; the strict sandbox has none.
 */
export const GROWN_TRAITS = {
	'page-size': 'lists of cases take up to 500 a page',
	'exclude-tags': 'the filter exclude_tags in place of excluded_tags',
	'sub-status': 'cases have a sub_status, and there is the filter sub_status_names',
	'user-filters': 'filters of assignees and authors by ID, e-mail or unassigned',
	'unknown-ignored': 'unknown filters and parameters are ignored',
	'activity-kinds': 'edits write activities of more kinds than CREATED and COMMENTED',
	'further-fields': 'further and other fields in all answers',
	'case-writes': 'cases can be read one by one, created, edited and commented on',
	'teams-and-tags': 'GET /api/v1/teams and /api/v1/tags',
	'case-webhooks': 'webhooks of a team, to which changes of its cases are posted',
	'meta-total': 'meta has next_page_number, and count is the total',
	'flat-records': 'records are single rows, not groups',
	'by-day': 'date ranges compare days',
} as const;

export type GrownTrait = keyof typeof GROWN_TRAITS;

/** Traits of a service that also creates, changes and comments on cases; each operation of the nodes works with it. */
export const WITH_WRITES: readonly GrownTrait[] = [
	'case-writes',
	'teams-and-tags',
	'case-webhooks',
];

export type Traits = ReadonlySet<GrownTrait>;

export const ALL_GROWN = Object.keys(GROWN_TRAITS) as GrownTrait[];

/** Traits that are a deviation of the service. */
export const GROWN_DEVIATIONS: Partial<Record<GrownTrait, Deviations>> = {
	'by-day': { filters: { byDay: true } },
	'further-fields': { actions: { inRows: 'texts', batchAnswer: 'reversed' } },
};

/** The traits that an option names; true is all of them. */
export function traitsOf(grown: boolean | readonly GrownTrait[] = false): Traits {
	if (typeof grown === 'boolean') return new Set(grown ? ALL_GROWN : []);
	return new Set(grown);
}
