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
	/** What is outside the document, in words that name the parameter. Empty for a right request. */
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

/** How each filter of section 4.1 is sent and what one of its values must be. */
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

/** Reads the query string of GET /api/v2/cases, section 4.1. */
export function parseCaseQuery(
	queryString: string,
	arrayFormat: ArrayFormat,
): ParsedQuery<CaseQuery> {
	return parse(queryString, LIST_PARAMETERS, arrayFormat);
}

/** Reads the query string of a list that knows pages only, section 4.2. */
export function parsePageQuery(queryString: string): ParsedQuery<PageQuery> {
	return parse(queryString, PAGE_PARAMETERS);
}

function parse<Query>(
	queryString: string,
	parameters: Record<string, z.ZodType>,
	arrayFormat?: ArrayFormat,
): ParsedQuery<Query> {
	const problems: string[] = [];
	const query: Record<string, unknown> = {};
	const filters: Record<string, unknown> = {};

	const read = (name: string, schema: z.ZodType, value: string): unknown => {
		const result = schema.safeParse(value);
		if (result.success) return result.data;
		problems.push(`${name} ${result.error.issues[0].message}, not '${value.slice(0, 100)}'`);
		return undefined;
	};
	const setOnce = (target: Record<string, unknown>, name: string, key: string, value: unknown) => {
		if (Object.hasOwn(target, name)) problems.push(`${key} is there more than once`);
		else if (value !== undefined) setOwn(target, name, value);
	};

	for (const [key, value] of readPairs(queryString, problems)) {
		const filter = arrayFormat && /^filters\[([^[\]]*)\](.*)$/s.exec(key);
		if (filter) {
			const [, name, suffix] = filter;
			if (!isFilter(name)) {
				problems.push(`${key} is not a known filter`);
				continue;
			}
			const [shape, schema] = FILTERS[name];
			if (shape === 'scalar') {
				if (suffix !== '') problems.push(`filters[${name}] takes one value, not ${key}`);
				else setOnce(filters, name, key, read(key, schema, value));
			} else if (shape === 'pairs') {
				const pairKey = /^\[(.+)\]$/s.exec(suffix)?.[1];
				const pairs = (filters[name] ??= {}) as Record<string, unknown>;
				if (pairKey === undefined) problems.push(`filters[${name}] takes filters[${name}][key]`);
				else setOnce(pairs, pairKey, key, read(key, schema, value));
			} else {
				const values = (filters[name] ??= []) as unknown[];
				if (suffix !== arraySuffix(arrayFormat, values.length)) {
					problems.push(`${key} is not how this service takes arrays (${arrayFormat})`);
					continue;
				}
				const texts = arrayFormat === 'comma' ? value.split(',') : [value];
				if (arrayFormat === 'comma' && values.length)
					problems.push(`${key} is there more than once`);
				values.push(
					...texts.map((one) => read(key, schema, one)).filter((one) => one !== undefined),
				);
			}
		} else if (Object.hasOwn(parameters, key)) {
			setOnce(query, key, key, read(key, parameters[key], value));
		} else {
			problems.push(`${key} is not a known parameter`);
		}
	}
	if (Object.keys(filters).length > 0) query.filters = filters;
	return { query: query as Query, problems };
}

function isFilter(name: string): name is keyof CaseFilters {
	return Object.hasOwn(FILTERS, name);
}

function arraySuffix(format: ArrayFormat, index: number): string {
	return { brackets: '[]', indices: `[${index}]`, repeat: '', comma: '' }[format];
}

/** Sets an own property even where the name is `__proto__`. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
	Object.defineProperty(target, name, {
		value,
		enumerable: true,
		configurable: true,
		writable: true,
	});
}

function* readPairs(queryString: string, problems: string[]): Generator<[string, string]> {
	if (queryString === '') return;
	for (const part of queryString.split('&')) {
		const at = part.indexOf('=');
		if (at < 1) {
			problems.push(`'${part.slice(0, 100)}' in the query string is not name=value`);
			continue;
		}
		try {
			yield [decode(part.slice(0, at)), decode(part.slice(at + 1))];
		} catch {
			problems.push(`'${part.slice(0, 100)}' in the query string is not well encoded`);
		}
	}
}

function decode(encoded: string): string {
	return decodeURIComponent(encoded.replaceAll('+', ' '));
}
