import {
	areDetailsTruncated,
	idOfCase,
	loadDetails,
	mayHaveMoreDetails,
	type CaseDetails,
} from '../../api/caseDetails';
import { readComments } from '../../api/comments';
import { caseIdentity } from '../../api/identity';
import { MAX_PAGE_SIZE, type Case, type Row } from '../../api/types';
import {
	CASE_FIELD_NAMES,
	hasField,
	shapeCase,
	shapeComment,
	type Output,
} from '../../fields/output';
import { noteObserved, type Notes } from '../../n8n/hints';
import type { Run } from '../../n8n/run';

const ALL_DETAILS: CaseDetails[] = ['activities', 'records'];

/**
 * Creates a function that shapes cases for the output, and notes what the user might miss in it.
 * @param loaded lists that are loaded in full, comments among them
 */
export function createShape(notes: Notes, output: Output, loaded: string[]): (row: Case) => Row {
	const notLoaded = ALL_DETAILS.filter(
		(details) => hasField(output, details) && !loaded.includes(details),
	);
	const oddFields =
		output.mode === 'selected'
			? output.fields.filter(
					(field) => ![...CASE_FIELD_NAMES, 'case_id', ...loaded].includes(field),
				)
			: [];
	return (row) => {
		if (notLoaded.some((details) => areDetailsTruncated(row, details))) {
			notes.truncatedCases.add(caseIdentity(row));
		} else if (notLoaded.some((details) => row[details] && mayHaveMoreDetails(row, details))) {
			notes.mayHaveMore = true;
		}
		for (const field of oddFields) if (!Object.hasOwn(row, field)) notes.unknownFields.add(field);
		return shapeCase(row, output);
	};
}

/** Loads details of cases in full, several cases at a time, and then shapes the cases for the output. */
export async function completeCases(
	{ client, notes }: Run,
	cases: Case[],
	toLoad: CaseDetails[],
	shape: (row: Case) => Row,
): Promise<Row[]> {
	return await client.map(cases.length, async (index) => {
		let row = cases[index];
		for (const details of toLoad) {
			const loaded = await loadDetails(client, row, details);
			row = loaded.row;
			noteObserved(notes, 1, loaded.observed);
		}
		return shape(row);
	});
}

/** Adds all comments to cases that are shaped for the output, several cases at a time. */
export async function addComments(
	{ client, notes }: Run,
	cases: Row[],
	{ mode }: Output,
): Promise<Row[]> {
	const commentOutput = mode === 'simplified' ? 'simplified' : 'raw';
	return await client.map(cases.length, async (index) => {
		const row = cases[index];
		const { rows, observed } = await readComments(client, idOfCase(row, 'comments'), {
			pageSize: MAX_PAGE_SIZE,
		});
		noteObserved(notes, rows.length, observed);
		return { ...row, comments: rows.map((comment) => shapeComment(comment, commentOutput)) };
	});
}
