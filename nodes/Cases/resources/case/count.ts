import { countCases } from '../../api/cases/cases';
import { MAX_PAGE_SIZE } from '../../api/types';
import { FILTERS_TO_SEND } from '../../fields/filters/filters';
import { ACCEPT_INCOMPLETE, optionsField } from '../../fields/options';
import { noteObserved } from '../../n8n/hints';
import { reading } from '../define';

export const count = reading({
	name: 'Count',
	action: 'Count cases',
	description: 'Count the cases that match the filters',
	fields: {
		filters: FILTERS_TO_SEND,
		options: optionsField({ acceptIncomplete: ACCEPT_INCOMPLETE }),
	},
	rows: async (run, { filters, options: { acceptIncomplete } }) => {
		const reads = { pageSize: MAX_PAGE_SIZE, acceptIncomplete };
		const { count: found, observed } = await countCases(run.client, filters, reads);
		noteObserved(run, 'cases', observed);
		return [{ count: found }];
	},
});
