import { deleteOrFail } from '../../api/http/client';
import { commentsPath } from '../../api/http/requests';
import { numericId } from '../../api/identity';
import { caseField } from '../../fields/caseLocator';
import { field } from '../../fields/form';
import { optionsField } from '../../fields/options';
import { parseId } from '../../fields/values';
import { writing } from '../define';

const COMMENT_ID = field(
	{
		displayName: 'Comment ID',
		name: 'commentId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 815',
		description: "ID of the comment to delete, as Get Many returns it. This can't be undone.",
	},
	(value) => parseId(value, 'comment ID'),
);

const ADVICE =
	'Check the two IDs: Get Many of comments returns them. Older versions of the service have no request for single comments.';

export const deleteComment = writing({
	name: 'Delete',
	action: 'Delete comment on case',
	description: "Delete a comment by its ID. This can't be undone.",
	fields: {
		caseId: caseField('The case to delete a comment of'),
		commentId: COMMENT_ID,
		options: optionsField({}),
	},
	plan:
		({ client }) =>
		({ caseId, commentId }) => ({
			caseId,
			carryOut: async () => {
				const path = `${commentsPath(caseId)}/${commentId}`;
				await deleteOrFail(client, path, `Comment ${commentId} of case ${caseId}`, ADVICE);
				const row = { case_id: numericId(caseId), comment_id: numericId(commentId), deleted: true };
				return { row, outcome: 'Written' };
			},
		}),
});
