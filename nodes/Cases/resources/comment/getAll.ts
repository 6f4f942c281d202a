import { readComments } from '../../api/cases/listsOfCase';
import { MAX_PAGE_SIZE } from '../../api/types';
import { caseField } from '../../fields/caseLocator';
import { LIMIT } from '../../fields/limit';
import { ACCEPT_INCOMPLETE, optionsField } from '../../fields/options';
import { detailOutput, shapeComment } from '../../fields/output';
import { noteObserved } from '../../n8n/hints';
import { reading } from '../define';
import { FULL_TEXTS } from '../fitting';

export const getAll = reading({
	name: 'Get Many',
	action: 'Get many comments of case',
	description: 'Get the comments of a case',
	fields: {
		caseId: caseField('The case to get the comments of'),
		limit: LIMIT,
		output: detailOutput('comment'),
		options: optionsField({ acceptIncomplete: ACCEPT_INCOMPLETE, fullTexts: FULL_TEXTS }),
	},
	rows: async (run, { caseId, limit, output, options: { acceptIncomplete } }) => {
		const reads = { limit, pageSize: MAX_PAGE_SIZE, acceptIncomplete };
		const { rows, observed } = await readComments(run.client, caseId, reads);
		noteObserved(run, 'comments', observed, rows.length);
		return rows.map((row) => shapeComment(row, output));
	},
});
