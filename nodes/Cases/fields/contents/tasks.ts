import { InvalidInput } from '../../api/failures/failure';
import type { Row } from '../../api/types';
import { allEmails, emails, fieldsOf, readValues, string, type Values } from '../caseValues';
import { collectionForm, field, readCollection } from '../form';
import { isBlank, parseSwitch, parseText } from '../values';

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

export const TASK_DESCRIPTION = field(
	{
		...text.form,
		displayName: 'Description',
		name: 'description',
		required: true,
		description: 'What is to be done, as plain text on one line. The service takes 100 characters.',
	},
	(value, label) => {
		const description = readText(value, label);
		if (!isBlank(description)) return description;
		throw new InvalidInput('The task has no description', 'Enter what is to be done.');
	},
);

/** The fields of a new task besides its description. */
export const TASK_FIELDS = field(
	collectionForm(
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			placeholder: 'Add Field',
			description: "More values of the new task. A field that is empty isn't sent.",
		},
		fieldsOf(ADDITIONAL),
	),
	(given, label, parameters) =>
		readValues(readCollection(given, label), ADDITIONAL, parameters, 'additionalFields'),
);

/** The fields of a task to change. At least one is given. */
export const TASK_UPDATE = field(
	collectionForm(
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			placeholder: 'Add Field',
			description:
				"What to change. An empty field isn't sent, so its value stays as it is. Completed is sent as it stands.",
		},
		fieldsOf(UPDATE),
	),
	(given, label, parameters): Row => {
		const update = readValues(readCollection(given, label), UPDATE, parameters, 'updateFields');
		if (Object.keys(update).length > 0) return update;
		throw new InvalidInput(
			'There is nothing to update',
			"Add a field under 'Update Fields' and give it a value. Empty fields are not sent.",
		);
	},
);
