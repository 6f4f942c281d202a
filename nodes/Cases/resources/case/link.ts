import { numericId } from '../../api/identity';
import { linkCases } from '../../api/writes/linkWrites';
import { caseField } from '../../fields/caseLocator';
import { linkedCasesField } from '../../fields/locators';
import { writingToCase } from '../define';

export const link = writingToCase({
	name: 'Link',
	action: 'Link case',
	description: 'Link a case to other cases. Links that it already has stay.',
	fields: {
		caseId: caseField('The case to link'),
		linkedCaseIds: linkedCasesField('The cases to link it to'),
	},
	write: async (client, { caseId, linkedCaseIds }) => ({
		case_id: numericId(caseId),
		linked_cases: await linkCases(client, caseId, linkedCaseIds),
	}),
});
