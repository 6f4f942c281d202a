import type { CaseFilters } from '../api/cases';
import { formatTimestamp } from '../api/timestamps';
import { parseDate } from './dates';
import { InvalidInput, quote } from '../api/failure';
import { parseId } from './caseLocator';
import type { QueryValue } from '../api/query';
import { PRIORITIES, STATUSES } from '../api/types';

type FilterKind = 'text' | 'texts' | 'ids' | 'boolean' | 'priority' | 'status' | 'date' | 'pairs';

/** The filters of the case list (section 4.1): how each is read, and its label in the editor. */
export const FILTERS = {
	and_tags: { kind: 'texts', label: 'All of These Tags' },
	tags: { kind: 'texts', label: 'Tags' },
	or_tags: { kind: 'texts', label: 'Any of These Tags' },
	excluded_tags: { kind: 'texts', label: 'None of These Tags' },
	assigned_to_me: { kind: 'boolean', label: 'Assigned to Me' },
	unassigned: { kind: 'boolean', label: 'Unassigned' },
	assignees: { kind: 'texts', label: 'Assignees' },
	assignee_emails: { kind: 'texts', label: 'Assignee Emails' },
	author_emails: { kind: 'texts', label: 'Author Emails' },
	case_ids: { kind: 'ids', label: 'Case IDs' },
	metadata: { kind: 'pairs', label: 'Metadata' },
	priority: { kind: 'priority', label: 'Priority' },
	status: { kind: 'status', label: 'Status' },
	records: { kind: 'texts', label: 'Records' },
	search: { kind: 'text', label: 'Search' },
	start_date: { kind: 'date', label: 'Start Date' },
	end_date: { kind: 'date', label: 'End Date' },
	resolved_at_start_date: { kind: 'date', label: 'Resolved From' },
	resolved_at_end_date: { kind: 'date', label: 'Resolved Until' },
	updated_at_start_date: { kind: 'date', label: 'Updated From' },
	updated_at_end_date: { kind: 'date', label: 'Updated Until' },
} as const satisfies Record<string, { kind: FilterKind; label: string }>;

export type FilterName = keyof typeof FILTERS;

const DATE_RANGES: Array<[start: FilterName, end: FilterName]> = [
	['start_date', 'end_date'],
	['resolved_at_start_date', 'resolved_at_end_date'],
	['updated_at_start_date', 'updated_at_end_date'],
];

/**
 * Reads the Filters collection of the node. Blank filters are left out.
 * @param values the collection as the editor or an expression gives it, keys are the API's filter names
 * @param timezone of the workflow, for dates without a zone
 * @throws InvalidInput naming the filter that can't be used
 */
export function parseFilters(values: Record<string, unknown>, timezone: string): CaseFilters {
	const filters: Record<string, QueryValue> = {};
	const dates: Partial<Record<FilterName, number>> = {};
	let team_id: string | undefined;
	for (const [name, value] of Object.entries(values)) {
		if (name === 'team_id') {
			team_id = isBlank(value) ? undefined : parseId(value, 'team ID');
		} else if (!Object.hasOwn(FILTERS, name)) {
			throw new InvalidInput(
				`There is no filter ${quote(name)}`,
				`The filters are: ${Object.keys(FILTERS).join(', ')} and team_id.`,
			);
		} else {
			const filter = FILTERS[name as FilterName];
			if (filter.kind === 'date') {
				const time = parseDate(value, timezone, filter.label);
				if (time === undefined) continue;
				dates[name as FilterName] = time;
				filters[name] = formatTimestamp(time);
			} else {
				const parsed = PARSERS[filter.kind](value, filter.label);
				if (parsed !== undefined) filters[name] = parsed;
			}
		}
	}
	for (const [start, end] of DATE_RANGES) {
		if ((dates[start] ?? -Infinity) > (dates[end] ?? Infinity)) {
			throw new InvalidInput(
				`${FILTERS[start].label} is later than ${FILTERS[end].label}`,
				'No case can match. Exchange the two dates, or remove one.',
			);
		}
	}
	const matchesNothing = Array.isArray(values.case_ids) && filters.case_ids === undefined;
	return { team_id, filters, matchesNothing };
}

export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

type Parser = (value: unknown, label: string) => QueryValue | undefined;

/** How a filter of each kind is read; dates also need the timezone. Undefined is a blank one. */
const PARSERS: Record<Exclude<FilterKind, 'date'>, Parser> = {
	text: (value, label) => (isBlank(value) ? undefined : parseText(value, label)),
	texts: (value, label) => nonEmpty(parseList(value).map((entry) => parseText(entry, label))),
	ids: (value) => nonEmpty(parseIds(value)),
	boolean: parseBoolean,
	priority: (value, label) => parseChoice(value, PRIORITIES, label),
	status: (value, label) => parseChoice(value, STATUSES, label),
	pairs: (value, label) => nonEmpty(parsePairs(value, label)),
};

function nonEmpty<T extends unknown[]>(list: T): T | undefined {
	return list.length === 0 ? undefined : list;
}

/** One text is one entry, even with a comma in it: a tag may contain commas. */
function parseList(value: unknown): unknown[] {
	return (Array.isArray(value) ? value : [value]).filter((entry) => !isBlank(entry));
}

function parseText(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	throw new InvalidInput(
		`${label}: ${quote(value)} is not text`,
		`Give text. An expression for "${label}" must give text or a list of texts, not an object or a list inside a list.`,
	);
}

/** Case IDs: a number, text with commas or blanks between IDs, or a list of either. */
export function parseIds(value: unknown): string[] {
	const entries = parseList(value).flatMap((entry) =>
		typeof entry === 'string' ? entry.split(/[\s,;]+/).filter((part) => part !== '') : [entry],
	);
	return [...new Set(entries.map((entry) => parseId(entry, 'case ID')))];
}

function parseBoolean(value: unknown, label: string): boolean | undefined {
	if (isBlank(value)) return undefined;
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 'false') return value === 'true';
	throw new InvalidInput(
		`${label}: ${quote(value)} is neither true nor false`,
		'Use the switch, or an expression that gives true or false.',
	);
}

function parseChoice(
	value: unknown,
	choices: readonly string[],
	label: string,
): string | undefined {
	if (isBlank(value)) return undefined;
	const choice = typeof value === 'string' ? value.trim().toUpperCase() : value;
	if (choices.includes(choice as string)) return choice as string;
	throw new InvalidInput(
		`${label}: ${quote(value)} is not one of ${choices.join(', ')}`,
		`Choose one of them, or remove the filter to get cases of every ${label.toLowerCase()}.`,
	);
}

/** Metadata as the editor stores it (`{ pair: [{ key, value }] }`), or an object from an expression. */
function parsePairs(value: unknown, label: string): Array<[string, string]> {
	if (isBlank(value)) return [];
	if (typeof value !== 'object' || Array.isArray(value)) {
		throw new InvalidInput(
			`${label}: ${quote(value)} is no set of keys and values`,
			'Add pairs of key and value, or give an object such as {"source": "mail"} by expression.',
		);
	}
	const { pair } = value as { pair?: unknown };
	const entries: Array<[unknown, unknown]> = Array.isArray(pair)
		? pair.map((entry: { key?: unknown; value?: unknown } | null) => [entry?.key, entry?.value])
		: Object.entries(value as object);
	const pairs = entries
		.filter(([key, text]) => !(isBlank(key) && isBlank(text)))
		.map(([key, text]): [string, string] => [
			parseKey(key, label),
			typeof text === 'boolean' ? String(text) : parseText(text ?? '', label),
		]);
	const repeated = pairs.find(
		([key], index) => pairs.findIndex(([other]) => other === key) < index,
	);
	if (repeated !== undefined) {
		throw new InvalidInput(
			`${label}: the key ${quote(repeated[0])} is given twice`,
			'A case has one value for a key. Keep one of the two pairs.',
		);
	}
	return pairs;
}

function parseKey(value: unknown, label: string): string {
	const key = isBlank(value) ? '' : parseText(value, label);
	if (key !== '' && !/[[\]]/.test(key) && key !== '__proto__') return key;
	throw new InvalidInput(
		key === '' ? `${label}: a pair has no key` : `${label}: ${quote(key)} can't be used as a key`,
		'Every pair needs a key without square brackets; the brackets of the query would end in it.',
	);
}
