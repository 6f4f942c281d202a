import type { CaseDetails } from '../api/cases/caseDetails';
import { readDetails } from '../api/cases/caseDetails';
import type { Row } from '../api/types';
import { isOfTypes, readLimit, readSwitch, readTypes } from '../fields/options';
import { readDetailOutput, type DetailOutput } from '../fields/output';
import { noteRead, noteReadOfCase } from '../n8n/hints';
import { forEachItem, valueOf, type Result, type Run } from '../n8n/run';
import { caseIdsOfItems, groupItems, readCasesOfItems } from './casesOfItems';

/** How the details of one kind become items. */
interface DetailsOutput {
	details: CaseDetails;
	/** The field that chooses their types, and where a row has its type. */
	types: 'activityTypes' | 'recordTypes';
	typeOf: (row: Row) => unknown;
	/** @param caseId the `case_id` of the case */
	shape: (row: Row, caseId: unknown, output: DetailOutput) => Row[];
}

/**
 * Reads the activities or records of the cases that the items name: up to a page of cases to a request, and further pages
 * only of the cases that carry fewer than an item wants.
 */
export async function readDetailsOfItems(
	run: Run,
	{ details, types, typeOf, shape }: DetailsOutput,
): Promise<Result[]> {
	const ids = caseIdsOfItems(run);
	const caseOf = await readCasesOfItems(run, groupItems(ids));
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		const limit = readLimit(run, item);
		const chosen = readTypes(run, item, types);
		const output = readDetailOutput(run, item);
		const acceptIncomplete = readSwitch(run, item, 'acceptIncomplete');
		return await run.readOnce({ caseId, limit, chosen, output, acceptIncomplete }, async () => {
			const row = caseOf(caseId);
			const { rows, observed } = await readDetails(run.client, row, details, {
				limit,
				acceptIncomplete,
				belongs: chosen.length === 0 ? undefined : (one) => isOfTypes(typeOf(one), chosen),
			});
			if (chosen.length > 0) noteRead(run.notes, rows.length, observed);
			else noteReadOfCase(run.notes, caseId, rows.length, observed);
			return rows.flatMap((one) => shape(one, row.case_id, output));
		});
	});
}
