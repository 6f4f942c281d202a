import { numericId } from '../../api/identity';
import { linkCases } from '../../api/writes/linkWrites';
import { caseField } from '../../fields/caseLocator';
import { linkedCasesField } from '../../fields/contents/ids';
import { optionsField } from '../../fields/options';
import { writing } from '../define';

export const link = writing({
	name: 'Link',
	action: 'Link case',
	description: 'Link a case to other cases. Links that it already has stay.',
	fields: {
		caseId: caseField('The case to link'),
		linkedCaseIds: linkedCasesField('The cases to link it to'),
		options: optionsField({}),
	},
	plan:
		({ client }) =>
		({ caseId, linkedCaseIds }) => ({
			caseId,
			carryOut: async () => {
				const linked_cases = await linkCases(client, caseId, linkedCaseIds);
				return { row: { case_id: numericId(caseId), linked_cases }, outcome: 'Written' };
			},
		}),
});
