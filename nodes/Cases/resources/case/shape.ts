import {
	loadDetails,
	type CaseDetails,
	mayHaveMoreDetails,
	readListOfCase,
} from '../../api/cases/listsOfCase';
import { ApiFailure, isOfOneCase, quote } from '../../api/failures/failure';
import { caseIdentity } from '../../api/identity';
import { MAX_PAGE_SIZE, type Case, type Row } from '../../api/types';
import type { ValuesOf } from '../../fields/form';
import { ACCEPT_INCOMPLETE, switchOption, type Option } from '../../fields/options';
import { CASE_OUTPUT, hasField, shapeCase, shapeComment, type Output } from '../../fields/output';
import { parseChoice, parseEach } from '../../fields/values';
import { noteObserved, type Notes } from '../../n8n/hints';
import type { Run } from '../../n8n/run';
import { FULL_TEXTS } from '../fitting';

/** If so many requests for comments fail in a row, the reason isn't a single case. */
const MOST_FAILED_IN_A_ROW = 10;

/** The option Load in Full: which lists of a case to read beyond their first page, as far as the output has them. */
const LOAD_IN_FULL: Option<CaseDetails[]> = {
	form: {
		displayName: 'Load in Full',
		name: 'loadInFull',
		type: 'multiOptions',
		default: [],
		displayOptions: { hide: { '/output': ['simplified'] } },
		options: [
			{ name: 'Activities', value: 'activities' },
			{ name: 'Records', value: 'records' },
		],
		description:
			'A case includes only the first page of its activities and records. Choose which to load completely; this takes extra requests.',
	},
	read: (added, parameters, item) =>
		parseEach('loadInFull' in added ? added.loadInFull : [], 'Load in Full', (one, label) =>
			parseChoice(one, label, ['activities', 'records'] as const),
		).filter((details) => hasField(CASE_OUTPUT.read(parameters, item), details)),
};

/** The options of operations that return cases. */
export const WANTED = {
	acceptIncomplete: ACCEPT_INCOMPLETE,
	fullTexts: FULL_TEXTS,
	withComments: switchOption(
		'includeComments',
		'Include Comments',
		'Whether to return all comments of each case, in a field named comments. Takes at least one more request for each case.',
	),
	details: LOAD_IN_FULL,
};

/** What an input item wants of its cases. */
type Wanted = Omit<ValuesOf<typeof WANTED>, 'fullTexts'> & { output: Output };

/** Creates a function that shapes cases for the output, and hints at what the user may miss in the output. */
export function createShape(
	notes: Notes,
	{ output, details, withComments }: Wanted,
): (row: Case) => Row {
	const notLoaded = (['activities', 'records'] as const).filter(
		(one) => hasField(output, one) && !details.includes(one),
	);
	const chosen = output.mode === 'selected' ? output.fields : [];
	const fields = chosen.filter((field) => !(withComments && field === 'comments'));
	return (row) => {
		if (notLoaded.some((one) => row[one] && mayHaveMoreDetails(row, one))) {
			notes.hint('moreDetails', caseIdentity(row));
		}
		for (const field of fields) {
			if (!Object.hasOwn(row, field)) notes.hint('unknownField', quote(field));
		}
		return shapeCase(row, output);
	};
}

/** Loads the wanted details of cases in full, then shapes the cases and adds their comments. */
export async function completeCases(run: Run, cases: Case[], wanted: Wanted): Promise<Row[]> {
	const { client, notes } = run;
	const shape = createShape(notes, wanted);
	const shaped = await client.map(cases.length, async (index) => {
		let row = cases[index];
		for (const details of wanted.details) {
			const loaded = await loadDetails(client, row, details, wanted.acceptIncomplete);
			row = loaded.row;
			noteObserved(run, details, loaded.observed);
		}
		return shape(row);
	});
	return await addComments(run, shaped, wanted);
}

/**
 * Adds all comments, if they are wanted, to cases that are shaped for the output. If the comments of a single case can't be
 * read, its field `comments` is null.
 * @throws ApiFailure where the comments of no case can be read, or a failure doesn't concern a single case
 */
export async function addComments(
	run: Run,
	cases: Row[],
	{ output, withComments, acceptIncomplete }: Wanted,
): Promise<Row[]> {
	const { client, notes } = run;
	if (!withComments) return cases;
	const commentOutput = output.mode === 'simplified' ? 'simplified' : 'raw';
	const reads = { pageSize: MAX_PAGE_SIZE, acceptIncomplete };
	const failures: ApiFailure[] = [];
	let failedInARow = 0;
	const withAll = async (row: Row): Promise<Row> => {
		const { rows, observed } = await readListOfCase(client, String(row.case_id), 'comments', reads);
		noteObserved(run, 'comments', observed);
		failedInARow = 0;
		return { ...row, comments: rows.map((one) => shapeComment(one, commentOutput)) };
	};
	const completed = await client.map(cases.length, async (index) =>
		withAll(cases[index]).catch((failure: unknown): Row => {
			if (!(failure instanceof ApiFailure && isOfOneCase(failure))) throw failure;
			if (failure.details.retryable) failedInARow++;
			if (failedInARow === MOST_FAILED_IN_A_ROW) throw failure;
			failures.push(failure);
			notes.hint('unreadComments', `case ${caseIdentity(cases[index])} (${failure.message})`);
			return { ...cases[index], comments: null };
		}),
	);
	if (failures.length > 0 && failures.length === cases.length) throw failures[0];
	return completed;
}
