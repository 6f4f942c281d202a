import { requiredText } from '../caseValues';

/** The field Text. @param description what the text does */
export const commentText = (description: string) =>
	requiredText(
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			description: `${description}. Everybody who sees the case can read it.`,
		},
		['The comment has no text', 'Enter the text of the comment.'],
	);
