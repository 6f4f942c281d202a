import { readCases } from '../../api/cases/cases';
import type { Case } from '../../api/types';
import { FILTERS_TO_SEND } from '../../fields/filters/filters';
import { LIMIT, ORDER } from '../../fields/rows';
import { optionsField, PAGE_SIZE } from '../../fields/options';
import { CASE_OUTPUT } from '../../fields/output';
import { noteObserved } from '../../n8n/hints';
import { reading } from '../define';
import { addComments, completeCases, createShape, WANTED } from './shape';

export const getAll = reading({
	name: 'Get Many',
	action: 'Get many cases',
	description: 'Get the cases that match the filters',
	fields: {
		limit: LIMIT,
		order: ORDER,
		filters: FILTERS_TO_SEND,
		output: CASE_OUTPUT,
		options: optionsField({ pageSize: PAGE_SIZE, ...WANTED }),
	},
	rows: async (run, { limit, order, filters, output, options }) => {
		const { pageSize, acceptIncomplete } = options;
		const wanted = { output, ...options };
		// A shaped case takes less memory, so unless details are to be loaded, cases are shaped as they come.
		const isShapedLater = wanted.details.length > 0;
		const shape = isShapedLater ? (row: Case) => row : createShape(run.notes, wanted);
		const reads = { limit, pageSize, acceptIncomplete, shape };
		const { rows, observed } = await readCases(run.client, { ...filters, order }, reads);
		noteObserved(run, 'cases', observed, rows.length);
		if (rows.length === 0 && filters.filters.assigned_to_me) {
			run.notes.hint('nothing', "'Assigned to Me' needs a personal API key.");
		}
		return await (isShapedLater ? completeCases : addComments)(run, rows, wanted);
	},
});
