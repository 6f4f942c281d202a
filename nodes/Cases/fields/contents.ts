// Fields of what a case holds.

import { requiredText, string } from './caseValues';
import { textForm } from './form';
import { parseText, type Parse } from './values';

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
		parseText,
		['The comment has no text', 'Enter the text of the comment.'],
	);

/** The field with the name of a binary field of items. */
export const binaryField = <T>(label: string, name: string, text: string, parse: Parse<T>) =>
	requiredText({ ...textForm(name, label, 'e.g. data', text), default: 'data' }, parse, [
		`'${label}' has no name`,
		'Enter a name, such as data.',
	]);

/** The text of a task. */
export const TASK_TEXT = string('e.g. Block the sender', (value, label) =>
	parseText(value, label).trim(),
);

export const MEMBERS = "They must belong to the case's team, and are notified.";
