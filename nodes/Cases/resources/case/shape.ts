import {
	areDetailsTruncated,
	idOfCase,
	loadDetails,
	mayHaveMoreDetails,
	type CaseDetails,
} from '../../api/cases/caseDetails';
import { readComments } from '../../api/cases/comments';
import { ApiFailure, isOfOneCase, quote } from '../../api/failures/failure';
import { caseIdentity } from '../../api/identity';
import { MAX_PAGE_SIZE, type Case, type Row } from '../../api/types';
import { readLoadInFull, readSwitch } from '../../fields/options';
import {
	CASE_FIELD_NAMES,
	hasField,
	readOutput,
	shapeCase,
	shapeComment,
	type Output,
} from '../../fields/output';
import { noteDetails, type Notes } from '../../n8n/hints';
import type { Run } from '../../n8n/run';

/** What one row of these details is called. */
export const NOUNS: Record<CaseDetails, string> = { activities: 'activity', records: 'record' };
const ALL_DETAILS = Object.keys(NOUNS) as CaseDetails[];

/** If the service fails to answer this many lists in a row, single cases are not the reason. */
const MOST_FAILED_IN_A_ROW = 10;

/** What an item wants of its cases. */
export interface Wanted {
	output: Output;
	/** Details to load in full. */
	details: CaseDetails[];
	withComments: boolean;
	acceptIncomplete: boolean;
}

/** @throws InvalidInput */
export function readWanted(run: Run, item: number): Wanted {
	const output = readOutput(run, item);
	return {
		output,
		details: readLoadInFull(run, item, output),
		withComments: readSwitch(run, item, 'includeComments'),
		acceptIncomplete: readSwitch(run, item, 'acceptIncomplete'),
	};
}

/** Creates a function that shapes cases for the output, and notes what the user might miss in it. */
export function createShape(
	notes: Notes,
	{ output, details, withComments }: Wanted,
): (row: Case) => Row {
	const notLoaded = ALL_DETAILS.filter((one) => hasField(output, one) && !details.includes(one));
	const known = [...CASE_FIELD_NAMES, 'case_id', ...(withComments ? ['comments'] : [])];
	const oddFields =
		output.mode === 'selected' ? output.fields.filter((field) => !known.includes(field)) : [];
	return (row) => {
		if (notLoaded.some((one) => areDetailsTruncated(row, one))) {
			notes.hint('moreDetails', caseIdentity(row));
		} else if (notLoaded.some((one) => row[one] && mayHaveMoreDetails(row, one))) {
			notes.hint('unknownDetails');
		}
		for (const field of oddFields) {
			if (!Object.hasOwn(row, field)) notes.hint('unknownField', quote(field));
		}
		return shapeCase(row, output);
	};
}

/** Loads what an item wants of cases in full, several cases at a time, then shapes them and adds their comments. */
export async function completeCases(run: Run, cases: Case[], wanted: Wanted): Promise<Row[]> {
	const { client, notes } = run;
	const shape = createShape(notes, wanted);
	const shaped = await client.map(cases.length, async (index) => {
		let row = cases[index];
		for (const details of wanted.details) {
			const loaded = await loadDetails(client, row, details, wanted.acceptIncomplete);
			row = loaded.row;
			noteDetails(notes, NOUNS[details], loaded.observed);
		}
		return shape(row);
	});
	return await addComments(run, shaped, wanted);
}

/**
 * Adds all comments, where they are wanted, to cases that are shaped for the output, several cases at a time. Where those
 * of a single case can't be read, they are null.
 * @throws ApiFailure where those of no case can be read
 */
export async function addComments(
	{ client, notes }: Run,
	cases: Row[],
	{ output, withComments, acceptIncomplete }: Wanted,
): Promise<Row[]> {
	if (!withComments) return cases;
	const commentOutput = output.mode === 'simplified' ? 'simplified' : 'raw';
	let failedInARow = 0;
	const read = async (row: Row): Promise<Row[]> => {
		const caseId = idOfCase(row, 'comments');
		const { rows, observed } = await readComments(client, caseId, {
			pageSize: MAX_PAGE_SIZE,
			acceptIncomplete,
		});
		noteDetails(notes, 'comment', observed);
		failedInARow = 0;
		return rows.map((comment) => shapeComment(comment, commentOutput));
	};
	const lists = await client.map(cases.length, async (index) =>
		read(cases[index]).catch((failure: unknown) => {
			if (!(failure instanceof ApiFailure && isOfOneCase(failure))) throw failure;
			if (failure.details.retryable) failedInARow++;
			if (failedInARow === MOST_FAILED_IN_A_ROW) throw failure;
			return failure;
		}),
	);
	if (lists.length > 0 && lists.every((list) => list instanceof ApiFailure)) throw lists[0];
	return cases.map((row, index) => {
		const list = lists[index];
		if (!(list instanceof ApiFailure)) return { ...row, comments: list };
		notes.hint('unreadComments', `case ${caseIdentity(row)} (${list.message})`);
		return { ...row, comments: null };
	});
}
