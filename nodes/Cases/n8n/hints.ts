import { nameSome } from '../api/failures/failure';
import { adviceOn } from '../api/failures/failureTable';
import type { Observed } from '../api/lists/readList';
import { nameFilter } from '../fields/filters/filters';

/** Several of them: `cases`, `activities`. */
const pluralOf = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`);

/** A number of things: `1 case`, `2 activities`. */
export const plural = (count: number, noun: string): string =>
	`${count} ${count === 1 ? noun : pluralOf(noun)}`;

/** Names cases: `case 7`, `cases 7, 9`. */
const cases = (ids: string[]) => `${ids.length === 1 ? 'case' : 'cases'} ${nameSome(ids)}`;

/** The first word of a sentence. */
const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1);

/** What was noticed over all items: each thing once, with how many times. */
interface Noticed {
	things: string[];
	timesOf: Map<string, number>;
	times: number;
	nouns: string;
	notes: Pick<Notes, 'reads' | 'distinctReads' | 'casesRead'>;
}

/** The hints in their order, most important first. The things are cases, or texts of their own. */
const HINTS = {
	preview: ({ times }) =>
		`Preview only: ${plural(times, 'case')} ${times === 1 ? 'was' : 'were'} not written. To write, turn off 'Preview Only' under 'Options'.`,
	changing: ({ things }) => things,
	incomplete: ({ things }) => things,
	contradicting: ({ timesOf }) =>
		[...timesOf].map(
			([filter, times]) =>
				`The service returned ${plural(times, 'case')} that contradict${times === 1 ? 's' : ''} the filter ${nameFilter(filter)}; ${times === 1 ? 'it was' : 'they were'} left out. ${adviceOn(filter)}`,
		),
	doubtfulWrite: ({ things }) =>
		`The service confirmed the write of ${cases(things)} without saying what it wrote, and the actions could not be read back. Check the ${things.length === 1 ? 'case' : 'cases'}.`,
	localHost: ({ things: [host] }) =>
		`The buttons call ${host}, which only this machine can reach. Set the environment variable N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the public URL of n8n.`,
	noMatch: ({ things }) =>
		`No action to delete was found in ${cases(things)}. The label and the URL must be those of the action.`,
	truncated: ({ things, times, nouns }) =>
		times > 1 ? `For ${times} input items there are more ${nouns} than 'Limit' allows.` : things,
	unreadComments: ({ things }) =>
		`The comments of some cases could not be read, and are null there: ${nameSome(things)}.`,
	moreDetails: ({ things: { length } }) =>
		`${plural(length, 'case')} ${length === 1 ? 'has' : 'have'} more activities or records than the output shows. To get all of them, choose them in 'Load in Full' under 'Options'.`,
	unknownDetails: () =>
		"The service doesn't say whether there are more activities or records than the output shows.",
	unknownField: ({ things }) =>
		things.length === 1
			? `The cases have no field ${things[0]}; its value is null.`
			: `The cases have no fields ${nameSome(things, 10)}; their values are null.`,
	shared: ({ times, notes }) => {
		// Where items request different things, Execute Once would drop all but the first.
		if (notes.distinctReads !== 1) return [];
		const [caseId] = notes.casesRead;
		const items = `All ${times + 1} input items`;
		return caseId === undefined
			? `${items} got the same data. To get it once, turn on Execute Once in Settings.`
			: `${items} used case ${caseId}. To use each item's own case, drag case_id into 'Case'.`;
	},
	noCaseIds: ({ times, notes: { reads } }) =>
		`'Case IDs' was an empty list${reads > 1 ? ` for ${plural(times, 'item')}` : ''}, so no case was requested.`,
	noRows: ({ things, nouns }) =>
		`${capitalized(cases(things))} ${things.length === 1 ? 'has' : 'have'} no ${nouns}.`,
	noMatches: ({ times, nouns, notes: { reads } }) =>
		`No ${nouns} match${reads > 1 ? ` for ${times} of ${reads} items` : ''}.`,
} satisfies Record<string, (noticed: Noticed) => string | string[]>;

/** What a run noticed that the user should know. */
export class Notes {
	/** Lists that were read, and those of them that had to be read again because they changed. */
	reads = 0;
	rereadLists = 0;
	/** Different things that items requested. */
	distinctReads = 0;
	/** Cases whose own lists were read, such as their comments. */
	readonly casesRead = new Set<string>();
	private readonly noticed = new Map<string, Map<string, number>>();

	/** @param noun what the operation returns */
	constructor(readonly noun: string) {}

	/** Notes something that makes a hint, and what it is about. */
	hint(key: keyof typeof HINTS, thing = '', times = 1): void {
		const timesOf = this.noticed.get(key) ?? new Map<string, number>();
		this.noticed.set(key, timesOf.set(thing, (timesOf.get(thing) ?? 0) + times));
	}

	/** Takes back what a reader learns in another way. */
	forget(key: keyof typeof HINTS): void {
		this.noticed.delete(key);
	}

	/** The hints for the editor, most important first. */
	hints(): string[] {
		const nouns = pluralOf(this.noun);
		return Object.entries(HINTS).flatMap(([key, describe]) => {
			const timesOf = this.noticed.get(key);
			if (timesOf === undefined) return [];
			const times = [...timesOf.values()].reduce((sum, one) => sum + one, 0);
			return describe({ things: [...timesOf.keys()], timesOf, times, nouns, notes: this });
		});
	}
}

/** Notes what a reader noticed in a list of what the operation returns or counts. */
export function noteObserved(notes: Notes, rowCount: number, observed?: Observed): void {
	if (observed?.isTruncated) {
		notes.hint('truncated', describeTruncation(notes.noun, rowCount, observed.matches));
	}
	for (const [filter, count] of Object.entries(observed?.contradicting ?? {})) {
		notes.hint('contradicting', filter, count);
	}
	noteDetails(notes, notes.noun, observed);
}

/** Notes what a reader noticed in a list that a case of the output has, such as its comments. */
export function noteDetails(notes: Notes, noun: string, observed?: Observed): void {
	if (observed === undefined) return;
	if (observed.reads > 1) notes.rereadLists++;
	if (observed.incomplete !== undefined) notes.hint('incomplete', `${observed.incomplete}.`);
	if (observed.keptChanging) {
		notes.hint(
			'changing',
			`The list kept changing while it was read ${plural(observed.reads, 'time')}, so the results were merged; ${pluralOf(noun)} that were added or removed meanwhile may be missing or included. To be certain, run again at a quieter time${noun === 'case' ? ' or use more filters' : ''}.`,
		);
	}
}

function describeTruncation(noun: string, returned: number, matches: Observed['matches']): string {
	const count = matches && `${matches.isExact ? '' : 'about '}${plural(matches.count, noun)}`;
	const shown = `the first ${returned} ${returned === 1 ? 'is' : 'are'} shown`;
	if (noun !== 'case') return `There are ${count ?? `more ${pluralOf(noun)}`}; ${shown}.`;
	return `${capitalized(count ?? 'more cases')} match; ${shown}.`;
}

/** Notes one read of a list. */
export function noteRead(notes: Notes, rowCount: number, observed?: Observed): void {
	notes.reads++;
	if (rowCount === 0) notes.hint('noMatches');
	noteObserved(notes, rowCount, observed);
}

/** Notes a list of case IDs that was empty, so that nothing was requested. */
export function noteEmptyIdList(notes: Notes): void {
	notes.reads++;
	notes.hint('noCaseIds');
}

/** Notes one read of a list that a case has, such as its comments. There is nothing to match in it. */
export function noteReadOfCase(
	notes: Notes,
	caseId: string,
	rowCount: number,
	observed?: Observed,
): void {
	notes.reads++;
	notes.casesRead.add(caseId);
	if (rowCount === 0) notes.hint('noRows', caseId);
	noteObserved(notes, rowCount, observed);
}
