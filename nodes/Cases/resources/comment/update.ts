import { updateEntry } from '../../api/writes/caseWrites';
import { caseField } from '../../fields/caseLocator';
import { commentIdField, commentText } from '../../fields/contents/comments';
import { optionsField } from '../../fields/options';
import { detailOutput, shapeComment } from '../../fields/output';
import { writing } from '../define';

export const update = writing({
	name: 'Update',
	action: 'Update comment on case',
	description:
		'Overwrite the text of a comment. Only its author or an administrator may, and the old text is lost.',
	fields: {
		caseId: caseField('The case with the comment'),
		commentId: commentIdField('ID of the comment to update'),
		value: commentText('New text of the comment, in Markdown. It replaces the old one'),
		output: detailOutput('comment'),
		options: optionsField({}),
	},
	plan:
		({ client }) =>
		({ caseId, commentId, value, output }) => ({
			caseId,
			carryOut: async () => {
				const comment = await updateEntry(client, caseId, 'comments', commentId, { value });
				return { row: shapeComment(comment, output), outcome: 'Written' };
			},
		}),
});
