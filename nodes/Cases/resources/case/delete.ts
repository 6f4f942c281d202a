import { deleteOrFail } from '../../api/http/client';
import { CASES_PATH } from '../../api/http/requests';
import { numericId } from '../../api/identity';
import { caseField } from '../../fields/caseLocator';
import { writingToCase } from '../define';

export const deleteCase = writingToCase({
	name: 'Delete',
	action: 'Delete case',
	description:
		"Delete a case with everything in it, for everybody. This can't be undone; Close keeps the case.",
	fields: {
		caseId: caseField("The case to delete. This can't be undone"),
	},
	write: async (client, { caseId }) => {
		const advice = 'Check the ID, and what the key can see.';
		await deleteOrFail(client, `${CASES_PATH}/${caseId}`, advice);
		return { case_id: numericId(caseId), deleted: true };
	},
});
