import { z } from 'zod';
import { MAX_PER_PAGE } from './query';
import { isUtcTimestamp } from './timestamps';
import {
	CASE_STATUSES,
	ORDERS,
	PRIORITIES,
	type ArrayFormat,
	type CaseFilters,
	type CaseQuery,
} from './types';

/** The pagination parameters that every list takes. */
export type PageQuery = Pick<CaseQuery, 'page' | 'per_page'>;

export interface ParsedQuery<Query> {
	query: Query;
	/** Parameters and filters that the document doesn't have. */
	unknown: string[];
	/** Wrong values of known parameters, each with the parameter's name. */
	problems: string[];
}

const id = z
	.string()
	.regex(/^[1-9]\d{0,14}$/, 'must be a positive integer')
	.transform(Number);
const text = z.string().min(1, 'must not be empty');
const boolean = z
	.enum(['true', 'false'], 'must be true or false')
	.transform((value) => value === 'true');
const timestamp = z
	.string()
	.refine(isUtcTimestamp, 'must be an ISO 8601 UTC timestamp such as 2026-01-02T03:04:05Z');
const oneOf = <const T extends readonly string[]>(values: T) =>
	z.enum(values, `must be one of ${values.join(', ')}`);

type Shape = 'scalar' | 'array' | 'pairs';

/** How each filter is sent and what each of its values must be. */
const FILTERS: Record<keyof CaseFilters, readonly [Shape, z.ZodType]> = {
	and_tags: ['array', text],
	tags: ['array', text],
	or_tags: ['array', text],
	excluded_tags: ['array', text],
	assigned_to_me: ['scalar', boolean],
	unassigned: ['scalar', boolean],
	assignees: ['array', id],
	assignee_emails: ['array', text],
	author_emails: ['array', text],
	case_ids: ['array', id],
	metadata: ['pairs', z.string()],
	priority: ['scalar', oneOf(PRIORITIES)],
	status: ['scalar', oneOf(CASE_STATUSES)],
	records: ['array', text],
	search: ['scalar', text],
	start_date: ['scalar', timestamp],
	end_date: ['scalar', timestamp],
	resolved_at_start_date: ['scalar', timestamp],
	resolved_at_end_date: ['scalar', timestamp],
	updated_at_start_date: ['scalar', timestamp],
	updated_at_end_date: ['scalar', timestamp],
};

const PAGE_PARAMETERS = {
	per_page: id.refine((value) => value <= MAX_PER_PAGE, `must be at most ${MAX_PER_PAGE}`),
	page: id,
};
const LIST_PARAMETERS = { ...PAGE_PARAMETERS, team_id: id, order: oneOf(ORDERS) };

/** Reads the query string of GET /api/v2/cases: pages, team_id, order and filters. */
export function parseCaseQuery(
	queryString: string,
	arrayFormat: ArrayFormat,
): ParsedQuery<CaseQuery> {
	return parse(queryString, LIST_PARAMETERS, arrayFormat);
}

/** Reads the query string of a list that takes page and per_page only. */
export function parsePageQuery(queryString: string): ParsedQuery<PageQuery> {
	return parse(queryString, PAGE_PARAMETERS);
}

function parse<Query>(
	queryString: string,
	parameters: Record<string, z.ZodType>,
	arrayFormat?: ArrayFormat,
): ParsedQuery<Query> {
	const problems: string[] = [];
	const unknown: string[] = [];
	const query: Record<string, unknown> = {};
	const filters: Record<string, unknown> = {};
	for (const [key, value] of readPairs(queryString, problems)) {
		const [, filter, suffix] = /^filters\[([^[\]]*)\](.*)$/s.exec(key) ?? [];
		const isFilterKey = arrayFormat !== undefined && filter !== undefined;
		if (isFilterKey ? !isFilter(filter) : !Object.hasOwn(parameters, key)) {
			unknown.push(`${key} is not a known ${isFilterKey ? 'filter' : 'parameter'}`);
			continue;
		}
		const problem = isFilterKey
			? readFilter(filters, filter as keyof CaseFilters, suffix, value, arrayFormat)
			: setOnce(query, key, parameters[key], value);
		if (problem) problems.push(`${key} ${problem}`);
	}
	if (Object.keys(filters).length > 0) query.filters = filters;
	return { query: query as Query, unknown, problems };
}

/** Adds one `filters[name]suffix=value` to the filters. @returns what is wrong with it, if anything */
function readFilter(
	filters: Record<string, unknown>,
	name: keyof CaseFilters,
	suffix: string,
	value: string,
	arrayFormat: ArrayFormat,
): string | undefined {
	const [shape, schema] = FILTERS[name];
	if (shape === 'scalar') {
		return suffix === '' ? setOnce(filters, name, schema, value) : `must be filters[${name}]`;
	}
	if (shape === 'pairs') {
		const pairKey = /^\[(.+)\]$/s.exec(suffix)?.[1];
		if (pairKey === undefined) return `must be filters[${name}][<key>]`;
		return setOnce((filters[name] ??= {}) as Record<string, unknown>, pairKey, schema, value);
	}
	const before = (filters[name] ?? []) as unknown[];
	if (suffix !== arraySuffix(arrayFormat, before.length)) {
		return `is not how this service takes arrays (${arrayFormat})`;
	}
	if (arrayFormat === 'comma' && before.length > 0) return 'is there more than once';
	const texts = arrayFormat === 'comma' ? value.split(',') : [value];
	const results = texts.map((one) => schema.safeParse(one));
	const wrong = results.findIndex(({ success }) => !success);
	if (wrong >= 0) return problemWith(results[wrong], texts[wrong]);
	filters[name] = [...before, ...results.map(({ data }) => data)];
	return undefined;
}

function setOnce(
	target: Record<string, unknown>,
	name: string,
	schema: z.ZodType,
	value: string,
): string | undefined {
	if (Object.hasOwn(target, name)) return 'is there more than once';
	const result = schema.safeParse(value);
	if (!result.success) return problemWith(result, value);
	// An assignment would lose the name __proto__.
	Object.defineProperty(target, name, { value: result.data, enumerable: true });
	return undefined;
}

function problemWith({ error }: z.ZodSafeParseResult<unknown>, value: string): string {
	return `${error?.issues[0].message}, not '${value.slice(0, 100)}'`;
}

function isFilter(name: string): name is keyof CaseFilters {
	return Object.hasOwn(FILTERS, name);
}

function arraySuffix(format: ArrayFormat, index: number): string {
	return { brackets: '[]', indices: `[${index}]`, repeat: '', comma: '' }[format];
}

function* readPairs(queryString: string, problems: string[]): Generator<[string, string]> {
	if (queryString === '') return;
	for (const pair of queryString.split('&')) {
		const at = pair.indexOf('=');
		if (at < 1) {
			problems.push(`'${pair.slice(0, 100)}' in the query string is not name=value`);
			continue;
		}
		try {
			yield [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
		} catch {
			problems.push(`'${pair.slice(0, 100)}' in the query string is not well encoded`);
		}
	}
}

function decode(encoded: string): string {
	return decodeURIComponent(encoded.replaceAll('+', ' '));
}
