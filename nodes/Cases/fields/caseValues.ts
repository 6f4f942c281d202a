import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { formatTimestamp } from '../api/timestamps';
import { PRIORITIES, STATUSES, type Row } from '../api/types';
import type { CaseUpdate } from '../api/writes/caseWrites';
import { parseDate } from './dates';
import { choice as filterChoice, pairs } from './filters/filterKinds';
import {
	collectionForm,
	field,
	formOf,
	readCollection,
	rowsInCollection,
	textForm,
	textIn,
	type Entry,
	type Kind,
	type Parameters,
} from './form';
import type { Option } from './options';
import { locatedIn, TEAM_LOCATOR } from './locators';
import {
	asRecord,
	isBlank,
	isEmpty,
	isExpression,
	listOf,
	parseChoice,
	parseEach,
	parseEmail,
	parseEntries,
	parseId,
	parseNames,
	parsePairs,
	parseText,
	parseValue,
	refusal,
	refuseNothing,
	type Parse,
} from './values';

interface ValueKind extends Kind {
	/**
	 * Whether an empty value is sent, to remove the value of the case. Without this function, empty values aren't sent.
	 * @param stored the value as the workflow stores it
	 */
	removes?: (value: unknown, stored: unknown) => boolean;
}

export const string = <Read extends Kind['read']>(placeholder: string, read: Read) => ({
	form: textIn(placeholder),
	read,
});
/** One of the API's own values. Writes want them in lower case, unlike filters. */
const choice = (...values: string[]): Kind => ({
	...filterChoice(values),
	read: (value, label) => parseChoice(value, label, values).toLowerCase(),
});
const pairsOf = (placeholder: string): Kind => ({
	...pairs(placeholder, 'e.g. 2026-1234'),
	read: (value, label) => Object.fromEntries(parsePairs(value, label, false)),
});

const text = string('e.g. Phishing mail to finance', parseText);
const prose = string('e.g. Three people reported the same mail', parseText);
export const markdown: Kind = { ...prose, form: { ...prose.form, typeOptions: { rows: 4 } } };
/** An expression without a value must not remove a text. */
const replacedText: ValueKind = {
	...markdown,
	removes: (value, stored) => typeof value === 'string' && !isExpression(stored),
};
const email = string('e.g. ada@acme.example.com', parseEmail);
export const emails = string('e.g. ada@acme.example.com', (value, label) =>
	parseEach(value, label, parseEmail),
);
export const allEmails: ValueKind = { ...emails, removes: (value) => listOf(value)?.length === 0 };
/** Each as the service has it at creation: an object with a description. */
const tasks = string('e.g. Block the sender, Warn the team', (value, label) =>
	parseNames(value, label).map((description) => ({ description })),
);
const tags = string('e.g. phishing, vip', parseNames);
const date: Kind = {
	form: { type: 'dateTime', default: '' },
	read: (value, label, timezone) => formatTimestamp(parseDate(value, timezone, label)),
};
/** Reads an ID as a number. */
const numberOf = (thing: string) => (value: unknown, label: string) =>
	Number(parseId(value, `${thing} ID`, label));
/** Something of the team, from a list where the form knows the team. The last sentence is demanded by n8n's lint. */
const ofTeam = (loadOptionsMethod: string, read: Kind['read']): Kind => ({
	form: {
		type: 'options',
		typeOptions: { loadOptionsMethod, loadOptionsDependsOn: ['teamId.value', 'caseId.value'] },
		default: '',
	},
	note: 'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	read,
});
const template = ofTeam('getTemplates', (value, label) => {
	const id = parseText(value, label).trim();
	return /^\d{1,15}$/.test(id) ? Number(id) : id;
});
const subStatus = ofTeam('getSubStatuses', numberOf('sub-status'));
const fieldValues: Kind = {
	form: rowsInCollection('Pair', 'Add Field Value', [
		formOf('key', ['Field Name or ID', ofTeam('getCaseFields', parseText), 'Field of the team']),
		textForm('value', 'Value', 'e.g. malicious', 'For several, let an expression return a list'),
	]),
	read: (value, label) => Object.fromEntries(parsePairs(value, label, false, parseFieldValue)),
};

/** Reads a custom field and its value. The service separates several values by `|`. */
function parseFieldValue({ key, value }: Row, label: string): [id: string, value: string] {
	const id = parseId(key, 'field ID', label);
	const texts = parseEntries(value ?? '', label).map((entry) => parseValue(entry, label));
	const divided = texts.find((text) => text.includes('|'));
	if (divided === undefined) return [id, texts.join('|')];
	const remedy = 'It separates values. For several, use an expression that returns a list.';
	throw refusal(divided, label, 'contains a |', remedy);
}

const team: Kind = { form: TEAM_LOCATOR, read: numberOf('team') };

const KEYS_USER = "By default the API key's user.";
const SEVERAL = 'Names with commas between them, or an expression that returns a list.';

export type Values = Record<string, Entry<ValueKind>>;

const SHARED: Values = {
	priority: ['Priority', choice(...[...PRIORITIES].reverse()), 'How urgent the case is'],
	status: ['Status', choice(...STATUSES), 'Whether the case is open or closed'],
	opened_at: ['Opened At', date, 'When the case was opened'],
	author_email: ['Author Email', email, `Who creates or changes the case. ${KEYS_USER}`],
	field_values: ['Field Values', fieldValues, 'Values of custom fields of the team'],
	sub_status_id: ['Sub-Status Name or ID', subStatus, "A team's status within open or closed"],
};

/** The fields of a new case besides its team and name, by the API's own names. */
const ADDITIONAL: Values = {
	...SHARED,
	description: ['Description', markdown, 'Text of the case, in Markdown'],
	assignee_emails: ['Assignee Emails', allEmails, `Who the case is assigned to. ${KEYS_USER}`],
	tag_names: ['Tags', tags, `Tags of the case; they may be new. ${SEVERAL}`],
	metadata: ['Metadata', pairsOf('e.g. alert_id'), 'Values by which to find the case again'],
	template_id: ['Template Name or ID', template, 'A case template of the team'],
	tasks: ['Tasks', tasks, 'Tasks of the case, with commas or line breaks between them'],
};

/** The fields of a case that can be changed, by the API's own names. */
const UPDATE: Values = {
	...SHARED,
	name: ['Name', text, 'New name of the case'],
	description: [
		'Description',
		replacedText,
		'New text of the case, in Markdown. It replaces the old one. An empty field removes it, but not an expression without a value.',
	],
	team_id: ['Team', team, 'Team to move the case to'],
	assignee_emails: [
		'Assignee Emails (All)',
		allEmails,
		'Everyone the case is assigned to from now on; all other assignees are removed. An expression that returns an empty list removes everyone.',
	],
	add_assignee_emails: ['Assignee Emails to Add', emails, 'Who to add; the others stay'],
	remove_assignee_emails: ['Assignee Emails to Remove', emails, 'Who to remove; the others stay'],
	add_tag_names: ['Tags to Add', tags, `May be new; the other tags stay. ${SEVERAL}`],
	metadata: ['Metadata', pairsOf('e.g. ticket'), 'What to add or change; other keys stay'],
	remove_metadata_keys: ['Metadata Keys to Remove', tags, `The other keys stay. ${SEVERAL}`],
	remove_tag_names: ['Tags to Remove', tags, `The other tags stay. ${SEVERAL}`],
	resolved_at: ['Resolved At', date, 'When the case was resolved'],
};

/**
 * Reads the fields that were added. An empty value is left out, unless it removes the value of the case. A model must fill
 * in all fields of its tool, so its empty values remove nothing.
 * @param collection the parameter that has the fields
 * @throws InvalidInput that names the field which can't be used, or whose expression returns no value
 */
function readValues(
	given: Row,
	values: Values,
	{ timezone, isTool = false, stored: storedIn }: Parameters,
	collection: string,
): Row {
	const read: Row = {};
	for (const [name, [label, kind]] of Object.entries(values)) {
		const value = kind === team ? locatedIn(given[name]) : given[name];
		const stored = asRecord(storedIn(collection))[name];
		if (!isTool) refuseNothing(`'${label}'`, stored, given[name]);
		const isMeant = !isTool && kind.removes?.(value, stored) === true;
		if (isBlank(value) && !isMeant) continue;
		const parsed = kind.read(value, label, timezone);
		if (isMeant || !isEmpty(parsed)) read[name] = parsed;
	}
	return read;
}

/** One of these values as an option. Where it isn't added, nothing is read. */
export const asOption = <T>(name: string, value: Values[string]): Option<T> => ({
	form: formOf(name, value),
	read: (added, parameters) => readValues(added, { [name]: value }, parameters, 'options') as T,
});

/** @param who what the author does */
export const authorOption = (who: string) =>
	asOption<{ author_email?: string }>('author_email', [
		'Author Email',
		email,
		`${who}. ${KEYS_USER}`,
	]);

/** For operations that set the status of a case. */
export const SUB_STATUS = asOption<CaseUpdate>('sub_status_id', SHARED.sub_status_id);

/**
 * A required text, or list of texts.
 * @param isMissing the error where it is blank
 */
export const requiredText = <T>(
	form: INodeProperties,
	parse: Parse<T>,
	[isMissing, remedy]: [isMissing: string, remedy: string],
) =>
	field({ ...form, required: true }, (given, label) => {
		const text = parse(given, label);
		if (![text].flat().every(isBlank)) return text;
		throw new InvalidInput(isMissing, remedy);
	});

export const CASE_NAME = requiredText(
	formOf('name', ['Name', text, 'Name of the new case']),
	parseText,
	['No name was given', 'Enter a name for the new case.'],
);

/** The form of a collection of values. */
const valuesForm = (displayName: string, name: string, description: string, values: Values) =>
	collectionForm(
		{ displayName, name, placeholder: 'Add Field', description },
		Object.entries(values).map((entry) => formOf(...entry)),
	);

/** The collection of values that something new may have. */
export const additionalFields = (description: string, values: Values) =>
	field(
		valuesForm('Additional Fields', 'additionalFields', description, values),
		(given, label, parameters) =>
			readValues(readCollection(given, label), values, parameters, 'additionalFields'),
	);

/** The collection of values to change. At least one is given, beside those that change nothing by themselves. */
export const updateFields = (description: string, values: Values) =>
	field(
		valuesForm(
			'Update Fields',
			'updateFields',
			`What to change. An empty field isn't sent, so its value stays as it is. ${description}`,
			values,
		),
		(given, label, parameters): CaseUpdate => {
			const update = readValues(readCollection(given, label), values, parameters, 'updateFields');
			refuseContradictions(update);
			if (Object.keys(update).some((name) => name !== 'author_email')) return update;
			throw new InvalidInput(
				'There is nothing to update',
				"Add a field under 'Update Fields' and give it a value.",
			);
		},
	);

/** The fields of a new case besides its team and name. */
export const ADDITIONAL_FIELDS = additionalFields(
	"More values of the new case. A field that is empty isn't sent; Metadata and Field Values need a pair.",
	ADDITIONAL,
);

/** Only a case has these fields, so the updates of other things pass. */
function refuseContradictions({ metadata, remove_metadata_keys: removed, ...update }: CaseUpdate) {
	const key = removed?.find((one) => one in (metadata ?? {}));
	if (key !== undefined) {
		throw new InvalidInput(
			`'Metadata' and 'Metadata Keys to Remove' both name ${quote(key)}`,
			'Remove the key from one of the two.',
		);
	}
	if ('team_id' in update && ('field_values' in update || 'sub_status_id' in update)) {
		throw new InvalidInput(
			"'Team' can't be changed together with 'Field Values' or 'Sub-Status'",
			'Fields and sub-statuses belong to a team. Change the team first, then the others with another Update.',
		);
	}
}

/** The fields of a case to change. */
export const UPDATE_FIELDS = updateFields(
	'Only an empty Description removes the text of the case.',
	UPDATE,
);
