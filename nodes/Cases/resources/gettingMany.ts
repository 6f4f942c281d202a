import { readDetails, readListOfCase, type CaseDetails } from '../api/cases/listsOfCase';
import { MAX_PAGE_SIZE, type Case, type Row } from '../api/types';
import { caseField } from '../fields/caseLocator';
import type { Field } from '../fields/form';
import { ACCEPT_INCOMPLETE, optionsField } from '../fields/options';
import { detailOutput, type DetailOutput } from '../fields/output';
import { isOfTypes, LIMIT } from '../fields/rows';
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

/**
 * Defines an operation that gets rows of which the case itself carries some. Requests for rows are sent only if it carries
 * fewer than are wanted.
 * @param types the types of rows that the user wants; none for all
 * @param typeName the field of a row that has its type
 */
export const gettingDetails = (
	given: Pick<Texts, 'description'> & {
		details: CaseDetails;
		noun: 'activity' | 'record';
		caseId: ReturnType<typeof caseField>;
		types: Field<string[]>;
		typeName: string;
		shape: (rows: Row[], row: Case, output: DetailOutput, isTool?: boolean) => Row[];
	},
): Definition =>
	readingCases({
		...given,
		name: 'Get Many',
		action: `Get many ${given.details} of case`,
		fields: {
			caseId: given.caseId,
			limit: LIMIT,
			types: given.types,
			output: detailOutput(given.noun),
			options: OPTIONS,
		},
		rows: async (run, { limit, types, output, options: { acceptIncomplete } }, row) => {
			const belongs = (one: Row) => isOfTypes(one[given.typeName], types);
			const reads = { limit, acceptIncomplete, belongs: types.length > 0 ? belongs : undefined };
			const { rows, observed } = await readDetails(run.client, row, given.details, reads);
			noteObserved(run, given.details, observed, rows.length);
			return given.shape(rows, row, output, run.isTool);
		},
	});
