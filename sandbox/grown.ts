import type { Deviations } from './deviations';

/**
 * What the service has learned since the API document was written, as far as public pages and clients show it. Each
 * trait is a switch of its own; the strict sandbox has none.
 */
export const GROWN_TRAITS = {
	'page-size': 'lists of cases take up to 500 a page',
	'exclude-tags': 'the filter exclude_tags in place of excluded_tags',
	'sub-status': 'cases have a sub_status, and there is the filter sub_status_names',
	assignees: 'the filter assignees also takes e-mails and unassigned',
	'and-assignees': 'the filter and_assignees',
	'exclude-assignees': 'the filter exclude_assignees',
	authors: 'the filters authors and exclude_authors',
	'unknown-ignored': 'unknown filters and parameters are ignored',
	'case-fields': 'cases have fields',
	sla: 'cases have sla and slas, with times that run on',
	'activity-kinds': 'edits write activities of more kinds than CREATED and COMMENTED',
	'activity-fields': 'activities have file and reactions',
	'action-fields': 'actions have page_emoji, query_params and case_id; query_params can be written',
	'action-texts': 'actions in lists of cases have action_text',
	'case-writes': 'cases can be read one by one, created, edited and commented on',
	'teams-and-tags': 'GET /api/v1/teams and /api/v1/tags',
	'case-webhooks': 'webhooks of a team, to which changes of its cases are posted',
	'same-url': 'some generated cases have two actions with one URL',
	'batch-order': 'the batch update answers in another order',
	'meta-total': 'meta has next_page_number, and count is the total',
	'other-host': 'the URLs in meta have another host',
	'flat-records': 'records are single rows, not groups',
	'text-ids': 'user_id is a text in comments, too',
	'error-details': 'errors are { errors: [{ message, details }] }',
	'by-day': 'date ranges compare days',
} as const;

export type GrownTrait = keyof typeof GROWN_TRAITS;

/** Traits of a service that also creates, changes and comments on cases; each operation of the nodes works with it. */
export const WITH_WRITES: readonly GrownTrait[] = [
	'case-writes',
	'teams-and-tags',
	'case-webhooks',
];

/** What a service has learned since the document. */
export type Traits = ReadonlySet<GrownTrait>;

export const ALL_GROWN = Object.keys(GROWN_TRAITS) as GrownTrait[];

/** Traits that are a deviation of the service. */
export const GROWN_DEVIATIONS: Partial<Record<GrownTrait, Deviations>> = {
	'unknown-ignored': { filters: { unknownIgnored: true } },
	'by-day': { filters: { byDay: true } },
	'action-texts': { actions: { inRows: 'texts' } },
	'batch-order': { actions: { batchAnswer: 'reversed' } },
};

/** The traits that an option names; true is all of them. */
export function traitsOf(grown: boolean | readonly GrownTrait[] = false): Traits {
	if (typeof grown === 'boolean') return new Set(grown ? ALL_GROWN : []);
	return new Set(grown);
}

/**
 * Reads a list of traits as a command line has it.
 *
 * @param text names with commas between, or `all`
 * @throws Error that names an unknown trait
 */
export function parseTraits(text: string): GrownTrait[] {
	if (text === 'all') return ALL_GROWN;
	return text.split(',').map((name) => {
		if (Object.hasOwn(GROWN_TRAITS, name)) return name as GrownTrait;
		throw new Error(`There is no trait '${name}' of a grown service, only ${ALL_GROWN.join(', ')}`);
	});
}
