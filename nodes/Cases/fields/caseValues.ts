import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import { formatTimestamp } from '../api/timestamps';
import { PRIORITIES, STATUSES, type Row } from '../api/types';
import type { CaseUpdate } from '../api/writes/caseWrites';
import { parseDate } from './dates';
import { pairs } from './filterKinds';
import {
	alphabetically,
	ONLY_WHAT_IS_ADDED,
	readCollection,
	WHOLE_COLLECTION,
	type Show,
} from './form';
import type { Parameters } from './parameters';
import { parseTeam, teamLocator, teamValue } from './teamLocator';
import { asRecord, isBlank, listOf, parseSwitch, parseText, splitEntries } from './values';

/** A value that a case can be given: its form, and how it is read. */
interface CaseValue {
	label: string;
	form: Omit<INodeProperties, 'displayName' | 'name'>;
	/** @throws InvalidInput; a blank doesn't get here */
	read: (value: unknown, label: string, timezone: string) => unknown;
}

const text = (
	placeholder: string,
	description: string,
	typeOptions: INodeProperties['typeOptions'] = {},
): Omit<CaseValue, 'label'> => ({
	form: { type: 'string', typeOptions, default: '', placeholder, description },
	read: parseText,
});

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+$/;

function parseEmail(value: unknown, label: string): string {
	const email = parseText(value, label).trim();
	if (EMAIL.test(email)) return email;
	throw new InvalidInput(
		`'${label}': ${quote(email)} is not an email address`,
		'Enter addresses such as ada@acme.example.com, with commas between them, or use an expression that returns a list.',
	);
}

const emails = (description: string): Omit<CaseValue, 'label'> => ({
	form: { type: 'string', default: '', placeholder: 'e.g. ada@acme.example.com', description },
	read: (value, label) => [
		...new Set(splitEntries(value).map((entry) => parseEmail(entry, label))),
	],
});

/** A list keeps its entries as they are: a tag may contain commas. */
function parseTags(value: unknown, label: string): string[] {
	const entries = listOf(value) ?? parseText(value, label).split(',');
	const names = entries.filter((entry) => !isBlank(entry)).map((one) => parseText(one, label));
	return [...new Set(names.map((name) => name.trim()))];
}

const tags = (description: string): Omit<CaseValue, 'label'> => ({
	form: {
		type: 'string',
		default: '',
		placeholder: 'e.g. phishing, vip',
		description: `${description}. Names with commas between them, or an expression that returns a list. A tag may be new.`,
	},
	read: parseTags,
});

/** One of the API's own values, which this request wants in lower case. */
function choice(
	values: readonly string[],
	names: string[],
	description: string,
): Omit<CaseValue, 'label'> {
	const options = names.map((name) => ({ name, value: name.toUpperCase() }));
	return {
		form: { type: 'options', default: options[0].value, options, description },
		read: (value, label) => {
			const chosen = parseText(value, label).trim().toUpperCase();
			if (values.includes(chosen)) return chosen.toLowerCase();
			throw new InvalidInput(
				`'${label}': ${quote(value)} is not one of ${values.join(', ')}`,
				'Choose one of them. Upper and lower case are the same.',
			);
		},
	};
}

const date = (description: string): Omit<CaseValue, 'label'> => ({
	form: { type: 'dateTime', default: '', description },
	read: (value, label, timezone) => {
		const time = parseDate(value, timezone, label);
		return time === undefined ? undefined : formatTimestamp(time);
	},
});

const pairsOf = (key: string, description: string): Omit<CaseValue, 'label'> => {
	const { form, read } = pairs(
		{ placeholder: key, description: 'Name of the entry' },
		{ placeholder: 'e.g. 2026-1234', description: 'Value of the entry' },
		description,
	);
	return {
		form,
		read: (value, label, timezone) => Object.fromEntries(read(value, label, timezone) ?? []),
	};
};

const SHARED = {
	description: {
		label: 'Description',
		...text('e.g. **Sender**: …', 'Text of the case, in Markdown', { rows: 4 }),
	},
	priority: {
		label: 'Priority',
		...choice(PRIORITIES, ['Critical', 'High', 'Info', 'Low', 'Medium'], 'How urgent the case is'),
	},
	status: {
		label: 'Status',
		...choice(STATUSES, ['Open', 'Closed'], 'Whether the case is open or closed'),
	},
	opened_at: { label: 'Opened At', ...date('When the case was opened') },
} satisfies Record<string, CaseValue>;

/** What a new case can get besides its team and name, by the API's own names. */
const ADDITIONAL_FIELDS: Record<string, CaseValue> = {
	...SHARED,
	assignee_emails: {
		label: 'Assignee Emails',
		...emails('Who the case is assigned to. Without them, the service assigns the API key’s user.'),
	},
	tag_names: { label: 'Tags', ...tags('Tags of the case') },
	metadata: {
		label: 'Metadata',
		...pairsOf('e.g. alert_id', 'Pairs of key and value, by which you can find the case again'),
	},
	field_values: {
		label: 'Custom Fields',
		...pairsOf('e.g. 31', 'Values of custom fields, by the input ID of the field'),
	},
	template_id: {
		label: 'Template ID',
		form: {
			type: 'string',
			default: '',
			placeholder: 'e.g. 7',
			description: 'ID or slug of the case template',
		},
		read: (value, label) => {
			const id = parseText(value, label).trim();
			return /^\d{1,15}$/.test(id) ? Number(id) : id;
		},
	},
	author_email: {
		label: 'Author Email',
		...text('e.g. ada@acme.example.com', 'Who creates the case. By default the API key’s user.'),
		read: parseEmail,
	},
};

/** What of a case can be changed, by the API's own names. */
const UPDATE_FIELDS: Record<keyof CaseUpdate, CaseValue> = {
	...SHARED,
	name: { label: 'Name', ...text('e.g. Phishing mail to finance', 'New name of the case') },
	team_id: {
		label: 'Team',
		form: { ...teamLocator('team_id', 'Team to move the case to') },
		read: parseTeam,
	},
	assignee_emails: {
		label: 'Assignee Emails (Replace All)',
		...emails(
			'Everyone the case is assigned to from now on; all other assignees are removed. An expression that returns an empty list removes everyone.',
		),
	},
	add_assignee_emails: {
		label: 'Assignee Emails to Add',
		...emails('Who the case is assigned to besides its present assignees'),
	},
	remove_assignee_emails: {
		label: 'Assignee Emails to Remove',
		...emails('Who the case is no longer assigned to'),
	},
	add_tag_names: { label: 'Tags to Add', ...tags('Tags that the case gets besides its own') },
	remove_tag_names: { label: 'Tags to Remove', ...tags('Tags that are removed from the case') },
	resolved_at: { label: 'Resolved At', ...date('When the case was resolved') },
	author_email: {
		label: 'Author Email',
		...text('e.g. ada@acme.example.com', 'Who makes the change. By default the API key’s user.'),
		read: parseEmail,
	},
};

/** Who writes a comment, an entry of Options. */
export const AUTHOR_EMAIL: INodeProperties = {
	...text('e.g. ada@acme.example.com', 'Who writes the comment. By default the API key’s user.')
		.form,
	displayName: 'Author Email',
	name: 'author_email',
};

/** @throws InvalidInput */
export function readAuthorEmail(
	{ parameter }: Parameters,
	item: number,
): { author_email?: string } {
	const { author_email: value } = asRecord(parameter('options', item, {}));
	return isBlank(value) ? {} : { author_email: parseEmail(value, AUTHOR_EMAIL.displayName) };
}

/** A collection of such values. */
function collection(
	show: Show,
	label: string,
	name: string,
	values: Record<string, CaseValue>,
	description: string,
): INodeProperties {
	const entries = Object.entries(values).map(
		([entry, { label: displayName, form }]): INodeProperties => ({
			...form,
			displayName,
			name: entry,
		}),
	);
	return {
		displayName: label,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		builderHint: ONLY_WHAT_IS_ADDED,
		displayOptions: { show },
		description,
		options: [...alphabetically(entries), WHOLE_COLLECTION],
	};
}

export const additionalFields = (show: Show) =>
	collection(
		show,
		'Additional Fields',
		'additionalFields',
		ADDITIONAL_FIELDS,
		"More values of the new case. A field that is empty isn't sent.",
	);

export const updateFields = (show: Show) =>
	collection(
		show,
		'Update Fields',
		'updateFields',
		UPDATE_FIELDS,
		'What to change. A field that is empty leaves its value as it is; only Assignee Emails (Replace All) takes an empty list.',
	);

/** Reads the values that were added and aren't blank. @throws InvalidInput naming the field */
function readValues(
	{ parameter, timezone }: Parameters,
	item: number,
	name: string,
	label: string,
	values: Record<string, CaseValue>,
): Row {
	const given = readCollection(parameter(name, item, {}), label);
	const read: Row = {};
	for (const [entry, { label: field, read: parse }] of Object.entries(values)) {
		const value = given[entry];
		if (isBlank(entry === 'team_id' ? teamValue(value) : value)) continue;
		const parsed = parse(value, field, timezone);
		const isNothing = Array.isArray(parsed) && parsed.length === 0 && !isMeant(entry, value);
		if (!isNothing) read[entry] = parsed;
	}
	return read;
}

/** An empty list replaces a list; what adds, removes or describes nothing isn't sent. */
const isMeant = (entry: string, value: unknown) =>
	entry === 'assignee_emails' && listOf(value)?.length === 0;

/** What a new case gets. @throws InvalidInput */
export function readCreation(parameters: Parameters, item: number) {
	const name = parseText(parameters.parameter('name', item), 'Name');
	const team = parameters.parameter('teamId', item);
	if (isBlank(name)) {
		throw new InvalidInput('No name was given', 'Enter a name for the new case.');
	}
	const further = readValues(
		parameters,
		item,
		'additionalFields',
		'Additional Fields',
		ADDITIONAL_FIELDS,
	);
	return { team_id: parseTeam(team), name, ...further };
}

/** What of a case changes. @throws InvalidInput, also where nothing does */
export function readUpdate(parameters: Parameters, item: number): CaseUpdate {
	const update: CaseUpdate = readValues(
		parameters,
		item,
		'updateFields',
		'Update Fields',
		UPDATE_FIELDS,
	);
	if (Object.keys(update).filter((field) => field !== 'author_email').length === 0) {
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

/** Whether to leave cases alone that are as wanted, and whether only to show what would change. */
const SWITCHES = {
	skipUnchanged: {
		label: 'Skip Unchanged',
		description:
			'Whether to read the cases first, fifty to a request, and leave alone those that already are as wanted',
	},
	previewOnly: {
		label: 'Preview Only',
		description:
			'Whether to show what would change, without writing anything. Each item shows the fields before and after.',
	},
};

export const UPDATE_SWITCHES = Object.entries(SWITCHES).map(
	([name, { label, description }]): INodeProperties => ({
		displayName: label,
		name,
		type: 'boolean',
		default: true,
		description,
	}),
);

/** @throws InvalidInput */
export function readUpdateSwitches({ parameter }: Parameters, item: number) {
	const options = readCollection(parameter('options', item, {}), 'Options');
	const isOn = (name: keyof typeof SWITCHES) =>
		Object.hasOwn(options, name) && parseSwitch(options[name], SWITCHES[name].label);
	return { skipUnchanged: isOn('skipUnchanged'), previewOnly: isOn('previewOnly') };
}
