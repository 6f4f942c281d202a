/**
 * What the service has learned since the API document was written, as far as public pages and clients show it. Each
 * trait is a switch of its own, which README.md describes; the strict sandbox has none.
 */
export const ALL_GROWN = [
	'page-size',
	'exclude-tags',
	'user-filters',
	'unknown-ignored',
	'activity-kinds',
	'further-fields',
	'case-writes',
	'teams-and-tags',
	'case-webhooks',
	'newer-requests',
	'meta-total',
	'flat-records',
	'by-day',
] as const;

export type GrownTrait = (typeof ALL_GROWN)[number];

/** Traits of a service that also creates, changes and comments on cases; each operation of the nodes works with it. */
export const WITH_WRITES: readonly GrownTrait[] = [
	'case-writes',
	'teams-and-tags',
	'case-webhooks',
	'newer-requests',
];

export type Traits = ReadonlySet<GrownTrait>;

/** The traits that an option names; true is all of them. */
export function traitsOf(grown: boolean | readonly GrownTrait[] = false): Traits {
	if (typeof grown === 'boolean') return new Set(grown ? ALL_GROWN : []);
	return new Set(grown);
}
