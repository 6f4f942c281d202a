import { caseIdentity } from '../../api/identity';
import { isPartCut, loadPart, type CasePart } from '../../api/caseDetails';
import { hasField, shapeCase, type Output } from '../../fields/output';
import { mapConcurrently } from '../../api/pool';
import type { Case, Row } from '../../api/types';
import { CASE_FIELD_NAMES } from '../../fields/descriptions';
import { noteRead, type Notes } from '../../n8n/hints';
import type { Run } from '../../n8n/run';

const PARTS: CasePart[] = ['activities', 'records'];

/**
 * Cuts cases to the output, and notes what the user would miss in it.
 * @param loaded parts that are read whole
 */
export function createShape(notes: Notes, output: Output, loaded: CasePart[]): (row: Case) => Row {
	const partsLeft = PARTS.filter((part) => hasField(output, part) && !loaded.includes(part));
	const oddFields =
		output.mode === 'selected'
			? output.fields.filter((field) => !CASE_FIELD_NAMES.includes(field) && field !== 'case_id')
			: [];
	return (row) => {
		if (partsLeft.some((part) => isPartCut(row, part))) notes.truncatedCases.add(caseIdentity(row));
		for (const field of oddFields) if (!Object.hasOwn(row, field)) notes.unknownFields.add(field);
		return shapeCase(row, output);
	};
}

/** Reads parts of cases whole, several cases at a time, and then cuts the cases to the output. */
export async function completeCases(
	{ client, notes }: Run,
	cases: Case[],
	parts: CasePart[],
	shape: (row: Case) => Row,
): Promise<Row[]> {
	return await mapConcurrently(cases.length, client.concurrency, async (index) => {
		let row = cases[index];
		for (const part of parts) {
			const loaded = await loadPart(client, row, part);
			row = loaded.row;
			if (loaded.observed) noteRead(notes, 1, loaded.observed);
		}
		return shape(row);
	});
}
