import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { failureOf } from '../../../support/runs';
import { useCases } from './support';

/**
 * "A value means what its writer meant, or is refused": a meaning is chosen first, then written in one of the ways in
 * which expressions, models and people write it. What the service receives must be the meaning. What can't mean anything
 * is refused before any request, with a message that names the field.
 *
 * VALUES_RUNS sets the number of values for each field, for example
 * `VALUES_RUNS=500 npx jest test/resources/case/getAll/values.property`.
 */
const RUNS = Number(process.env.VALUES_RUNS ?? 2);
const TIMEOUT = 20_000 + RUNS * 1000;

const service = useCases();

/** What JavaScript an expression holds; values that JSON can carry come from the input item. */
class Code {
	constructor(readonly code: string) {}
}

/** A way to write a value, and what it means to the service. */
interface Writing {
	value: unknown;
	sent: unknown;
}

interface Field {
	/** As the form and each refusal of it name the field. */
	label: string;
	parameters: (expression: string) => Record<string, unknown>;
	/** What the service received of it, if it receives it at all. */
	received?: () => unknown;
	writings: fc.Arbitrary<Writing>;
	/** What can't mean anything. */
	junk: unknown[];
}

const query = () => service.sandbox.requests[0].query;
const filterSent = (name: string) => (query().filters as IDataObject | undefined)?.[name];
const oneOf = (...writings: Array<[value: unknown, sent: unknown]>) =>
	fc.constantFrom(...writings.map(([value, sent]) => ({ value, sent })));
/** Several ways to write one meaning. */
const all = (sent: unknown, ...values: unknown[]) =>
	values.map((value): [unknown, unknown] => [value, sent]);

const ODD_OBJECTS = [{}, { a: 1 }, new Code('({ toMillis: 5 })'), [[['deep']]]];
const NOT_TEXT = [true, new Code('NaN'), new Code('Infinity'), 1e300, ...ODD_OBJECTS];
const NO_NUMBERS = ['', 'many', '1,5', 'Infinity', true, null, [5], new Code('Infinity')];
const NOT_WHOLE = [...NO_NUMBERS, 1.5, 0, -1, new Code('NaN'), ...ODD_OBJECTS];
const NOT_SWITCH = ['yes', 'on', 2, -1, [true], new Code('NaN'), ...ODD_OBJECTS];

/** What an expression returns that has no value: to ignore it would mean all cases. */
const NO_VALUE = [null, [null], ['a', null], new Code('undefined')];

function filter(name: string, label: string, writings: fc.Arbitrary<Writing>, junk: unknown[]) {
	return {
		label,
		parameters: (expression: string) => ({ limit: 1, filters: { [name]: expression } }),
		received: () => filterSent(name),
		writings,
		junk: [...junk, ...NO_VALUE],
	};
}

/** Lists of one word each, which may be written in one text with commas. */
const words = (word: fc.Arbitrary<string>, more: (list: string[]) => unknown[] = () => []) =>
	fc.uniqueArray(word, { minLength: 1, maxLength: 4 }).chain((list) => {
		const withCommas = [list.join(', '), list.join(','), `${list.join(';')};`];
		const withBlanks = [
			['', ...list],
			[list.join(','), ' '],
		];
		return oneOf(
			...all(list, list, JSON.stringify(list), ...withCommas, ...withBlanks, ...more(list)),
		);
	});

const tag = fc.oneof(
	fc.constantFrom('vip, finance', '[external]', '[2026]', 'c++', '#1', '"quoted"', '1e3', 'null'),
	fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ''),
);
/** Lists of texts that may have commas. */
const tags = fc
	.uniqueArray(tag, { minLength: 1, maxLength: 4 })
	.filter((list) =>
		list.every((text) => !/^\s*\[.*"?.*\]\s*$/.test(text) || /^\[\w+\]$/.test(text)),
	)
	.chain((list) =>
		oneOf(
			...all(list, list, ['', ...list, []], JSON.stringify(list)),
			...(/[,\n]/.test(list[0]) ? [] : all([list[0]], list[0])),
			...all(['7', list[0]], [7, list[0]]),
			['', undefined],
		),
	);

const id = fc.integer({ min: 1, max: 999_999 }).map(String);
const email = fc
	.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom('example.com', 'soc.example.org'))
	.map(([user, host]) => `${user}@${host}`);

const moment = fc
	.integer({ min: Date.UTC(2002, 0, 1) / 1000, max: Date.UTC(2098, 0, 1) / 1000 })
	.map((seconds) => seconds * 1000);
const iso = (time: number) => new Date(time).toISOString();
const inSeconds = (time: number) => iso(time).replace('.000Z', 'Z');
const dates = (isEnd: boolean) =>
	moment.chain((time) => {
		const sent = inSeconds(time);
		const later = inSeconds(time + 1000);
		const inZone = new Code(`DateTime.fromMillis(${time}, { zone: 'Asia/Kathmandu' })`);
		const withOffset = iso(time - 7_200_000).replace('.000Z', '-02:00');
		return oneOf(
			...all(sent, sent, iso(time), time, time / 1000, new Code(`new Date(${time})`)),
			...all(sent, inZone, withOffset),
			...all(isEnd ? later : sent, iso(time + 1), iso(time + 999)),
			...all(sent, ` ${time / 1000} `, String(time)),
			['', undefined],
		);
	});
const NOT_DATES = [
	...['soon', '31.01.2026', '2026-02-30', 2026, 20260131, -1, 1.7e18, true],
	...[[1767225600], new Code('NaN'), new Code('new Date(NaN)'), ...ODD_OBJECTS],
	new Code("DateTime.invalid('made up')"),
];

const switches = oneOf(
	...all('true', true, 'true', 'TRUE', ' True ', 1, '1'),
	...all('false', false, 'false', 'False', 0, '0'),
	['', undefined],
);

const size = fc.integer({ min: 1, max: 40 });
const periods = { '15m': 900_000, '24h': 86_400_000, '7d': 604_800_000 };

const FIELDS: Field[] = [
	...[
		['and_tags', 'Tags (All)'],
		['or_tags', 'Tags (Any)'],
		['excluded_tags', 'Tags (None)'],
		['tags', 'Tags (Same as All)'],
		['records', 'Records'],
	].map(([name, label]) => filter(name, label, tags, NOT_TEXT)),
	filter(
		'assignees',
		'Assignees',
		words(id, (list) => [list.map(Number), `[${list.join(', ')}]`]),
		['Ana Lindqvist', ...NOT_TEXT],
	),
	...[
		['assignee_emails', 'Assignee Emails'],
		['author_emails', 'Author Emails'],
	].map(([name, label]) =>
		filter(name, label, words(email), ['Ana', 'Ana <ana@example.com>', 7, ...NOT_TEXT]),
	),
	filter(
		'case_ids',
		'Case IDs',
		words(id, (list) => [
			list.map(Number),
			list.join('\n'),
			list.map((one) => `#${one}`).join(' ; '),
		]),
		['1-5', 'abc', -1, 1.5, '', ' ', ...NOT_TEXT],
	),
	filter(
		'priority',
		'Priority',
		oneOf(
			...all('HIGH', 'HIGH', 'high', ' High ', 'HIGH,', 'high, HIGH', '["HIGH"]'),
			...all('HIGH', ['HIGH'], ['high', '']),
			['', undefined],
		),
		['urgent', 'HIGH+', 3, ['HIGH', 'urgent'], ...NOT_TEXT],
	),
	filter('status', 'Status', oneOf(...all('OPEN', 'OPEN', 'open', ' Open '), ['', undefined]), [
		'PENDING',
		'OPEN, CLOSED',
		['OPEN', 'CLOSED'],
		1,
		...NOT_TEXT,
	]),
	filter(
		'search',
		'Search',
		tag.chain((text) => oneOf([text, text], [7, '7'], ['', undefined])),
		[['a', 'b'], ...NOT_TEXT],
	),
	filter('assigned_to_me', 'Assigned to Me', switches, NOT_SWITCH),
	filter('unassigned', 'Unassigned', switches, NOT_SWITCH),
	...[
		['start_date', 'Date From'],
		['end_date', 'Date Until'],
		['resolved_at_start_date', 'Resolved From'],
		['resolved_at_end_date', 'Resolved Until'],
		['updated_at_start_date', 'Updated From'],
		['updated_at_end_date', 'Updated Until'],
	].map(([name, label]) =>
		filter(name, label, dates(name.endsWith('end_date')), [
			...NOT_DATES,
			...(name.endsWith('start_date') ? ['2100-01-01'] : []),
		]),
	),
	{
		...filter('team_id', 'Team', oneOf(...all('3', '3', 3, ' 3 '), ['', undefined]), [
			'SOC',
			-1,
			1.5,
			[3],
			...NOT_TEXT,
		]),
		received: () => query().team_id,
	},
	{
		...filter(
			'metadata',
			'Metadata',
			oneOf(['mail', { key: 'mail' }], [5, { key: '5' }], [true, { key: 'true' }]),
			[new Code('NaN'), ...ODD_OBJECTS],
		),
		parameters: (expression) => ({
			limit: 1,
			filters: { metadata: { pair: [{ key: 'key', value: expression }] } },
		}),
	},
	...['Updated', 'Resolved'].map((edit) => ({
		label: `${edit} Within the Last`,
		parameters: (expression: string) => ({
			...{ limit: 1, filters: { [`${edit.toLowerCase()}_within`]: expression } },
		}),
		received: () => {
			const start = filterSent(`${edit.toLowerCase()}_at_start_date`);
			if (start === undefined) return undefined;
			const age = Date.now() - Date.parse(String(start));
			return Object.entries(periods).find(([, length]) => Math.abs(age - length) < 300_000)?.[0];
		},
		writings: oneOf(
			...Object.keys(periods).flatMap((one) => all(one, one, ` ${one.toUpperCase()} `)),
			['', undefined],
		),
		junk: ['24', '1w', '24 h', '0h', 24, ['24h'], true, ...ODD_OBJECTS],
	})),
	{
		label: 'Return All',
		parameters: (returnAll) => ({ returnAll, limit: 3, filters: { case_ids: '1,2,3,4,5' } }),
		// All are read in full pages, three in one page of three.
		received: () => query().per_page,
		writings: oneOf(
			...all('50', true, 'true', ' TRUE ', 1, '1'),
			...all('3', false, 'false', 'False', 0, '0'),
		),
		junk: ['', null, ...NOT_SWITCH],
	},
	{
		label: 'Limit',
		parameters: (limit) => ({ limit }),
		received: () => query().per_page,
		writings: size.chain((n) => oneOf(...all(String(n), n, String(n), ` ${n} `))),
		junk: NOT_WHOLE,
	},
	{
		label: 'Page Size',
		parameters: (pageSize) => ({ returnAll: true, options: { pageSize } }),
		received: () => query().per_page,
		writings: size.map((n) => ({ value: String(n + 10), sent: String(n + 10) })),
		junk: NOT_WHOLE.filter((value) => value !== null),
	},
	...[
		['concurrency', 'Concurrency'],
		['timeout', 'Timeout (Ms)'],
		['maxRetries', 'Max Retries'],
	].map(([name, label]) => ({
		label,
		parameters: (expression: string) => ({ limit: 1, options: { [name]: expression } }),
		writings: fc.constant({ value: '16', sent: undefined }),
		junk: NOT_WHOLE.filter((value) => value !== null && !(name === 'maxRetries' && value === 0)),
	})),
	{
		label: 'Order',
		parameters: (order) => ({ limit: 1, order }),
		received: () => query().order,
		writings: oneOf(['PRIORITY_DESC', 'PRIORITY_DESC'], ['CREATED_ASC', 'CREATED_ASC']),
		junk: ['newest', '', null, 1, ...NOT_TEXT],
	},
	{
		label: 'Output',
		parameters: (output) => ({ limit: 1, output }),
		writings: oneOf(['raw', undefined]),
		junk: ['all', '', null, 1, ...NOT_TEXT],
	},
	{
		label: 'Fields',
		parameters: (fields) => ({ limit: 1, output: 'selected', fields }),
		writings: oneOf(['name, status', undefined], ['["name"]', undefined]),
		junk: [null, ...NOT_TEXT],
	},
];

/** Runs Get Many with a value by expression in a field. */
async function runWith({ parameters }: Field, value: unknown) {
	service.sandbox.clearRequests();
	const expression = value instanceof Code ? `={{ ${value.code} }}` : '={{ $json.value }}';
	const items = value instanceof Code ? undefined : [{ value } as unknown as IDataObject];
	return await service.run(parameters(expression), { items });
}

const codeOf = (value: unknown) =>
	value instanceof Code ? value.code : JSON.stringify(value).replaceAll('}}', '} }');

/** Runs Get Many with as many input items as there are values, each with one of them in the field. */
async function runWithEach({ parameters }: Field, values: unknown[]) {
	service.sandbox.clearRequests();
	return await service.run(parameters(`={{ [${values.map(codeOf).join(', ')}][$itemIndex] }}`), {
		items: values.map(() => ({})),
		onError: 'continueRegularOutput',
	});
}

describe('A value by expression', () => {
	it.each(FIELDS.map((field) => [field.label, field] as const))(
		'of %s arrives as its writer meant it',
		async (_label, field) => {
			const property = fc.asyncProperty(field.writings, async ({ value, sent }) => {
				const run = await runWith(field, value);
				expect(failureOf(run)).toMatchObject({ status: 'success', message: undefined });
				expect(field.received?.()).toEqual(sent);
			});
			// A field of few values has all of them soon.
			await fc.assert(property, { numRuns: RUNS, ignoreEqualValues: true });
		},
		TIMEOUT,
	);

	it.each(FIELDS.map((field) => [field.label, field] as const))(
		'of %s that means nothing is refused by its name before any request',
		async (label, field) => {
			// Options are read once for the run, from its first item.
			const runs =
				'options' in field.parameters('') ? field.junk.map((one) => [one]) : [field.junk];
			for (const junk of runs.slice(0, RUNS)) {
				const { items } = await runWithEach(field, junk);
				const refusals = items.map(({ json }, index) => ({ value: junk[index], ...json }));
				expect(refusals).toEqual(
					junk.map((value) => ({
						value,
						error: expect.stringMatching(
							new RegExp(`^[^.]*'${label.replace(/[()]/g, '\\$&')}'.{5,210}\\. \\S.{10,200}\\.$`),
						),
						details: { httpCode: null, body: null },
					})),
				);
			}
			expect(service.sandbox.requests).toEqual([]);
		},
		TIMEOUT,
	);
});
