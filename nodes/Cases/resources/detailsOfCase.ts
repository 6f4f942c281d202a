import { readDetails, type CaseDetails } from '../api/cases/listsOfCase';
import type { Case, Row } from '../api/types';
import { isOfTypes } from '../fields/types';
import { noteObserved } from '../n8n/hints';
import type { Run } from '../n8n/run';

/** The field of a row that has its type. */
const TYPE = { activities: 'activity_type', records: 'record_type_name' };

/** Which rows of a case an input item wants. Without types, rows of all types. */
interface Wanted {
	limit?: number;
	types: string[];
	options: { acceptIncomplete: boolean };
}

/** Reads the activities or records of a case. Requests are sent only if the case carries fewer rows than are wanted. */
export async function readDetailsOfCase(
	run: Run,
	row: Case,
	details: CaseDetails,
	{ limit, types, options: { acceptIncomplete } }: Wanted,
): Promise<Row[]> {
	const { rows, observed } = await readDetails(run.client, row, details, {
		limit,
		acceptIncomplete,
		belongs: types.length === 0 ? undefined : (one) => isOfTypes(one[TYPE[details]], types),
	});
	noteObserved(run, details, observed, rows.length);
	return rows;
}
