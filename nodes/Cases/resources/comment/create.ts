import { InvalidInput } from '../../api/failures/failure';
import { createComment } from '../../api/writes/commentWrites';
import { caseField } from '../../fields/caseLocator';
import { COMMENT_AUTHOR } from '../../fields/caseValues';
import { field } from '../../fields/form';
import { optionsField } from '../../fields/options';
import { detailOutput, shapeComment } from '../../fields/output';
import { isBlank, parseText } from '../../fields/values';
import { writing } from '../define';

const TEXT = field(
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		description: 'Text of the comment, in Markdown. Everybody who sees the case can read it.',
	},
	(given, label) => {
		const text = parseText(given, label);
		if (!isBlank(text)) return text;
		throw new InvalidInput('The comment has no text', 'Enter the text of the comment.');
	},
);

export const create = writing({
	name: 'Create',
	action: 'Create comment on case',
	description:
		'Add a comment to a case. Each run adds another one, also when n8n retries the node.',
	fields: {
		caseId: caseField('The case to comment on'),
		value: TEXT,
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
