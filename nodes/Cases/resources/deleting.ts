import { deleteOrFail } from '../api/http/client';
import { listPath } from '../api/http/requests';
import { numericId } from '../api/identity';
import { caseField } from '../fields/caseLocator';
import type { Field } from '../fields/form';
import { writingToCase, type Definition, type Texts } from './define';

/**
 * Defines an operation that deletes a thing of a case by its ID.
 * @param noun its name in messages and in the output
 * @param advice what to do where it isn't there
 */
export const deleting = (
	given: Omit<Texts, 'name'> & {
		noun: 'comment' | 'file' | 'task';
		idField: Field<string>;
		advice: string;
	},
): Definition =>
	writingToCase({
		...given,
		name: 'Delete',
		fields: { caseId: caseField(`The case to delete a ${given.noun} of`), id: given.idField },
		write: async (client, { caseId, id }) => {
			const { noun, advice } = given;
			await deleteOrFail(client, `${listPath(caseId, `${noun}s`)}/${id}`, advice);
			return { case_id: numericId(caseId), [`${noun}_id`]: numericId(id), deleted: true };
		},
	});
