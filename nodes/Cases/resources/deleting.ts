import { deleteOrFail } from '../api/http/client';
import { listPath } from '../api/http/requests';
import { numericId } from '../api/identity';
import { caseField } from '../fields/caseLocator';
import type { Field } from '../fields/form';
import { optionsField } from '../fields/options';
import { writing, type Definition, type Texts } from './define';

/**
 * Defines an operation that deletes a thing of a case by its ID.
 * @param noun its name in messages and in the output, such as `comment`
 * @param advice what to do where it isn't there
 */
export const deleting = (
	given: Texts & { noun: 'comment' | 'file' | 'task'; idField: Field<string>; advice: string },
): Definition =>
	writing({
		...given,
		fields: {
			caseId: caseField(`The case to delete a ${given.noun} of`),
			id: given.idField,
			options: optionsField({}),
		},
		plan:
			({ client }) =>
			({ caseId, id }) => ({
				caseId,
				carryOut: async () => {
					const { noun, advice } = given;
					const what = `${noun[0].toUpperCase()}${noun.slice(1)} ${id} of case ${caseId}`;
					await deleteOrFail(client, `${listPath(caseId, `${noun}s`)}/${id}`, what, advice);
					const row = { case_id: numericId(caseId), [`${noun}_id`]: numericId(id), deleted: true };
					return { row, outcome: 'Written' };
				},
			}),
	});
