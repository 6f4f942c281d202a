import { deleteOrFail } from '../../api/http/client';
import { casesOfRecordPath } from '../../api/http/requests';
import { numericId } from '../../api/identity';
import { caseField } from '../../fields/caseLocator';
import { RECORD_ID } from '../../fields/locators';
import { writingToCase } from '../define';

export const unlink = writingToCase({
	name: 'Remove from Case',
	action: 'Remove record from case',
	description: 'Remove a record from a case. The record itself stays, also on other cases.',
	fields: {
		caseId: caseField('The case to remove the record from'),
		recordId: RECORD_ID,
	},
	write: async (client, { caseId, recordId }) => {
		const path = `${casesOfRecordPath(recordId)}/${caseId}`;
		await deleteOrFail(client, path, 'Check the two IDs.');
		return { case_id: numericId(caseId), record_id: numericId(recordId), linked: false };
	},
});
