import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { formatTimestamp } from '../api/timestamps';
import { STATUSES, type Row } from '../api/types';
import type { CaseCreation, CaseUpdate } from '../api/writes/caseWrites';
import { parseDate } from './dates';
import { pairs } from './filters/filterKinds';
import { collectionField, readCollection, type FieldForm, type Show } from './form';
import type { Parameters } from './parameters';
import { locatedIn, readTeam, TEAM_LOCATOR, teamField } from './teamLocator';
import { asRecord, isBlank, listOf, parseChoice, parseId, parseNames, parseText } from './values';

/** How a value of a case is entered and read; a blank one isn't read. */
interface Kind {
	form: FieldForm;
	/** @throws InvalidInput */
	read: (value: unknown, label: string, timezone: string) => unknown;
}

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/;

function parseEmail(value: unknown, label: string): string {
	const email = parseText(value, label).trim();
	if (EMAIL.test(email)) return email;
	throw new InvalidInput(
		`'${label}': ${quote(email)} is not an email address`,
		'Enter addresses such as ada@acme.example.com, with commas between them, or use an expression that returns a list.',
	);
}

const string = (placeholder: string, read: Kind['read']): Kind => ({
	form: { type: 'string', default: '', placeholder },
	read,
});
/** The API's own values, which these requests want in lower case. */
const choice = (...values: string[]): Kind => ({
	form: {
		type: 'options',
		default: values[0],
		options: values.map((value) => ({ name: value[0] + value.slice(1).toLowerCase(), value })),
	},
	read: (value, label) => parseChoice(value, label, values).toLowerCase(),
});
const pairsOf = (placeholder: string): Kind => {
	const key = { placeholder, description: 'Name of the entry' };
	const value = { placeholder: 'e.g. 2026-1234', description: 'Value of the entry' };
	const { form, read } = pairs(key, value);
	return { form, read: (...given) => Object.fromEntries(read(...given) ?? []) };
};

const text = string('e.g. Phishing mail to finance', parseText);
const markdown: Kind = { ...text, form: { ...text.form, typeOptions: { rows: 4 } } };
/** Empty, it is a value as well. */
const replacedText: Kind = { ...markdown };
const email = string('e.g. ada@acme.example.com', parseEmail);
const emails = string('e.g. ada@acme.example.com', (value, label) =>
	parseNames(value, label).map((one) => parseEmail(one, label)),
);
/** A list keeps its entries as they are: a tag may contain commas. */
const tags = string('e.g. phishing, vip', parseNames);
const priority = choice('CRITICAL', 'HIGH', 'INFO', 'LOW', 'MEDIUM');
const date: Kind = {
	form: { type: 'dateTime', default: '' },
	read: (value, label, timezone) => formatTimestamp(parseDate(value, timezone, label) ?? NaN),
};
const idOrSlug = string('e.g. 7', (value, label) => {
	const id = parseText(value, label).trim();
	return /^\d{1,15}$/.test(id) ? Number(id) : id;
});
const team: Kind = {
	form: TEAM_LOCATOR,
	read: (value, label) => Number(parseId(value, 'team ID', label)),
};

const KEYS_USER = "By default the API key's user.";
const SEVERAL = 'Names with commas between them, or an expression that returns a list.';

type Values = Record<string, [label: string, kind: Kind, description: string]>;

const SHARED: Values = {
	priority: ['Priority', priority, 'How urgent the case is'],
	status: ['Status', choice(...STATUSES), 'Whether the case is open or closed'],
	opened_at: ['Opened At', date, 'When the case was opened'],
	author_email: ['Author Email', email, `Who creates or changes the case. ${KEYS_USER}`],
};

/** What a new case can get besides its team and name, by the API's own names. */
const ADDITIONAL: Values = {
	...SHARED,
	description: ['Description', markdown, 'Text of the case, in Markdown'],
	assignee_emails: ['Assignee Emails', emails, `Who the case is assigned to. ${KEYS_USER}`],
	tag_names: ['Tags', tags, `Tags of the case; they may be new. ${SEVERAL}`],
	metadata: ['Metadata', pairsOf('e.g. alert_id'), 'By which you can find the case again'],
	field_values: ['Custom Fields', pairsOf('e.g. 31'), 'Values by the input ID of a custom field'],
	template_id: ['Template ID', idOrSlug, 'ID or slug of the case template'],
};

/** What of a case can be changed, by the API's own names. */
const UPDATE: Values = {
	...SHARED,
	name: ['Name', text, 'New name of the case'],
	description: [
		'Description',
		replacedText,
		'New text of the case, in Markdown. It replaces the old one; an empty text removes it.',
	],
	team_id: ['Team', team, 'Team to move the case to'],
	assignee_emails: [
		'Assignee Emails (Replace All)',
		emails,
		'Everyone the case is assigned to from now on; all other assignees are removed. An expression that returns an empty list removes everyone.',
	],
	add_assignee_emails: ['Assignee Emails to Add', emails, 'The other assignees stay'],
	remove_assignee_emails: ['Assignee Emails to Remove', emails, 'The other assignees stay'],
	add_tag_names: ['Tags to Add', tags, `They may be new; the other tags stay. ${SEVERAL}`],
	remove_tag_names: ['Tags to Remove', tags, `The other tags stay. ${SEVERAL}`],
	resolved_at: ['Resolved At', date, 'When the case was resolved'],
};

function fieldOf(name: string, [displayName, { form }, description]: Values[string]) {
	return { ...form, displayName, name, description };
}

const fieldsOf = (values: Values) => Object.entries(values).map((entry) => fieldOf(...entry));

/** The fields of a new case. */
export const creationFields = (show: Show): INodeProperties[] => [
	{ ...teamField('Team that the new case belongs to'), displayOptions: { show } },
	{
		...fieldOf('name', ['Name', text, 'Name of the new case']),
		required: true,
		displayOptions: { show },
	},
	collectionField(
		show,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			placeholder: 'Add Field',
			description: "More values of the new case. A field that is empty isn't sent.",
		},
		fieldsOf(ADDITIONAL),
	),
];

export const updateFields = (show: Show): INodeProperties =>
	collectionField(
		show,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			placeholder: 'Add Field',
			description:
				"What to change. A field that is empty isn't sent and leaves its value as it is; an empty Description removes the text.",
		},
		fieldsOf(UPDATE),
	);

/** Who writes a comment, an entry of Options. */
export const AUTHOR_EMAIL = fieldOf('author_email', [
	'Author Email',
	email,
	`Who writes the comment. ${KEYS_USER}`,
]);

/** @throws InvalidInput */
export function readAuthorEmail(
	{ parameter }: Parameters,
	item: number,
): { author_email?: string } {
	const { author_email: value } = asRecord(parameter('options', item, {}));
	return isBlank(value) ? {} : { author_email: parseEmail(value, AUTHOR_EMAIL.displayName) };
}

/**
 * Reads the values that were added. One that is empty isn't sent, but for a text that replaces another, and a list that
 * an expression returns: these are meant.
 * @throws InvalidInput naming the field
 */
function readValues(given: Record<string, unknown>, values: Values, timezone: string): Row {
	const read: Row = {};
	for (const [name, [label, kind]] of Object.entries(values)) {
		const value = kind === team ? locatedIn(given[name]) : given[name];
		const isMeant = kind === replacedText && typeof value === 'string';
		if (isBlank(value) && !isMeant) continue;
		const parsed = kind.read(value, label, timezone);
		const isNothing = Array.isArray(parsed) && parsed.length === 0 && listOf(value)?.length !== 0;
		if (!isNothing) read[name] = parsed;
	}
	return read;
}

/** What a new case gets. @throws InvalidInput */
export function readCreation(parameters: Parameters, item: number): CaseCreation {
	const { parameter, timezone } = parameters;
	const name = parseText(parameter('name', item), 'Name');
	if (isBlank(name)) throw new InvalidInput('No name was given', 'Enter a name for the new case.');
	const team_id = Number(readTeam(parameters, item));
	const given = readCollection(parameter('additionalFields', item, {}), 'Additional Fields');
	return { team_id, name, ...readValues(given, ADDITIONAL, timezone) };
}

/** What of a case changes. @throws InvalidInput, also where nothing does */
export function readUpdate({ parameter, timezone }: Parameters, item: number): CaseUpdate {
	const given = readCollection(parameter('updateFields', item, {}), 'Update Fields');
	const update: CaseUpdate = readValues(given, UPDATE, timezone);
	if (Object.keys(update).every((field) => field === 'author_email')) {
		throw new InvalidInput(
			'There is nothing to update',
			"Add a field under 'Update Fields' and give it a value. Fields that are empty are not sent.",
		);
	}
	return update;
}
