import fc from 'fast-check';
import qs from 'qs';
import { parseAction, parseActionList } from '../../nodes/Cases/fields/actions';
import { FILTERS, parseFilters } from '../../nodes/Cases/fields/filters/filters';
import { parseCaseLocator } from '../../nodes/Cases/fields/caseLocator';
import { listPath, encodeQuery, replaceActionsRequest } from '../../nodes/Cases/api/http/requests';
import type { ArrayFormat } from '../../nodes/Cases/api/types';
import { outcomeOf } from '../support/refusal';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { webUrl } from '../support/webUrl';

/** Any code point; fast-check's own unit for that takes a second to make. */
const codePoint = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));

/** Texts that have broken encoders, parsers and path builders before. */
const nastyText = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.string({ unit: codePoint }),
	fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
	fc.constantFrom(
		'"',
		'[]',
		'][',
		'&page=2',
		'%25',
		'%2e%2e',
		'#',
		'?',
		';',
		'\r\n',
		'\0',
		'🤖',
		'\ud83d',
		'‮txt',
		'../../v1/events',
		'__proto__',
		'constructor',
		'0',
		'1e3',
		'null',
		'{{ $json }}',
		'1/../../users/9?x=',
		'1%2F..',
		'1;2',
		' ',
		',',
	),
	fc.nat(3).map((size) => 'é'.repeat(10 ** size)),
	fc.constant('x'.repeat(100_000)),
);

/** What expressions can give besides. */
const nastyValue = fc.oneof(
	{ weight: 4, arbitrary: nastyText },
	{ weight: 2, arbitrary: fc.array(nastyText, { maxLength: 4 }) },
	{
		weight: 1,
		arbitrary: fc.anything({ withNullPrototype: true, withDate: true }),
	},
	{ weight: 1, arbitrary: fc.dictionary(nastyText, fc.oneof(nastyText, fc.jsonValue())) },
	{
		weight: 1,
		arbitrary: fc.record({ pair: fc.array(fc.record({ key: nastyText, value: nastyText })) }),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom<unknown>(
			JSON.parse('{"__proto__":{"isAdmin":true}}'),
			{ constructor: { prototype: { isAdmin: true } } },
			[[['deep']]],
			null,
			-0,
			2 ** 53,
		),
	},
);

const format = fc.constantFrom<ArrayFormat>('brackets', 'indices', 'repeat', 'comma');
const OBJECT_MEMBERS = Object.getOwnPropertyNames(Object.prototype).sort();

/** Nothing that was parsed may have reached the prototype of all objects. */
afterEach(() => {
	expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(OBJECT_MEMBERS);
	expect('isAdmin' in {}).toBe(false);
});

/** Names and values of a query as pairs, the least that any server does with it. */
function pairsOf(query: string): Array<[string, string]> {
	if (query === '') return [];
	return query.split('&').map((part) => {
		const at = part.indexOf('=');
		return [decodeURIComponent(part.slice(0, at)), decodeURIComponent(part.slice(at + 1))];
	});
}

/** The texts that a value means, where it means any. A text of tags may have several. */
function textsOf(value: unknown, isTags: boolean): string[] {
	const entries: unknown[] =
		isTags && typeof value === 'string' ? value.split(/[,\n]/) : [value].flat();
	return entries
		.filter((one) => typeof one === 'number' || (typeof one === 'string' && one.trim() !== ''))
		.map((one) => (isTags ? String(one).trim() : String(one)));
}

/** Filters that take any text. */
const TEXTS = ['and_tags', 'tags', 'or_tags', 'excluded_tags', 'records', 'search'];

describe('hostile values in filters', () => {
	it.each(Object.entries(FILTERS).filter(([name]) => name !== 'team_id'))(
		'arrive as they were meant or are refused: %s',
		(name, [, { form }]) => {
			fc.assert(
				fc.property(nastyValue, format, (value, arrayFormat) => {
					const outcome = outcomeOf(() => {
						const { filters, caseIds } = parseFilters({ [name]: value }, 'UTC');
						const sent = caseIds === undefined ? filters : { case_ids: caseIds };
						return encodeQuery({ filters: sent }, arrayFormat);
					});
					if ('refusal' in outcome) {
						expect(outcome.refusal.message).not.toBe('');
						expect(outcome.refusal.description).not.toBe('');
						return;
					}
					const pairs = pairsOf(outcome.value);
					const names = new Set(pairs.map(([sent]) => sent.replace(/\[\d*\]$/, '')));
					if (form.type !== 'fixedCollection') {
						// A start date is always sent with an end date.
						const end = `filters[${name.replace('start_date', 'end_date')}]`;
						expect([...names].filter((sent) => ![`filters[${name}]`, end].includes(sent))).toEqual(
							[],
						);
					}
					if (TEXTS.includes(name)) {
						const sent = pairs.map(([, text]) => text);
						const meant = textsOf(value, name.endsWith('tags'));
						expect(arrayFormat === 'comma' ? sent.join(',') : sent).toEqual(
							arrayFormat === 'comma' ? meant.join(',') : meant,
						);
					}
					const read = qs.parse(outcome.value, { parameterLimit: Infinity, plainObjects: true });
					expect(Object.keys(read).filter((key) => key !== 'filters')).toEqual([]);
				}),
				{ numRuns: 25 * PROPERTY_TIMES },
			);
		},
	);

	it('in names and values of metadata stay where they belong', () => {
		fc.assert(
			fc.property(nastyText, nastyText, format, (key, value, arrayFormat) => {
				const outcome = outcomeOf(() => {
					const { filters } = parseFilters({ metadata: { pair: [{ key, value }] } }, 'UTC');
					return encodeQuery({ filters }, arrayFormat);
				});
				if ('refusal' in outcome) {
					expect(outcome.refusal.description).not.toBe('');
					return;
				}
				const isBlank = key.trim() === '' && value.trim() === '';
				expect(pairsOf(outcome.value)).toEqual(
					isBlank ? [] : [[`filters[metadata][${key}]`, value]],
				);
			}),
			{ numRuns: 50 * PROPERTY_TIMES },
		);
	});
});

describe('hostile case IDs', () => {
	it('reach no other path', () => {
		const locator = fc.oneof(
			nastyValue,
			fc.record({ mode: fc.constantFrom('id', 'list', 'url'), value: nastyValue }),
			nastyText.map((tail) => ({ mode: 'url', value: `https://acme.example.com/cases/${tail}` })),
			nastyText.map((head) => ({ mode: 'url', value: `https://${head}/cases/1` })),
			nastyText.map((tail) => ({ mode: 'id', value: `1${tail}` })),
		);
		fc.assert(
			fc.property(locator, (value) => {
				const outcome = outcomeOf(() => parseCaseLocator(value, 'https://acme.example.com'));
				if ('refusal' in outcome) {
					expect(outcome.refusal.description).not.toBe('');
					return;
				}
				for (const path of [
					listPath(outcome.value, 'comments'),
					replaceActionsRequest(outcome.value, []).path,
				]) {
					const url = new URL(`https://acme.example.com${path}`);
					expect(url.href).toBe(`https://acme.example.com${path}`);
					expect(url.pathname).toMatch(/^\/api\/v2\/cases\/[1-9]\d*\/(comments|actions\/batch)$/);
				}
			}),
			{ numRuns: 150 * PROPERTY_TIMES },
		);
	});
});

describe('hostile actions', () => {
	const field = fc.oneof(nastyValue, fc.constantFrom('https://a.example/hook', 'webhook', 'page'));
	const type = fc.oneof(fc.constantFrom('webhook', ' Page '), nastyText, fc.jsonValue());

	it('are sent as they were given or are refused', () => {
		const action = fc.record(
			{
				url: fc.oneof(
					field,
					webUrl(),
					nastyText.map((tail) => `https://a.example/${tail}`),
				),
				label: field,
				action_type: type,
				action_text: field,
			},
			{ requiredKeys: ['url', 'label', 'action_type'] },
		);
		fc.assert(
			fc.property(action, (given) => {
				const outcome = outcomeOf(() => parseAction(given, 'Action 1'));
				if ('refusal' in outcome) {
					expect(outcome.refusal.message).toMatch(/^'?Action 1/);
					expect(outcome.refusal.message.length).toBeLessThan(300);
					expect(outcome.refusal.description).not.toBe('');
					return;
				}
				const { url, label, action_type, action_text } = outcome.value;
				expect(url).toBe(String(given.url).trim());
				expect(['http:', 'https:']).toContain(new URL(url).protocol);
				expect(label).toBe(String(given.label).trim());
				expect(label).not.toBe('');
				expect(action_type).toBe(String(given.action_type).trim().toLowerCase());
				expect(action_text ?? '').toBe(String(given.action_text ?? '').trim());
				expect(JSON.parse(JSON.stringify(outcome.value))).toEqual(outcome.value);
			}),
			{ numRuns: 100 * PROPERTY_TIMES },
		);
	});

	it('in lists and in JSON are a list or a refusal', () => {
		const json = fc.json().map((text) => `{"actions":[${text}]}`);
		fc.assert(
			fc.property(fc.oneof(nastyValue, fc.json(), json), (value) => {
				const outcome = outcomeOf(() => parseActionList(value));
				if ('value' in outcome) expect(Array.isArray(outcome.value)).toBe(true);
				else expect(outcome.refusal.description).not.toBe('');
			}),
			{ numRuns: 100 * PROPERTY_TIMES },
		);
	});
});
