import type { INodeProperties } from 'n8n-workflow';

import { deleteOrFail } from '../../api/http/client';
import { commentsPath } from '../../api/http/requests';
import { caseIdOf } from '../../api/identity';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { parseId } from '../../fields/values';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems, type Done, type Write } from '../writeItems';

const show = { resource: ['comment'], operation: ['delete'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to delete a comment of'),
	{
		displayName: 'Comment ID',
		name: 'commentId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 815',
		displayOptions: { show },
		description: "ID of the comment to delete, as Get Many returns it. This can't be undone.",
	},
	optionsField(show),
];

const ADVICE =
	'Check the two IDs: Get Many of comments returns them. Older versions of the service have no request for single comments.';

export const execute: Operation = async (run) => {
	const { client } = run;
	const checked = checkItems(run, (item): Write => {
		const caseId = readCaseId(run, item, client.tenant.baseUrl);
		const commentId = parseId(run.parameter('commentId', item), 'comment ID');
		const carryOut = async (): Promise<Done> => {
			const path = `${commentsPath(caseId)}/${commentId}`;
			await deleteOrFail(client, path, `Comment ${commentId} of case ${caseId}`, ADVICE);
			const row = { case_id: caseIdOf(caseId), comment_id: caseIdOf(commentId), deleted: true };
			return { row, outcome: 'Written' };
		};
		return { caseId, carryOut };
	});
	return await writeItems(run, checked);
};
