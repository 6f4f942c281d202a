import { recordEntries } from '../../../api/cases/recordEntries';
import type { Case, Row } from '../../../api/types';
import { nameOfUser } from '../../../fields/output';
import { valuesOfRecord } from '../../recordOutput';
import { asRecord } from '../../../fields/values';
import type { Entry, Section } from './fit';
import { block, cell, hasLines, inline, isEmpty, textOf, type Style } from './markdown';

/** The sections that a user chooses, by the API's names of what they show. */
export const SECTION_NAMES = [
	'actions',
	'activities',
	'closure_conditions',
	'comments',
	'description',
	'linked_cases',
	'metadata',
	'other',
	'records',
] as const;

export type SectionName = (typeof SECTION_NAMES)[number];

/** Activities that carry the text of a comment. */
const COMMENT_TYPES = ['COMMENTED', 'FILE_ATTACHED_AND_COMMENTED'];

/** A list as rows. What is not a row becomes one, so that nothing is lost. */
function rowsOf(list: unknown): Row[] {
	return listOf(list).map((entry) =>
		typeof entry === 'object' && entry !== null ? (entry as Row) : { value: entry },
	);
}

function listOf(value: unknown): unknown[] {
	if (isEmpty(value)) return [];
	return Array.isArray(value) ? value : [value];
}

/** A user as `Ana Lindqvist <ana@example.com>`. */
function userText(user: unknown): string {
	const { email, user_id } = asRecord(user);
	const name = nameOfUser(user);
	if (isEmpty(email)) return name ?? textOf(user_id ?? user);
	return name === null ? textOf(email) : `${name} <${textOf(email)}>`;
}

/** Fields of rows that a reader of the text can do nothing with. */
const UNSAID = ['id', 'case_id', 'created_at', 'updated_at'];

/**
 * What else a row has, as `, name: value`.
 * @param shown fields that the line has already
 */
function furtherFields(row: Row, shown: string[], style?: Style): string {
	let text = '';
	for (const name in row) {
		if (UNSAID.includes(name) || shown.includes(name) || isEmpty(row[name])) continue;
		text += `, ${inline(name, style)}: ${inline(row[name], style)}`;
	}
	return text;
}

/** A line with a value behind it, or a block below it if the value has several lines. */
function withValue(line: string, value: unknown, style?: Style): string {
	return hasLines(value) ? `${line}:\n${block(value, style)}` : `${line}: ${inline(value, style)}`;
}

/** A line with several values. Those that don't fit are counted. */
function listLine(label: string, values: unknown[]): Entry {
	return (style = {}) => {
		const { max = Infinity } = style;
		let line = `- ${label}: `;
		let shown = 0;
		let length = 0;
		for (const value of values) {
			const text = inline(value, style);
			length += text.length;
			if (length > max && shown > 0) return `${line} (${values.length - shown} more left out)`;
			line += shown === 0 ? text : `, ${text}`;
			shown++;
		}
		return line;
	};
}

/** When something happened, and who did it: `2026-01-05T10:00:00Z by Ana Lindqvist <ana@example.com>`. */
function eventLine(label: string, time: unknown, user: unknown): Entry {
	return (style) => {
		const by = isEmpty(user) ? '' : ` by ${inline(userText(user), style)}`;
		return `- ${label}: ${isEmpty(time) ? '(no time)' : inline(time, style)}${by}`;
	};
}

/** Fields that the lines below the title show. */
const HEAD_FIELDS: Array<[label: string, field: string, userField?: string]> = [
	['Name', 'name'],
	['Status', 'status'],
	['Sub-status', 'sub_status'],
	['Priority', 'priority'],
	['Team', 'team'],
	['Assignees', 'assignees'],
	['Tags', 'tags'],
	['Created', 'created_at', 'author'],
	['Opened', 'opened_at', 'opened_by'],
	['Updated', 'updated_at'],
	['Resolved', 'resolved_at', 'resolved_by'],
	['URL', 'url'],
];

/** A user, a team or a tag in one text. */
function nameOf(field: string, value: unknown): unknown {
	return field === 'assignees' ? userText(value) : (asRecord(value).name ?? value);
}

/** The lines below the title: what every text of a case has. */
export function headSection(row: Case): Section {
	const entries: Entry[] = [];
	for (const [label, field, userField] of HEAD_FIELDS) {
		const value = row[field];
		if (userField !== undefined) {
			const user = row[userField];
			if (!isEmpty(value) || !isEmpty(user)) entries.push(eventLine(label, value, user));
		} else if (!isEmpty(value)) {
			const names = listOf(value).map((each) => nameOf(field, each));
			entries.push(listLine(label, names));
		}
	}
	return { entries, noun: 'line' };
}

const HISTORY_FIELDS = ['activity_type', 'value', 'user', 'created_at'];

function historyEntry(row: Row): Entry {
	const { activity_type, value, user, created_at } = row;
	return (style) => {
		const when = isEmpty(created_at) ? '' : `${inline(created_at, style)} `;
		const who = isEmpty(user) ? 'somebody' : inline(nameOfUser(user) ?? userText(user), style);
		const what = activity_type === 'COMMENTED' ? 'commented' : inline(activity_type, style);
		const line = `- ${when}${who} ${what}${furtherFields(row, HISTORY_FIELDS, style)}`;
		return isEmpty(value) ? line : withValue(line, value, style);
	};
}

function historySection({ activities }: Case, chosen: SectionName[]): Section {
	const [withHistory, withComments] = [chosen.includes('activities'), chosen.includes('comments')];
	const entries = rowsOf(activities)
		.filter(({ activity_type }) =>
			COMMENT_TYPES.some((type) => type === activity_type) ? withComments : withHistory,
		)
		.map(historyEntry);
	const heading = withHistory ? `History${withComments ? ' and comments' : ''}` : 'Comments';
	return { heading, entries, noun: 'entry', keepsEnd: true };
}

/** A record as one line, with the names of its values in it. */
function recordLine(created: unknown, values: Row): Entry {
	return (style) => {
		const pairs = Object.entries(values).filter(([, value]) => !isEmpty(value));
		const texts = pairs.map(([name, value]) => `${inline(name, style)}: ${inline(value, style)}`);
		return `- ${[...(isEmpty(created) ? [] : [inline(created, style)]), ...texts].join(', ')}`;
	};
}

/** A table that would have more cells than this for each value is mostly empty, so its records become lines. */
const MAX_CELLS_PER_VALUE = 4;

/** The records of one type, and what decides whether they are a table. */
interface RecordsOfType {
	records: Array<{ created: unknown; values: Row }>;
	names: Set<string>;
	valueCount: number;
}

/** The records of a case by the names of their types, in order. */
function recordsByType(records: unknown): Map<string, RecordsOfType> {
	const types = new Map<string, RecordsOfType>();
	for (const { record_type_name, record_type_id, entry } of recordEntries(rowsOf(records))) {
		const type = textOf(record_type_name ?? record_type_id);
		let ofType = types.get(type);
		if (ofType === undefined) {
			ofType = { records: [], names: new Set(), valueCount: 0 };
			types.set(type, ofType);
		}
		const values = valuesOfRecord(entry);
		ofType.records.push({ created: entry.created_at, values });
		for (const name in values) {
			ofType.names.add(name);
			ofType.valueCount++;
		}
	}
	return types;
}

/** The head of a table of records. */
function tableHead(names: Set<string>, style?: Style): string {
	let titles = '| Created |';
	for (const name of names) titles += ` ${cell(name, style)} |`;
	return `${titles}\n|${' --- |'.repeat(names.size + 1)}\n`;
}

/** A record as a row of a table. */
function tableRow(created: unknown, values: Row, names: Set<string>): Entry {
	return (style) => {
		let row = `| ${cell(created, style)} |`;
		for (const name of names) {
			// Another record may have a value called `constructor`, which every object has.
			row += ` ${cell(Object.hasOwn(values, name) ? values[name] : null, style)} |`;
		}
		return row;
	};
}

/** The rows of a table for each type of records. The first one of a type carries the head of its table. */
function recordRows(row: Case): Entry[] {
	const entries: Entry[] = [];
	for (const [type, { records, names, valueCount }] of recordsByType(row.records)) {
		const isTable = names.size * records.length <= MAX_CELLS_PER_VALUE * valueCount;
		const gap = entries.length === 0 ? '' : '\n';
		const head = (style?: Style) => {
			const title = type === '' ? 'Without a type' : `Type ${inline(type, style)}`;
			return `${gap}${title}:\n\n${isTable ? tableHead(names, style) : ''}`;
		};
		records.forEach(({ created, values }, index) => {
			const entry = isTable ? tableRow(created, values, names) : recordLine(created, values);
			entries.push(index === 0 ? (style) => head(style) + entry(style) : entry);
		});
	}
	return entries;
}

/** Lines with a name and a value. */
const pairEntries = (pairs: Array<[name: unknown, value: unknown]>): Entry[] =>
	pairs.map(
		([name, value]) =>
			(style) =>
				withValue(`- ${inline(name, style)}`, value, style),
	);

/** Lines with two fields of rows, and between them what else a row has. */
const rowEntries = (list: unknown, name: string, value: string): Entry[] =>
	rowsOf(list).map((row) => (style) => {
		const further = furtherFields(row, [name, value], style);
		return withValue(`- ${inline(row[name], style)}${further}`, row[value], style);
	});

/** The sections in the order of the text: which choices show each, its field, and what it has of a case. */
const SECTIONS: Array<{
	shows: SectionName[];
	/** Default: the first of `shows`. */
	field?: string;
	of: (row: Case, chosen: SectionName[]) => Section;
}> = [
	{
		shows: ['description'],
		of: ({ description }) => ({
			heading: 'Description',
			noun: 'text',
			entries: isEmpty(description)
				? []
				: [(style) => (hasLines(description) ? block : inline)(description, style)],
		}),
	},
	{
		shows: ['closure_conditions'],
		of: ({ closure_conditions }) => ({
			heading: 'Must be true to close the case',
			noun: 'condition',
			entries: rowEntries(closure_conditions, 'name', 'formula'),
		}),
	},
	{
		shows: ['metadata'],
		of: ({ metadata }) => ({
			heading: 'Metadata',
			noun: 'entry',
			entries: pairEntries(
				Object.entries(typeof metadata === 'string' ? { metadata } : (metadata ?? {})),
			),
		}),
	},
	{
		shows: ['records'],
		of: (row) => ({ heading: 'Records', noun: 'record', entries: recordRows(row) }),
	},
	{ shows: ['activities', 'comments'], field: 'activities', of: historySection },
	{
		shows: ['linked_cases'],
		of: ({ linked_cases }) => ({
			heading: 'Linked cases',
			noun: 'case',
			entries: rowEntries(linked_cases, 'case_id', 'name'),
		}),
	},
	{
		shows: ['actions'],
		of: ({ actions }) => ({
			heading: 'Case actions',
			noun: 'action',
			entries: rowEntries(actions, 'label', 'url'),
		}),
	},
	{
		shows: ['other'],
		of: (row) => ({
			heading: OTHER_FIELDS,
			noun: 'field',
			entries: pairEntries(
				Object.keys(row)
					.filter((name) => !isShown(name) && !isEmpty(row[name]))
					.map((name) => [name, row[name]]),
			),
		}),
	},
];

/** The heading of what the API document doesn't have. */
export const OTHER_FIELDS = 'Other fields';

const SHOWN = new Set<string | undefined>([
	...HEAD_FIELDS.flatMap(([, field, userField]) => [field, userField]),
	...SECTION_NAMES,
	'case_id',
	'activities_meta',
	'records_meta',
]);

/** Whether the text has a place for a field, apart from Other Fields. */
function isShown(field: string): boolean {
	return SHOWN.has(field);
}

/** Whether the service returned a field. Text that is null is empty; a list that is null is unknown. */
function isReturned(row: Case, field: string): boolean {
	return row[field] !== undefined && (row[field] !== null || field === 'description');
}

/** The chosen sections of a case, in the order of the text. Some may have no entry: nothing, or nothing that is known. */
export function chosenSections(
	row: Case,
	chosen: SectionName[],
): Array<{ section: Section; field: string; isReturned: boolean }> {
	return SECTIONS.filter(({ shows }) => shows.some((name) => chosen.includes(name))).map(
		({ shows: [name], field = name, of }) => ({
			section: of(row, chosen),
			field,
			isReturned: isReturned(row, field),
		}),
	);
}
