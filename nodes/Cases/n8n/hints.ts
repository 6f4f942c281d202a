import { nameSome, quote } from '../api/failures/failure';
import { adviceOn } from '../api/cases/contradictions';
import type { Observed } from '../api/lists/readList';
import { nameFilter } from '../fields/filters/filters';

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
	/** Rows that the last truncated read returned, and how many match, where the service says so. */
	truncated?: { returned: number; matches: Observed['matches'] };
	/** Lists that were read more than once, because they changed meanwhile. */
	rereadLists: number;
	/** How many times the last list that kept changing was read. */
	changingReads?: number;
	/** What is missing in the last list that was accepted although it is incomplete. */
	incomplete?: string;
	/** How many rows were left out because they contradict a filter, by the name of the filter. */
	contradicting: Map<string, number>;
	/** Different things that items requested. */
	distinctReads: number;
	/** Items that requested the same as an earlier item and got a copy. */
	sharedReads: number;
	/** IDs of the cases whose activities or records in the output are only a first page. */
	truncatedCases: Set<string>;
	/** Whether it is unknown for a case if it has more activities or records than the output. */
	mayHaveMore: boolean;
	/** Chosen fields that a case doesn't have. */
	unknownFields: Set<string>;
	/** Of the lists that cases of the output have, by what they are lists of: `comment`, `activity`, `record`. */
	ofDetails: Map<string, Notes>;
	/** IDs of the cases whose comments could not be read, each with the reason. */
	unreadComments: Map<string, string>;
	/** IDs of the cases in which no action was found to delete. */
	casesWithoutMatch: Set<string>;
	/** IDs of the cases whose write was confirmed, with nothing to say what they have now. */
	doubtfulWrites: Set<string>;
	/** The host that buttons call, where the service can't reach it. */
	unreachableHost?: string;
	/** Cases whose write was only shown. */
	previewedCases: number;
}

export function createNotes(): Notes {
	return {
		reads: 0,
		emptyReads: 0,
		emptyIdLists: 0,
		casesRead: new Set(),
		casesWithoutRows: new Set(),
		truncatedReads: 0,
		rereadLists: 0,
		contradicting: new Map(),
		distinctReads: 0,
		sharedReads: 0,
		truncatedCases: new Set(),
		mayHaveMore: false,
		unknownFields: new Set(),
		ofDetails: new Map(),
		unreadComments: new Map(),
		casesWithoutMatch: new Set(),
		doubtfulWrites: new Set(),
		previewedCases: 0,
	};
}

/**
 * Notes one read of a list.
 * @param observed what the reader noticed; undefined for a list that a case carries itself
 */
export function noteRead(notes: Notes, rowCount: number, observed?: Observed): void {
	notes.reads++;
	if (rowCount === 0) notes.emptyReads++;
	noteObserved(notes, rowCount, observed);
}

/** Notes what a reader noticed, whether its rows are the output or were counted. */
export function noteObserved(notes: Notes, rowCount: number, observed?: Observed): void {
	if (observed === undefined) return;
	const { isTruncated, matches, reads } = observed;
	if (isTruncated) {
		notes.truncatedReads++;
		notes.truncated = { returned: rowCount, matches };
	}
	if (reads > 1) notes.rereadLists++;
	if (observed.keptChanging) notes.changingReads = reads;
	notes.incomplete = observed.incomplete ?? notes.incomplete;
	for (const [filter, count] of Object.entries(observed.contradicting ?? {})) {
		notes.contradicting.set(filter, (notes.contradicting.get(filter) ?? 0) + count);
	}
}

/** Notes what a reader noticed in a list that a case of the output has, such as its comments. */
export function noteDetails(
	notes: Notes,
	noun: string,
	rowCount: number,
	observed?: Observed,
): void {
	const ofNoun = notes.ofDetails.get(noun) ?? createNotes();
	notes.ofDetails.set(noun, ofNoun);
	noteObserved(ofNoun, rowCount, observed);
	if ((observed?.reads ?? 0) > 1) notes.rereadLists++;
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
	noteObserved(notes, rowCount, observed);
	notes.casesRead.add(caseId);
	if (rowCount === 0) notes.casesWithoutRows.add(caseId);
}

/** A number of things: `1 case`, `2 activities`. */
export function plural(count: number, noun: string): string {
	return `${count} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** Several of them: `cases`, `activities`. */
function pluralOf(noun: string): string {
	return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function describeChanging(reads: number, noun: string): string {
	return `The list kept changing while it was read ${plural(reads, 'time')}, so the results were merged; ${pluralOf(noun)} that were added or removed meanwhile may be missing or included. To be certain, run again at a quieter time${noun === 'case' ? ' or use more filters' : ''}.`;
}

function describeContradicting(filter: string, count: number): string {
	return `The service returned ${plural(count, 'case')} that contradict${count === 1 ? 's' : ''} the filter ${nameFilter(filter)}; ${count === 1 ? 'it was' : 'they were'} left out. ${adviceOn(filter)}`;
}

function describeTruncation(
	{ returned, matches }: NonNullable<Notes['truncated']>,
	reads: number,
	noun: string,
): string {
	if (reads > 1)
		return `For ${reads} input items there are more ${pluralOf(noun)} than 'Limit' allows.`;
	const shown = `the first ${returned} ${returned === 1 ? 'is' : 'are'} shown`;
	if (matches === undefined) {
		return `${noun === 'case' ? 'More cases match' : `There are more ${pluralOf(noun)}`}; ${shown}.`;
	}
	const count = `${matches.isExact ? '' : 'about '}${matches.count}`;
	const match = noun === 'case' ? `${count} cases match` : `There are ${count} ${pluralOf(noun)}`;
	return `${match[0].toUpperCase()}${match.slice(1)}; ${shown}.`;
}

function describeEmptyCases({ casesRead, casesWithoutRows }: Notes, noun: string): string {
	const [read, empty] = [casesRead.size, casesWithoutRows.size];
	if (read === 1) return `Case ${[...casesRead][0]} has no ${pluralOf(noun)}.`;
	if (read === empty) return `None of the ${read} cases has ${pluralOf(noun)}.`;
	return `${empty} of ${read} cases ${empty === 1 ? 'has' : 'have'} no ${pluralOf(noun)}.`;
}

function describeSharing({ sharedReads, casesRead }: Notes): string {
	const items = `All ${sharedReads + 1} input items`;
	const [caseId] = casesRead;
	return casesRead.size !== 1
		? `${items} got the same data. To get it once, turn on Execute Once in Settings.`
		: `${items} used case ${caseId}. To use each item's own case, drag case_id into 'Case'.`;
}

function describeDoubtfulWrites(caseIds: Set<string>): string {
	const cases = `${caseIds.size === 1 ? 'case' : 'cases'} ${nameSome([...caseIds])}`;
	return `The service confirmed the write of ${cases} without saying what it wrote, and the actions could not be read back. Check the ${caseIds.size === 1 ? 'case' : 'cases'}.`;
}

function describeUnreadComments(reasons: Map<string, string>): string {
	const cases = `${reasons.size === 1 ? 'case' : 'cases'} ${nameSome([...reasons.keys()])}`;
	return `The comments of ${cases} could not be read, and are null there. ${[...reasons.values()][0]}.`;
}

function describeUnknownFields(names: string[]): string {
	return names.length === 1
		? `The cases have no field ${names[0]}; its value is null.`
		: `The cases have no fields ${nameSome(names, 10)}; their values are null.`;
}

/** Returns the notes as hints for the editor, most important first. */
export function describeNotes(notes: Notes, noun: string): string[] {
	const some = (count: number) => (notes.reads > 1 ? ` for ${plural(count, 'item')}` : '');
	const hints = [
		notes.previewedCases > 0 &&
			`Preview only: ${plural(notes.previewedCases, 'case')} ${notes.previewedCases === 1 ? 'was' : 'were'} not written. To write, turn off 'Preview Only' under 'Options'.`,
		notes.changingReads && describeChanging(notes.changingReads, noun),
		notes.incomplete && `${notes.incomplete}.`,
		...[...notes.contradicting].map(([filter, count]) => describeContradicting(filter, count)),
		notes.doubtfulWrites.size > 0 && describeDoubtfulWrites(notes.doubtfulWrites),
		notes.unreachableHost !== undefined &&
			`The buttons call ${notes.unreachableHost}, which only this machine can reach. Set the environment variable N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the public URL of n8n.`,
		notes.casesWithoutMatch.size > 0 &&
			`No action to delete was found in ${notes.casesWithoutMatch.size === 1 ? 'case' : 'cases'} ${nameSome([...notes.casesWithoutMatch])}. The label and the URL must be those of the action.`,
		notes.truncated && describeTruncation(notes.truncated, notes.truncatedReads, noun),
		notes.unreadComments.size > 0 && describeUnreadComments(notes.unreadComments),
		...[...notes.ofDetails].flatMap(([one, ofNoun]) => describeNotes(ofNoun, one)),
		notes.truncatedCases.size > 0 &&
			`${plural(notes.truncatedCases.size, 'case')} ${notes.truncatedCases.size === 1 ? 'has' : 'have'} more activities or records than the output shows. To get all of them, choose them in 'Load in Full' under 'Options'.`,
		notes.mayHaveMore &&
			"The service doesn't say whether there are more activities or records than the output shows.",
		notes.unknownFields.size > 0 && describeUnknownFields([...notes.unknownFields].map(quote)),
		// Where items request different things, Execute Once would drop all but the first.
		notes.sharedReads > 0 && notes.distinctReads === 1 && describeSharing(notes),
		notes.emptyIdLists > 0 &&
			`'Case IDs' was an empty list${some(notes.emptyIdLists)}, so no case was requested.`,
		notes.casesWithoutRows.size > 0 && describeEmptyCases(notes, noun),
		notes.emptyReads > notes.emptyIdLists &&
			`No ${pluralOf(noun)} match${notes.reads > 1 ? ` for ${notes.emptyReads} of ${notes.reads} items` : ''}.`,
	].filter((text): text is string => typeof text === 'string');
	// Both activities and records may have the same.
	return [...new Set(hints)];
}
