import { readListOfCase } from '../api/cases/listsOfCase';
import { MAX_PAGE_SIZE, type Row } from '../api/types';
import { caseField } from '../fields/caseLocator';
import { LIMIT } from '../fields/limit';
import { ACCEPT_INCOMPLETE, optionsField } from '../fields/options';
import { detailOutput, type DetailOutput } from '../fields/output';
import { noteObserved } from '../n8n/hints';
import { reading, type Definition, type Texts } from './define';
import { FULL_TEXTS } from './fitting';

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
			options: optionsField({ acceptIncomplete: ACCEPT_INCOMPLETE, fullTexts: FULL_TEXTS }),
		},
		rows: async (run, { caseId, limit, output, options: { acceptIncomplete } }) => {
			const reads = { limit, pageSize: MAX_PAGE_SIZE, acceptIncomplete };
			const { rows, observed } = await readListOfCase(run.client, caseId, `${noun}s`, reads);
			noteObserved(run, `${noun}s`, observed, rows.length);
			return rows.map((row) => shape(row, output));
		},
	});
