import { numericId } from '../../api/identity';
import type { Row } from '../../api/types';
import { createEntry } from '../../api/writes/entryWrites';
import { caseField } from '../../fields/caseLocator';
import { authorOption } from '../../fields/caseValues';
import { commentText } from '../../fields/contents';
import { optionsField, PREVIEW_ONLY } from '../../fields/options';
import { detailOutput, shapeComment } from '../../fields/output';
import { writing } from '../define';
import { previewOfNew } from '../writeItems';

export const create = writing({
	name: 'Create',
	action: 'Create comment on case',
	description:
		'Add a comment to a case. Each run adds another one, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to comment on'),
		value: commentText('Text of the comment, in Markdown'),
		output: detailOutput('comment'),
		options: optionsField({
			author: authorOption('Who writes the comment'),
			previewOnly: PREVIEW_ONLY,
		}),
	},
	plan: ({ client }) => {
		const added = new Set<string>();
		return ({ caseId, value, output, options: { author, previewOnly } }) => ({
			caseId,
			carryOut: async () => {
				const creation = { value, ...author };
				if (previewOnly) return previewOfNew({ case_id: numericId(caseId) }, creation);
				const isSame = (row: Row) => row.value === value;
				const comment = await createEntry(client, caseId, 'comments', creation, isSame, added);
				return { row: shapeComment(comment, output), outcome: 'Written' };
			},
		});
	},
});
