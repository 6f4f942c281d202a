import type { Observed, Unrest } from '../api/readList';

/** What the user should know about the output of a run, counted over its items. */
export interface Notes {
	/** Reads of lists, and how many of them found nothing. */
	reads: number;
	emptyReads: number;
	/** Reads that `limit` cut. */
	cutReads: number;
	/** How many rows matched at least in the read that was cut most. */
	matchedAtLeast: number;
	/** Rows that came twice and are kept once. */
	repeated: number;
	/** What moved in lists that were never at rest, and how often the last one was read. */
	unrest?: Unrest & { reads: number };
	/** What the items asked for, each thing once. */
	distinctReads: number;
	/** Items that asked for what an item before had asked for, and got a copy. */
	sharedReads: number;
	/** IDs of the cases whose activities or records are only a first page. */
	cutCases: Set<string>;
	/** Chosen fields that a case doesn't have. */
	unknownFields: Set<string>;
	/** Reads whose list of case IDs was empty. */
	emptyIdLists: number;
	/** Actions whose button text was given up, as "label (case 1)". */
	lostTexts: string[];
}

export function createNotes(): Notes {
	return {
		reads: 0,
		emptyReads: 0,
		cutReads: 0,
		matchedAtLeast: 0,
		repeated: 0,
		distinctReads: 0,
		sharedReads: 0,
		cutCases: new Set(),
		unknownFields: new Set(),
		emptyIdLists: 0,
		lostTexts: [],
	};
}

/** Notes what a reader noticed. */
export function noteRead(notes: Notes, rowCount: number, observed: Observed): void {
	notes.reads++;
	if (rowCount === 0) notes.emptyReads++;
	if (observed.reads === 0) notes.emptyIdLists++;
	if (observed.isCut) {
		notes.cutReads++;
		notes.matchedAtLeast = Math.max(notes.matchedAtLeast, observed.atLeast ?? 0);
	}
	notes.repeated += observed.repeated;
	if (observed.unrest) notes.unrest = { ...observed.unrest, reads: observed.reads };
}

function plural(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describeUnrest({ edited, totalBefore, totalAfter, reads }: Unrest & { reads: number }) {
	const seen = [
		edited > 0 ? `${plural(edited, 'case')} edited` : '',
		totalBefore !== undefined && totalAfter !== undefined && totalBefore !== totalAfter
			? `the total went from ${totalBefore} to ${totalAfter}`
			: '',
	].filter((part) => part !== '');
	const what = seen.length === 0 ? 'rows moved between pages' : seen.join(', ');
	return `The list kept changing while it was read (${what}). It was read ${plural(reads, 'time')} and merged; rows that came or went meanwhile may be missing or included. Run again at a quieter time, or narrow the filters, for a list that is certain.`;
}

/** The notes as sentences for the editor, most important first. */
export function describeNotes(notes: Notes, noun: string): string[] {
	const some = (count: number) => (notes.reads > 1 ? ` for ${plural(count, 'item')}` : '');
	return [
		notes.unrest && describeUnrest(notes.unrest),
		notes.lostTexts.length > 0 &&
			`These actions were kept, but lost their button text: ${notes.lostTexts.slice(0, 10).join(', ')}${notes.lostTexts.length > 10 ? ` and ${notes.lostTexts.length - 10} more` : ''}.`,
		notes.cutReads > 0 &&
			`Limit cut the output${some(notes.cutReads)}: ${notes.matchedAtLeast > 0 ? `at least ${notes.matchedAtLeast} ${noun}s` : `more ${noun}s may`} match. Turn on Return All to get them all.`,
		notes.repeated > 0 &&
			`${plural(notes.repeated, `${noun}`)} came on two pages, because rows moved while they were read, and ${notes.repeated === 1 ? 'is' : 'are'} in the output once.`,
		notes.cutCases.size > 0 &&
			`${plural(notes.cutCases.size, 'case')} ${notes.cutCases.size === 1 ? 'has' : 'have'} more activities or records than the first page that is in the output. Choose them in Load in Full under Options to get all.`,
		notes.unknownFields.size > 0 &&
			`The cases have no field ${[...notes.unknownFields].map((field) => `"${field}"`).join(', ')}; it is null in the output.`,
		// Where items ask for several things, Execute Once would leave out all but the first.
		notes.sharedReads > 0 &&
			notes.distinctReads === 1 &&
			'All items asked for the same, so it was read once and each got a copy. If that is always so and you need it only once, turn on Execute Once in the settings of this node.',
		notes.emptyIdLists > 0 &&
			`Case IDs was an empty list${some(notes.emptyIdLists)}, so no case was asked for.`,
		notes.emptyReads > notes.emptyIdLists && `No ${noun} matched${some(notes.emptyReads)}.`,
	].filter((text): text is string => typeof text === 'string');
}
