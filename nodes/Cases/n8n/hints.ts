import type { Observed } from '../api/readList';
import type { ListDrift } from '../api/stability';

/** What changed in a list that was read without finding it stable, and how many times it was read. */
type Drift = ListDrift & { reads: number };

/** What the user should know about the output of a run, counted over its items. */
export interface Notes {
	/** Reads of lists. */
	reads: number;
	/** Reads that found no row, those with an empty list of case IDs among them. */
	emptyReads: number;
	/** Reads whose list of case IDs was empty, so that nothing was requested. */
	emptyIdLists: number;
	/** IDs of the cases whose own lists were read, such as their comments. */
	casesRead: Set<string>;
	/** Those of them whose list is empty. */
	casesWithoutRows: Set<string>;
	/** Reads truncated by `limit`. */
	truncatedReads: number;
	/** Minimum number of rows that match, the largest of all truncated reads. */
	matchedAtLeast: number;
	/** Rows that came more than once in one read and are kept once. */
	repeated: number;
	/** Of the last list that was not stable. */
	drift?: Drift;
	/** Different things that items requested. */
	distinctReads: number;
	/** Items that requested the same as an earlier item and got a copy. */
	sharedReads: number;
	/** IDs of the cases whose activities or records in the output are only a first page. */
	truncatedCases: Set<string>;
	/** Chosen fields that a case doesn't have. */
	unknownFields: Set<string>;
	/** Actions that were kept without their button text, as "label (case 1)". */
	lostTexts: string[];
}

export function createNotes(): Notes {
	return {
		reads: 0,
		emptyReads: 0,
		emptyIdLists: 0,
		casesRead: new Set(),
		casesWithoutRows: new Set(),
		truncatedReads: 0,
		matchedAtLeast: 0,
		repeated: 0,
		distinctReads: 0,
		sharedReads: 0,
		truncatedCases: new Set(),
		unknownFields: new Set(),
		lostTexts: [],
	};
}

/**
 * Notes one read of a list.
 * @param observed what the reader noticed; undefined for a list that a case carries itself
 */
export function noteRead(notes: Notes, rowCount: number, observed?: Observed): void {
	notes.reads++;
	if (rowCount === 0) notes.emptyReads++;
	noteObserved(notes, observed);
}

function noteObserved(notes: Notes, observed: Observed | undefined): void {
	if (observed === undefined) return;
	const { isTruncated, atLeast = 0, repeated, drift, reads } = observed;
	if (isTruncated) {
		notes.truncatedReads++;
		notes.matchedAtLeast = Math.max(notes.matchedAtLeast, atLeast);
	}
	notes.repeated += repeated;
	if (drift) notes.drift = { ...drift, reads };
}

/** Notes a list of case IDs that was empty, so that nothing was requested. */
export function noteEmptyIdList(notes: Notes): void {
	noteRead(notes, 0);
	notes.emptyIdLists++;
}

/** Notes one read of a list that a case has, such as its comments. There is nothing to match in it. */
export function noteReadOfCase(
	notes: Notes,
	caseId: string,
	rowCount: number,
	observed?: Observed,
): void {
	notes.reads++;
	noteObserved(notes, observed);
	notes.casesRead.add(caseId);
	if (rowCount === 0) notes.casesWithoutRows.add(caseId);
}

function plural(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describeDrift({ edited = 0, totalBefore, totalAfter, reads }: Drift): string {
	const seen = [
		edited > 0 ? `${plural(edited, 'case')} edited` : '',
		totalBefore !== undefined && totalAfter !== undefined && totalBefore !== totalAfter
			? `the total went from ${totalBefore} to ${totalAfter}`
			: '',
	].filter((text) => text !== '');
	const what = seen.length === 0 ? 'rows moved between pages' : seen.join(', ');
	return `The list kept changing while it was read (${what}). It was read ${plural(reads, 'time')} and merged; rows that came or went meanwhile may be missing or included. Run again at a quieter time, or narrow the filters, for a list that is certain.`;
}

function describeEmptyCases({ casesRead, casesWithoutRows }: Notes, noun: string): string {
	const [read, empty] = [casesRead.size, casesWithoutRows.size];
	if (read === 1) return `Case ${[...casesRead][0]} has no ${noun}s.`;
	if (read === empty) return `None of the ${read} cases has ${noun}s.`;
	return `${empty} of ${read} cases ${empty === 1 ? 'has' : 'have'} no ${noun}s.`;
}

/** Returns the notes as hints for the editor, most important first. */
export function describeNotes(notes: Notes, noun: string): string[] {
	const some = (count: number) => (notes.reads > 1 ? ` for ${plural(count, 'item')}` : '');
	return [
		notes.drift && describeDrift(notes.drift),
		notes.lostTexts.length > 0 &&
			`These actions were kept, but lost their button text: ${notes.lostTexts.slice(0, 10).join(', ')}${notes.lostTexts.length > 10 ? ` and ${notes.lostTexts.length - 10} more` : ''}.`,
		notes.truncatedReads > 0 &&
			`Limit cut the output${some(notes.truncatedReads)}: ${notes.matchedAtLeast > 0 ? `at least ${notes.matchedAtLeast} ${noun}s` : `more ${noun}s may`} match. Turn on Return All to get them all.`,
		notes.repeated > 0 &&
			`${plural(notes.repeated, `${noun}`)} came on two pages, because rows moved while they were read, and ${notes.repeated === 1 ? 'is' : 'are'} in the output once.`,
		notes.truncatedCases.size > 0 &&
			`${plural(notes.truncatedCases.size, 'case')} ${notes.truncatedCases.size === 1 ? 'has' : 'have'} more activities or records than the first page that is in the output. Choose them in 'Load All' under Options to get all.`,
		notes.unknownFields.size > 0 &&
			`The cases have no field ${[...notes.unknownFields].map((field) => `"${field}"`).join(', ')}; it is null in the output.`,
		// Where items request different things, Execute Once would drop all but the first.
		notes.sharedReads > 0 &&
			notes.distinctReads === 1 &&
			'All items asked for the same, so it was read once and each got a copy. If that is always so and you need it only once, turn on Execute Once in the settings of this node.',
		notes.emptyIdLists > 0 &&
			`Case IDs was an empty list${some(notes.emptyIdLists)}, so no case was asked for.`,
		notes.casesWithoutRows.size > 0 && describeEmptyCases(notes, noun),
		notes.emptyReads > notes.emptyIdLists && `No ${noun} matched${some(notes.emptyReads)}.`,
	].filter((text): text is string => typeof text === 'string');
}
