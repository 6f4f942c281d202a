import { casesOfRecordPath } from '../../api/http/requests';
import { numericId } from '../../api/identity';
import { caseField } from '../../fields/caseLocator';
import { RECORD_ID } from '../../fields/locators';
import { writingToCase } from '../define';

export const link = writingToCase({
	name: 'Add to Case',
	action: 'Add record to case',
	description: 'Add a record that is there already to a case. If the case has it, nothing changes.',
	fields: {
		caseId: caseField('The case to add the record to'),
		recordId: RECORD_ID,
	},
	write: async (client, { caseId, recordId }) => {
		const case_id = numericId(caseId);
		await client.send({ method: 'POST', path: casesOfRecordPath(recordId), body: { case_id } });
		return { case_id, record_id: numericId(recordId), linked: true };
	},
});
