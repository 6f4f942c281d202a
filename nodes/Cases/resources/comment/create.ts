import { createComment } from '../../api/writes/commentWrites';
import { caseField } from '../../fields/caseLocator';
import { COMMENT_AUTHOR } from '../../fields/caseValues';
import { commentText } from '../../fields/contents/comments';
import { optionsField } from '../../fields/options';
import { detailOutput, shapeComment } from '../../fields/output';
import { writing } from '../define';

export const create = writing({
	name: 'Create',
	action: 'Create comment on case',
	description:
		'Add a comment to a case. Each run adds another one, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to comment on'),
		value: commentText('Text of the comment, in Markdown'),
		output: detailOutput('comment'),
		options: optionsField({ author: COMMENT_AUTHOR }),
	},
	plan: ({ client }) => {
		const added = new Set<string>();
		return ({ caseId, value, output, options: { author } }) => ({
			caseId,
			carryOut: async () => {
				const comment = await createComment(client, caseId, { value, ...author }, added);
				return { row: shapeComment(comment, output), outcome: 'Written' };
			},
		});
	},
});
