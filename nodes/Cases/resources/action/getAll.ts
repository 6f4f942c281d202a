import { actionRow, readActions } from '../../api/actions/singleActions';
import { caseField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { reading } from '../define';
import { FULL_TEXTS } from '../fitting';

export const getAll = reading({
	name: 'Get Many',
	action: 'Get many case actions',
	description: 'Get the actions of a case, with their button texts',
	fields: {
		caseId: caseField('The case to get the actions of'),
		options: optionsField({ fullTexts: FULL_TEXTS }),
	},
	rows: async ({ client }, { caseId }) => {
		const actions = await readActions(client, caseId);
		return actions.map((action) => actionRow(caseId, action));
	},
});
