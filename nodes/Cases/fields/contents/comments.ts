import { InvalidInput } from '../../api/failures/failure';
import { field } from '../form';
import { isBlank, parseText } from '../values';
import { idField } from './ids';

/** The fields of a comment. */

export const commentIdField = (description: string) =>
	idField('commentId', 'Comment ID', 'comment', `${description}, as Get Many returns it`);

/** The field Text. @param description what the text does */
export const commentText = (description: string) =>
	field(
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			description: `${description}. Everybody who sees the case can read it.`,
		},
		(given, label) => {
			const text = parseText(given, label);
			if (!isBlank(text)) return text;
			throw new InvalidInput('The comment has no text', 'Enter the text of the comment.');
		},
	);
