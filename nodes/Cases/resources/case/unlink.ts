import { numericId } from '../../api/identity';
import { unlinkCases } from '../../api/writes/linkWrites';
import { caseField } from '../../fields/caseLocator';
import { linkedCasesField } from '../../fields/contents/ids';
import { optionsField } from '../../fields/options';
import { writing } from '../define';

export const unlink = writing({
	name: 'Unlink',
	action: 'Unlink case',
	description: 'Remove links of a case to other cases. The cases themselves stay.',
	fields: {
		caseId: caseField('The case to unlink'),
		linkedCaseIds: linkedCasesField('The cases whose links to it to remove'),
		options: optionsField({}),
	},
	plan:
		({ client }) =>
		({ caseId, linkedCaseIds }) => ({
			caseId,
			carryOut: async () => {
				const removed = await unlinkCases(client, caseId, linkedCaseIds);
				return { row: { case_id: numericId(caseId), removed }, outcome: 'Written' };
			},
		}),
});
