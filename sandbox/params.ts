import { z } from 'zod';
import { ApiError } from './errors';
import { FILTERS, id, oneOf, person, type Filter } from './filters';
import type { GrownTrait } from './grown';
import { ORDERS, type CaseQuery } from './types';

/** How array filters look in the query string; the API document doesn't say. */
export type ArrayFormat = 'brackets' | 'indices' | 'repeat' | 'comma';

export const pageParameters = (maxPerPage: number) => ({
	per_page: id.refine((value) => value <= maxPerPage, `must be at most ${maxPerPage}`),
	page: id,
});

const text = z.string().min(1, 'must not be empty');
const positive = z.number().int().positive();
/** What members of bodies are made of. */
export const member = { text, texts: z.array(text), id: positive };

/** The parameters of lists other than that of cases. */
export const PAGE_PARAMETERS = pageParameters(50);
export const TEAM_PARAMETERS = { ...PAGE_PARAMETERS, team_id: id };

/** How a service reads queries. */
export interface Dialect {
	arrayFormat: ArrayFormat;
	filters: Record<string, Filter>;
	/** The parameters of a list of cases besides the filters. */
	parameters: Record<string, z.ZodType>;
	/** Whether parameters and filters that the service doesn't have are ignored. */
	isOpen: boolean;
}

/** How a service with these traits reads queries. */
export function dialectOf(arrayFormat: ArrayFormat, traits: ReadonlySet<GrownTrait>): Dialect {
	const filters = { ...FILTERS };
	delete filters[traits.has('exclude-tags') ? 'excluded_tags' : 'exclude_tags'];
	if (traits.has('user-filters')) filters.assignees = { ...filters.assignees, schema: person };
	return {
		arrayFormat,
		filters,
		parameters: {
			...pageParameters(traits.has('page-size') ? 500 : 50),
			team_id: id,
			order: oneOf(ORDERS),
		},
		isOpen: traits.has('unknown-ignored'),
	};
}

/**
 * Reads a query string.
 *
 * @param parameters of a list without filters; without them the query is one of GET /api/v2/cases
 * @throws ApiError a breach that names all wrong parameters
 */
export function readQuery(
	dialect: Dialect,
	queryString: string,
	parameters?: Record<string, z.ZodType>,
): CaseQuery {
	const problems: string[] = [];
	const query: CaseQuery & Record<string, unknown> = {};
	const filters: Record<string, unknown> = {};
	for (const [key, value] of readPairs(queryString, problems)) {
		const [, filter, suffix] = (!parameters && /^filters\[([^[\]]*)\](.*)$/s.exec(key)) || [];
		const known = filter === undefined ? (parameters ?? dialect.parameters) : dialect.filters;
		if (!Object.hasOwn(known, filter ?? key)) {
			const kind = filter === undefined ? 'parameter' : 'filter';
			if (!dialect.isOpen) problems.push(`${key} is not a known ${kind}`);
			continue;
		}
		const problem =
			filter === undefined
				? setOnce(query, key, (parameters ?? dialect.parameters)[key], value)
				: readFilter(filters, filter, suffix, value, dialect);
		if (problem) problems.push(`${key} ${problem}`);
	}
	if (problems.length > 0) throw ApiError.breach(400, problems.join('; '));
	if (Object.keys(filters).length > 0) query.filters = filters;
	return query;
}

/** Adds one `filters[name]suffix=value` to the filters. @returns what is wrong with it, if anything */
function readFilter(
	filters: Record<string, unknown>,
	name: string,
	suffix: string,
	value: string,
	{ arrayFormat, filters: known }: Dialect,
): string | undefined {
	const { shape, schema } = known[name];
	if (shape === 'scalar') {
		return suffix === '' ? setOnce(filters, name, schema, value) : `must be filters[${name}]`;
	}
	if (shape === 'pairs') {
		const pairKey = /^\[(.+)\]$/s.exec(suffix)?.[1];
		if (pairKey === undefined) return `must be filters[${name}][<key>]`;
		return setOnce((filters[name] ??= {}) as Record<string, unknown>, pairKey, schema, value);
	}
	const before = (filters[name] ?? []) as unknown[];
	const suffixes = { brackets: '[]', indices: `[${before.length}]`, repeat: '', comma: '' };
	if (suffix !== suffixes[arrayFormat]) {
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

function* readPairs(queryString: string, problems: string[]): Generator<[string, string]> {
	if (queryString === '') return;
	for (const pair of queryString.split('&')) {
		const at = pair.indexOf('=');
		if (at < 1) {
			problems.push(`'${pair.slice(0, 100)}' in the query string is not name=value`);
			continue;
		}
		try {
			const spaced = pair.replaceAll('+', ' ');
			yield [decodeURIComponent(spaced.slice(0, at)), decodeURIComponent(spaced.slice(at + 1))];
		} catch {
			problems.push(`'${pair.slice(0, 100)}' in the query string is not well encoded`);
		}
	}
}

/** Reads the JSON body of a request. @throws ApiError 422 that begins with the name of the field */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const { path, message } = result.error.issues[0];
	throw ApiError.breach(422, `${path.join('.') || 'body'} ${message}`);
}
