import { readDetails, readListOfCase, type CaseDetails } from '../api/cases/listsOfCase';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { caseField } from '../fields/caseLocator';
import type { Field } from '../fields/form';
import { LIMIT } from '../fields/limit';
import { ACCEPT_INCOMPLETE, optionsField } from '../fields/options';
import { detailOutput, type DetailOutput } from '../fields/output';
import { isOfTypes } from '../fields/types';
import { noteObserved } from '../n8n/hints';
import { reading, readingCases, type Definition, type Texts } from './define';
import { FULL_TEXTS } from './fitting';

const OPTIONS = optionsField({ acceptIncomplete: ACCEPT_INCOMPLETE, fullTexts: FULL_TEXTS });

/**
 * Defines an operation that gets a list of a case.
 * @param noun the name of a row, such as `comment`
 */
export const gettingList = (
	noun: 'comment' | 'file' | 'task',
	description: Texts['description'],
	shape: (row: Row, output: DetailOutput) => Row,
): Definition =>
	reading({
		name: 'Get Many',
		action: `Get many ${noun}s of case`,
		description,
		fields: {
			caseId: caseField(`The case to get the ${noun}s of`),
			limit: LIMIT,
			output: detailOutput(noun),
			options: OPTIONS,
		},
		rows: async (run, { caseId, limit, output, options: { acceptIncomplete } }) => {
			const reads = { limit, pageSize: MAX_PAGE_SIZE, acceptIncomplete };
			const { rows, observed } = await readListOfCase(run.client, caseId, `${noun}s`, reads);
			noteObserved(run, `${noun}s`, observed, rows.length);
			return rows.map((row) => shape(row, output));
		},
	});

/** Rows of a case of which the case itself carries some. */
interface Details {
	details: CaseDetails;
	noun: 'activity' | 'record';
	description: string;
	caseId: ReturnType<typeof caseField>;
	/** The types of rows that the user wants; none for all. */
	types: Field<string[]>;
	/** The field of a row that has its type. */
	typeName: string;
	/** Shapes the rows that were read of a case. */
	shape: (rows: Row[], row: Case, output: DetailOutput, isTool?: boolean) => Row[];
}

/** Defines an operation that gets such rows. Requests for rows are sent only if the case carries fewer than are wanted. */
export const gettingDetails = ({
	details,
	noun,
	caseId,
	types,
	typeName,
	shape,
	description,
}: Details): Definition =>
	readingCases({
		name: 'Get Many',
		action: `Get many ${details} of case`,
		description,
		fields: {
			caseId,
			limit: LIMIT,
			types,
			output: detailOutput(noun),
			options: OPTIONS,
		},
		rows: async (run, { limit, types: chosen, output, options: { acceptIncomplete } }, row) => {
			const { rows, observed } = await readDetails(run.client, row, details, {
				limit,
				acceptIncomplete,
				belongs: chosen.length === 0 ? undefined : (one) => isOfTypes(one[typeName], chosen),
			});
			noteObserved(run, details, observed, rows.length);
			return shape(rows, row, output, run.isTool);
		},
	});
