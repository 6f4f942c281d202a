import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import { formatTimestamp } from '../api/timestamps';
import { STATUSES, type Row } from '../api/types';
import type { CaseUpdate } from '../api/writes/caseWrites';
import { parseDate } from './dates';
import { pairs } from './filterKinds';
import { alphabetically, ONLY_WHAT_IS_ADDED, readCollection, WHOLE_COLLECTION } from './form';
import type { FieldForm, Show } from './form';
import type { Parameters } from './parameters';
import { asRecord, isBlank, listOf, parseId, parseText, splitEntries } from './values';

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

/** A list keeps its entries as they are: a tag may contain commas. */
function parseTags(value: unknown, label: string): string[] {
	const entries = listOf(value) ?? parseText(value, label).split(',');
	const names = entries.filter((entry) => !isBlank(entry)).map((one) => parseText(one, label));
	return [...new Set(names.map((name) => name.trim()))];
}

/** One of the API's own values, which these requests want in lower case. */
function parseChoice(values: readonly string[], value: unknown, label: string): string {
	const chosen = parseText(value, label).trim().toUpperCase();
	if (values.includes(chosen)) return chosen.toLowerCase();
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not one of ${values.join(', ')}`,
		'Choose one of them. Upper and lower case are the same.',
	);
}

const string = (placeholder: string, read: Kind['read']): Kind => ({
	form: { type: 'string', default: '', placeholder },
	read,
});
const choice = (...values: string[]): Kind => ({
	form: {
		type: 'options',
		default: values[0],
		options: values.map((value) => ({ name: value[0] + value.slice(1).toLowerCase(), value })),
	},
	read: (value, label) => parseChoice(values, value, label),
});
const pairsOf = (placeholder: string): Kind => {
	const key = { placeholder, description: 'Name of the entry' };
	const value = { placeholder: 'e.g. 2026-1234', description: 'Value of the entry' };
	const { form, read } = pairs(key, value, '');
	return { form, read: (...given) => Object.fromEntries(read(...given) ?? []) };
};

const text = string('e.g. Phishing mail to finance', parseText);
const markdown: Kind = { ...text, form: { ...text.form, typeOptions: { rows: 4 } } };
const email = string('e.g. ada@acme.example.com', parseEmail);
const emails = string('e.g. ada@acme.example.com', (value, label) => [
	...new Set(splitEntries(value).map((entry) => parseEmail(entry, label))),
]);
const tags = string('e.g. phishing, vip', parseTags);
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
	form: {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a team…',
				typeOptions: { searchListMethod: 'searchTeams', searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 12' },
		],
	},
	read: (value, label) => Number(parseId(locatedIn(value), 'team ID', label)),
};

/** The value of a team locator, or of an expression in place of it. */
function locatedIn(value: unknown): unknown {
	return typeof value === 'object' && value !== null ? asRecord(value).value : value;
}

const KEYS_USER = "By default the API key's user.";
const SEVERAL = 'Names with commas between them, or an expression that returns a list.';

type Values = Record<string, [label: string, kind: Kind, description: string]>;

const SHARED: Values = {
	description: ['Description', markdown, 'Text of the case, in Markdown'],
	priority: ['Priority', priority, 'How urgent the case is'],
	status: ['Status', choice(...STATUSES), 'Whether the case is open or closed'],
	opened_at: ['Opened At', date, 'When the case was opened'],
	author_email: ['Author Email', email, `Who creates or changes the case. ${KEYS_USER}`],
};

/** What a new case can get besides its team and name, by the API's own names. */
const ADDITIONAL: Values = {
	...SHARED,
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

function collection(
	show: Show,
	displayName: string,
	name: string,
	values: Values,
	description: string,
): INodeProperties {
	const fields = Object.entries(values).map((entry) => fieldOf(...entry));
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		builderHint: ONLY_WHAT_IS_ADDED,
		displayOptions: { show },
		description,
		options: [...alphabetically(fields), WHOLE_COLLECTION],
	};
}

/** The field Team. */
export const teamField = (description: string): INodeProperties => ({
	...fieldOf('teamId', ['Team', team, description]),
	required: true,
});

/** The fields of a new case. */
export const creationFields = (show: Show): INodeProperties[] => [
	{ ...teamField('Team that the new case belongs to'), displayOptions: { show } },
	{
		...fieldOf('name', ['Name', text, 'Name of the new case']),
		required: true,
		displayOptions: { show },
	},
	collection(
		show,
		'Additional Fields',
		'additionalFields',
		ADDITIONAL,
		"More values of the new case. A field that is empty isn't sent.",
	),
];

export const updateFields = (show: Show): INodeProperties =>
	collection(
		show,
		'Update Fields',
		'updateFields',
		UPDATE,
		'What to change. A field that is empty leaves its value as it is; only Assignee Emails (Replace All) takes an empty list.',
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
 * Reads the values that were added and aren't blank. An empty list replaces the assignees; one that adds or removes
 * isn't sent.
 * @throws InvalidInput naming the field
 */
function readValues(given: Record<string, unknown>, values: Values, timezone: string): Row {
	const read: Row = {};
	for (const [name, [label, kind]] of Object.entries(values)) {
		const value = given[name];
		if (isBlank(name === 'team_id' ? locatedIn(value) : value)) continue;
		const parsed = kind.read(value, label, timezone);
		const isNothing = Array.isArray(parsed) && parsed.length === 0;
		const isMeant = name === 'assignee_emails' && listOf(value)?.length === 0;
		if (!isNothing || isMeant) read[name] = parsed;
	}
	return read;
}

/** The ID in the field Team. @throws InvalidInput */
export const readTeam = ({ parameter }: Pick<Parameters, 'parameter'>, item: number): string =>
	parseId(locatedIn(parameter('teamId', item)), 'team ID', 'Team');

/** What a new case gets. @throws InvalidInput */
export function readCreation(parameters: Parameters, item: number) {
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
	if (update.assignee_emails && (update.add_assignee_emails ?? update.remove_assignee_emails)) {
		throw new InvalidInput(
			"'Assignee Emails (Replace All)' can't be combined with those to add or remove",
			'Keep either the one or the others.',
		);
	}
	return update;
}
