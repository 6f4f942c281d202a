import { deleteOrFail } from '../../api/http/client';
import { casesOfRecordPath } from '../../api/http/requests';
import { numericId } from '../../api/identity';
import { caseField } from '../../fields/caseLocator';
import { RECORD_ID } from '../../fields/contents/ids';
import { optionsField } from '../../fields/options';
import { writing } from '../define';

export const unlink = writing({
	name: 'Remove from Case',
	action: 'Remove record from case',
	description: 'Remove a record from a case. The record itself stays, also on other cases.',
	fields: {
		caseId: caseField('The case to remove the record from'),
		recordId: RECORD_ID,
		options: optionsField({}),
	},
	plan:
		({ client }) =>
		({ caseId, recordId }) => ({
			caseId,
			carryOut: async () => {
				const path = `${casesOfRecordPath(recordId)}/${caseId}`;
				const what = `Record ${recordId} or case ${caseId}`;
				await deleteOrFail(client, path, what, 'Check the two IDs.');
				const row = { case_id: numericId(caseId), record_id: numericId(recordId), linked: false };
				return { row, outcome: 'Written' };
			},
		}),
});
