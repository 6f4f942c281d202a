import { updateEntry } from '../../api/writes/caseWrites';
import { caseField } from '../../fields/caseLocator';
import { commentText } from '../../fields/contents';
import { commentIdField } from '../../fields/locators';
import { detailOutput, shapeComment } from '../../fields/output';
import { writingToCase } from '../define';

export const update = writingToCase({
	name: 'Update',
	action: 'Update comment on case',
	description:
		'Overwrite the text of a comment. Only its author or an administrator may, and the old text is lost.',
	fields: {
		caseId: caseField('The case with the comment'),
		commentId: commentIdField('ID of the comment to update'),
		value: commentText('New text of the comment, in Markdown. It replaces the old one'),
		output: detailOutput('comment'),
	},
	write: async (client, { caseId, commentId, value, output }) => {
		const comment = await updateEntry(client, caseId, 'comments', commentId, { value });
		return shapeComment(comment, output);
	},
});
