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
export const deleting = ({
	noun,
	idField,
	advice,
	...texts
}: Omit<Texts, 'name'> & {
	noun: 'comment' | 'file' | 'task';
	idField: Field<string>;
	advice: string;
}): Definition =>
	writingToCase({
		...texts,
		name: 'Delete',
		fields: {
			caseId: caseField(`The case to delete a ${noun} of`),
			id: idField,
		},
		write: async (client, { caseId, id }) => {
			const what = `${noun[0].toUpperCase()}${noun.slice(1)} ${id} of case ${caseId}`;
			await deleteOrFail(client, `${listPath(caseId, `${noun}s`)}/${id}`, what, advice);
			return { case_id: numericId(caseId), [`${noun}_id`]: numericId(id), deleted: true };
		},
	});
