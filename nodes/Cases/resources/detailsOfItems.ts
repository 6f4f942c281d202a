import { readDetails, type CaseDetails } from '../api/cases/listsOfCase';
import type { Row } from '../api/types';
import { isOfTypes, readLimit, readSwitch, readTypes } from '../fields/options';
import { readDetailOutput, type DetailOutput } from '../fields/output';
import { noteObserved } from '../n8n/hints';
import { forEachItem, valueOf, type Result, type Run } from '../n8n/run';
import { caseIdsOfItems, readCasesOfItems } from './casesOfItems';

/** The parameter where the user chooses types, and the field of a row that has its type. */
const TYPES = {
	activities: ['activityTypes', 'activity_type'],
	records: ['recordTypes', 'record_type_name'],
} as const;

/**
 * Reads the activities or records of the cases of the input items. One request reads up to a page of cases. Further requests
 * are sent only for cases that carry fewer rows than an item wants.
 * @param shape makes an item of a row and the `case_id` of its case
 */
export async function readDetailsOfItems(
	run: Run,
	details: CaseDetails,
	shape: (row: Row, caseId: unknown, output: DetailOutput) => Row,
): Promise<Result[]> {
	const [parameter, typeField] = TYPES[details];
	const ids = caseIdsOfItems(run);
	const caseOf = await readCasesOfItems(run, ids);
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		const limit = readLimit(run, item);
		const chosen = readTypes(run, item, parameter);
		const output = readDetailOutput(run, item);
		const acceptIncomplete = readSwitch(run, item, 'acceptIncomplete');
		return await run.readShared({ caseId, limit, chosen, output, acceptIncomplete }, async () => {
			const row = caseOf(caseId);
			const { rows, observed } = await readDetails(run.client, row, details, {
				limit,
				acceptIncomplete,
				belongs: chosen.length === 0 ? undefined : (one) => isOfTypes(one[typeField], chosen),
			});
			noteObserved(run, details, observed, rows.length);
			return rows.map((one) => shape(one, row.case_id, output));
		});
	});
}
