import { readListOfCase } from '../../api/cases/listsOfCase';
import { MAX_PAGE_SIZE } from '../../api/types';
import { caseField } from '../../fields/caseLocator';
import { LIMIT } from '../../fields/limit';
import { ACCEPT_INCOMPLETE, optionsField } from '../../fields/options';
import { detailOutput, shapeTask } from '../../fields/output';
import { noteObserved } from '../../n8n/hints';
import { reading } from '../define';
import { FULL_TEXTS } from '../fitting';

export const getAll = reading({
	name: 'Get Many',
	action: 'Get many tasks of case',
	description: 'Get the tasks of a case, done or not',
	fields: {
		caseId: caseField('The case to get the tasks of'),
		limit: LIMIT,
		output: detailOutput('task'),
		options: optionsField({ acceptIncomplete: ACCEPT_INCOMPLETE, fullTexts: FULL_TEXTS }),
	},
	rows: async (run, { caseId, limit, output, options: { acceptIncomplete } }) => {
		const reads = { limit, pageSize: MAX_PAGE_SIZE, acceptIncomplete };
		const { rows, observed } = await readListOfCase(run.client, caseId, 'tasks', reads);
		noteObserved(run, 'tasks', observed, rows.length);
		return rows.map((row) => shapeTask(row, output));
	},
});
