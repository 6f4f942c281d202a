import {
	additionalFields,
	allEmails,
	emails,
	requiredText,
	string,
	updateFields,
	type Values,
} from '../caseValues';
import { parseSwitch, parseText } from '../values';

/** The fields of a task. */

const readText = (value: unknown, label: string) => parseText(value, label).trim();
const text = string('e.g. Block the sender', readText);
const MEMBERS = "They must belong to the case's team, and are notified.";

const ADDITIONAL: Values = {
	assignee_emails: ['Assignee Emails', emails, `Who the task is assigned to. ${MEMBERS}`],
};

const UPDATE: Values = {
	description: ['Description', text, 'New text of the task. It replaces the old one.'],
	completed: [
		'Completed',
		{ form: { type: 'boolean', default: true }, read: parseSwitch },
		'Whether the task is done',
	],
	assignee_emails: [
		'Assignee Emails (All)',
		allEmails,
		`Everyone the task is assigned to from now on; all other assignees are removed. ${MEMBERS} An expression that returns an empty list removes everyone.`,
	],
};

export const TASK_DESCRIPTION = requiredText(
	{
		...text.form,
		displayName: 'Description',
		name: 'description',
		description: 'What is to be done, as plain text on one line. The service takes 100 characters.',
	},
	['The task has no description', 'Enter what is to be done.'],
	readText,
);

/** The fields of a new task besides its description. */
export const TASK_FIELDS = additionalFields(
	"More values of the new task. A field that is empty isn't sent.",
	ADDITIONAL,
);

/** The fields of a task to change. */
export const TASK_UPDATE = updateFields('Completed is sent as it stands.', UPDATE);
