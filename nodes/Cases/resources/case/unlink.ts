import { numericId } from '../../api/identity';
import { unlinkCases } from '../../api/writes/linkWrites';
import { caseField } from '../../fields/caseLocator';
import { linkedCasesField } from '../../fields/locators';
import { writingToCase } from '../define';

export const unlink = writingToCase({
	name: 'Unlink',
	action: 'Unlink case',
	description: 'Remove links of a case to other cases. The cases themselves stay.',
	fields: {
		caseId: caseField('The case to unlink'),
		linkedCaseIds: linkedCasesField('The cases whose links to it to remove'),
	},
	write: async (client, { caseId, linkedCaseIds }) => ({
		case_id: numericId(caseId),
		removed: await unlinkCases(client, caseId, linkedCaseIds),
	}),
});
