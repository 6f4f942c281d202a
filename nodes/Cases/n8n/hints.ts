import { nameSome } from '../api/failures/failure';
import { adviceOn } from '../api/failures/failureTable';
import type { Client } from '../api/http/client';
import type { Observed } from '../api/lists/readList';
import { nameFilter } from '../fields/filters/filters';

/** The hints, most important first. Each is made from the things that were noted: IDs, names or whole texts. */
const HINTS = {
	preview: () =>
		"Preview only: items with 'before' and 'after' were not written. To write, turn off 'Preview Only' under 'Options'.",
	changing: (texts) => texts,
	incomplete: (texts) => texts,
	contradicting: (filters) =>
		filters.map(
			(filter) =>
				`The service returned cases that contradict the filter ${nameFilter(filter)}; they were left out. ${adviceOn(filter)}`,
		),
	localHost: ([host]) =>
		`The buttons call ${host}, which only this machine can reach. Set the environment variable N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the public URL of n8n.`,
	noMatch: (caseIds) =>
		`No action to delete was found in these cases: ${nameSome(caseIds)}. The label and the URL must be those of the action.`,
	shortened: (texts) => texts,
	truncated: (texts) =>
		texts.length > 1 ? "'Limit' left out rows for several input items." : texts,
	unreadComments: (cases) =>
		`The comments of some cases could not be read, and are null there: ${nameSome(cases)}.`,
	moreDetails: (caseIds) =>
		`The output has only some activities or records of these cases: ${nameSome(caseIds)}. To get all of them, choose them in 'Load in Full' under 'Options'.`,
	unknownField: (fields) =>
		`These fields are null, because the cases don't have them: ${nameSome(fields, 10)}. Check their names, or remove them from 'Fields'.`,
	lostValues: (ids) =>
		`A new case does not show the values of these fields: ${nameSome(ids)}. Its team may lack the fields, or the API key may not see their values.`,
	shared: () =>
		"All input items requested the same data, so the output repeats it. To get it once, turn on Execute Once in Settings. To use each item's own data, drag it into the fields of this node.",
	nothing: (texts) => texts,
} satisfies Record<string, (things: string[]) => string | string[]>;

/** Collects what a person in the editor may want to know about a run. */
export class Notes {
	private readonly noticed = new Map<string, Set<string>>();
	/** How long the service has put requests off. */
	pausedMs = 0;

	/** Notes the reason for a hint. @param thing what the hint is about, such as a case ID */
	hint(key: keyof typeof HINTS, thing = ''): void {
		this.noticed.set(key, (this.noticed.get(key) ?? new Set()).add(thing));
	}

	forget(key: keyof typeof HINTS): void {
		this.noticed.delete(key);
	}

	/** The hints, most important first. */
	hints(): string[] {
		const paused = `Waited ${Math.ceil(this.pausedMs / 1000)} s for the service's rate limit.`;
		const noted = Object.entries(HINTS).flatMap(([key, describe]) => {
			const things = this.noticed.get(key);
			return things === undefined ? [] : describe([...things]);
		});
		return this.pausedMs === 0 ? noted : [...noted, paused];
	}
}

/**
 * Makes hints of what was unusual while a list was read.
 * @param nouns the name of the rows in hints, such as `comments`
 * @param rowCount how many rows the output has; needed only where Limit applies
 */
export function noteObserved(
	{ client, notes }: { client: Pick<Client, 'log'>; notes: Notes },
	nouns: string,
	observed: Observed | undefined,
	rowCount = 0,
): void {
	if (observed === undefined) return;
	const { reads, keptChanging, incomplete, contradicting = {}, isTruncated, matches } = observed;
	if (reads > 1) client.log?.info(`Read ${nouns} ${reads} times because they changed meanwhile.`);
	if (keptChanging) {
		notes.hint(
			'changing',
			`The list of ${nouns} kept changing while it was read, so the results were merged. What was added or removed meanwhile may be missing or included. To be certain, run again at a quieter time.`,
		);
	}
	if (incomplete !== undefined) notes.hint('incomplete', `${incomplete}.`);
	for (const filter of Object.keys(contradicting)) notes.hint('contradicting', filter);
	if (isTruncated) {
		const all =
			matches === undefined ? 'more' : `${matches.isExact ? '' : 'about '}${matches.count}`;
		notes.hint('truncated', `'Limit' kept the first ${rowCount}; there are ${all} ${nouns}.`);
	}
}
