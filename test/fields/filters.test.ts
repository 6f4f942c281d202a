import fc from 'fast-check';
import { FILTERS, parseFilters } from '../../nodes/Cases/fields/filters/filters';
import { expectRefused } from '../support/refusal';

const parse = (values: Record<string, unknown>) => parseFilters(values, 'Europe/Berlin');
const filtersOf = (values: Record<string, unknown>) => parse(values).filters;

describe('filters', () => {
	it('are read as the API wants them, all of them', () => {
		const { teamId, caseIds, filters } = parse({
			team_id: 3,
			and_tags: ['a', 'b'],
			tags: 'one, with a comma',
			or_tags: [1, 'b'],
			excluded_tags: ['x'],
			assigned_to_me: true,
			unassigned: 'false',
			assignees: [7, '8'],
			assignee_emails: ['a@example.com'],
			author_emails: 'b@example.com',
			case_ids: '3, 2;1\n3',
			metadata: { pair: [{ key: 'source', value: 'mail' }] },
			priority: 'high',
			status: ' open ',
			records: ['host-1'],
			search: ' two words ',
			start_date: '2026-01-01T00:00:00',
			end_date: '2026-02-01T00:00:00Z',
			resolved_at_start_date: '2026-01-01',
			resolved_at_end_date: '2026-01-01',
			updated_at_start_date: new Date('2026-01-01T00:00:00.900Z'),
			updated_at_end_date: 1767225601000,
		});
		expect(teamId).toBe('3');
		expect(caseIds).toEqual(['3', '2', '1']);
		expect(filters).toEqual({
			and_tags: ['a', 'b'],
			tags: ['one, with a comma'],
			or_tags: ['1', 'b'],
			excluded_tags: ['x'],
			assigned_to_me: true,
			unassigned: false,
			assignees: ['7', '8'],
			assignee_emails: ['a@example.com'],
			author_emails: ['b@example.com'],
			metadata: [['source', 'mail']],
			priority: 'HIGH',
			status: 'OPEN',
			records: ['host-1'],
			search: ' two words ',
			start_date: '2025-12-31T23:00:00Z',
			end_date: '2026-02-01T00:00:00Z',
			resolved_at_start_date: '2025-12-31T23:00:00Z',
			resolved_at_end_date: '2025-12-31T23:00:00Z',
			updated_at_start_date: '2026-01-01T00:00:00Z',
			updated_at_end_date: '2026-01-01T00:00:01Z',
		});
	});

	it('are the 21 of the API, the team, three periods and others', () => {
		expect(Object.keys(FILTERS)).toHaveLength(26);
	});

	it('that are blank are left out', () => {
		const names = Object.keys(FILTERS);
		for (const blank of ['', '  ', null, undefined]) {
			const values = Object.fromEntries(names.map((name) => [name, blank]));
			expect(parse(values)).toEqual({ teamId: undefined, caseIds: undefined, filters: {} });
		}
		expect(filtersOf({ tags: ['', ' ', null, []], or_tags: '[]' })).toEqual({});
	});

	it.each([
		['start_date', 'end_date', "'Date From' is later than 'Date Until'"],
		[
			'resolved_at_start_date',
			'resolved_at_end_date',
			"'Resolved From' is later than 'Resolved Until'",
		],
		[
			'updated_at_start_date',
			'updated_at_end_date',
			"'Updated From' is later than 'Updated Until'",
		],
	])('%s and %s the wrong way round are refused', (start, end, message) => {
		expectRefused(
			() => parse({ [start]: '2026-01-02', [end]: '2026-01-01' }),
			message,
			/Swap the two dates, or remove one/,
		);
		expect(filtersOf({ [start]: '2026-01-02' })[end]).toBe('2099-12-31T23:59:59Z');
		expect(Object.keys(filtersOf({ [end]: '2026-01-02' }))).toEqual([end]);
	});
});

describe('an empty list of case IDs', () => {
	it('matches no case, not all of them', () => {
		expect(parse({ case_ids: [] }).caseIds).toEqual([]);
		expect(parse({ case_ids: ['', null] }).caseIds).toEqual([]);
	});

	it('differs from a blank field', () => {
		expect(parse({ case_ids: '' }).caseIds).toBeUndefined();
		expect(parse({}).caseIds).toBeUndefined();
		expect(parse({ case_ids: [1] }).caseIds).toEqual(['1']);
	});
});

describe('case IDs', () => {
	it.each<[unknown, string[] | undefined]>([
		[7, ['7']],
		['7', ['7']],
		['7,8, 9;10\n11,', ['7', '8', '9', '10', '11']],
		[
			[[7], [8]],
			['7', '8'],
		],
		[
			[7, '8,9', '7'],
			['7', '8', '9'],
		],
		['', undefined],
		[[], []],
	])('%j are %j', (value, expected) => {
		expect(parse({ case_ids: value }).caseIds).toEqual(expected);
	});

	it.each<[unknown]>([['7,x'], ['7 8'], [[7, {}]], [[[[7]]]], ['1-5'], [{ id: 7 }], [true]])(
		'%j are refused',
		(value) => {
			expectRefused(
				() => parse({ case_ids: value }),
				/^'Case IDs': .* is not a case ID$/,
				/positive whole/,
			);
		},
	);
});

describe('several priorities', () => {
	it.each<[unknown, object]>([
		[['HIGH'], { filters: { priority: 'HIGH' } }],
		['high', { filters: { priority: 'HIGH' } }],
		[['HIGH', 'low', 'HIGH'], { filters: {}, priorities: ['HIGH', 'LOW'] }],
		['critical, high,', { filters: {}, priorities: ['CRITICAL', 'HIGH'] }],
		['["CRITICAL", "HIGH"]', { filters: {}, priorities: ['CRITICAL', 'HIGH'] }],
		[[], { filters: {} }],
	])('%j are read as %j', (value, expected) => {
		expect(parse({ priority: value })).toEqual(expected);
	});
});

describe('an end of a range', () => {
	it('is rounded up to a second, and a start down, so that no case between is left out', () => {
		const time = '2026-01-31T09:00:00.001Z';
		expect(filtersOf({ start_date: time, end_date: time })).toEqual({
			start_date: '2026-01-31T09:00:00Z',
			end_date: '2026-01-31T09:00:01Z',
		});
	});
});

describe('text that is a list in JSON', () => {
	it.each<[string, unknown]>([
		['["a", "b, c"]', ['a', 'b, c']],
		[' [ "a" ] ', ['a']],
		['[external]', ['[external]']],
		['[2026]', ['[2026]']],
		['["a", 7]', ['a', '7']],
		['["a", null, ""]', ['a']],
		['["a"', ['["a"']],
	])('%s means %j as tags', (value, expected) => {
		expect(filtersOf({ tags: value })).toEqual({ tags: expected });
	});

	it('means no case if it is an empty list of case IDs', () => {
		expect(parse({ case_ids: '[]' }).caseIds).toEqual([]);
	});
});

describe('a row of a list', () => {
	it.each([[['']], [[[]]], [['host-1', []]], [[[], ' ']]])(
		'is left out if blank: %j',
		(records) => {
			const given = (records as unknown[]).includes('host-1') ? { records: ['host-1'] } : {};
			expect(filtersOf({ records })).toEqual(given);
		},
	);

	it('may be a list by expression', () => {
		expect(filtersOf({ records: ['a', ['b', 'c']] })).toEqual({ records: ['a', 'b', 'c'] });
	});
});

describe('a filter with a wrong value', () => {
	it.each<[string, unknown, RegExp, RegExp]>([
		[
			'tags',
			[[['a']]],
			/^'Tags \(Same as All\)': .* is not text$/,
			/must return text or a list of texts/,
		],
		[
			'tags',
			{ name: 'a' },
			/^'Tags \(Same as All\)': .* is not text$/,
			/must return text or a list of texts/,
		],
		['or_tags', [true], /^'Tags \(Any\)': "true" is not text$/, /must return text/],
		['assignees', [NaN], /^'Assignees': .* is not text$/, /must return text/],
		['search', ['a'], /^'Search': .* is not text$/, /must return text/],
		['search', {}, /^'Search': "\{\}" is not text$/, /must return text/],
		['assigned_to_me', 'yes', /^'Assigned to Me': "yes" is neither/, /Use the switch/],
		['unassigned', 2, /^'Unassigned': "2" is neither true nor false$/, /Use the switch/],
		[
			'priority',
			'urgent',
			/^'Priority': "urgent" is not one of CRITICAL, HIGH/,
			/Choose from the list/,
		],
		['priority', ['HIGH', 'urgent'], /^'Priority': "urgent" is not one of/, /Choose from the list/],
		['priority', [[['HIGH']]], /^'Priority': .* is not one of/, /Choose from the list/],
		['status', ['OPEN'], /^'Status': .* is not one of OPEN, CLOSED$/, /Choose from the list/],
		['case_ids', 'abc', /^'Case IDs': "abc" is not a case ID$/, /positive whole number/],
		['team_id', 'SOC', /^'Team': "SOC" is not a team ID$/, /positive whole number/],
		['assignees', 'Ana Lindqvist', /^'Assignees': "Ana Lindqvist" is not a user ID$/, /commas/],
		['author_emails', ['Ana'], /^'Author Emails': "Ana" is not an email address$/, /commas/],
		['assignees', 1e21, /^'Assignees': .* is not text$/, /must return text/],
		['start_date', 'soon', /^'Date From': "soon" is not a date from 1970 to 2099$/, /Pick a date/],
		...[{}, 'a=b', [{ key: 'a', value: 'b' }], { pair: 'a' }, { pair: [null, {}] }].map(
			(value): [string, unknown, RegExp, RegExp] => [
				'metadata',
				value,
				/^'Metadata' has no pair$/,
				/Add a pair, or remove 'Metadata'/,
			],
		),
		[
			'metadata',
			{ pair: [{ value: 'b' }] },
			/^'Metadata': "" can't be used as a key$/,
			/needs a key/,
		],
		[
			'metadata',
			{ pair: [{ key: 'a[b]', value: '' }] },
			/"a\[b\]" can't be used/,
			/without square/,
		],
		[
			'metadata',
			{ pair: [{ key: 'a', value: ['b'] }] },
			/^'Metadata': .* is not text$/,
			/must return text/,
		],
		[
			'metadata',
			{
				pair: [
					{ key: 'a', value: '1' },
					{ key: 'a', value: '2' },
				],
			},
			/^'Metadata': the key "a" is there twice$/,
			/Keep one of the two pairs/,
		],
	])('%s: %j is refused', (name, value, message, remedy) => {
		expectRefused(() => parse({ [name]: value }), message, remedy);
	});
});

describe('metadata', () => {
	it.each<[unknown, unknown]>([
		[
			{
				pair: [
					{ key: 'a', value: 0 },
					{ key: 'b', value: '' },
					{ key: 'c', value: true },
					{ key: '', value: '' },
				],
			},
			[
				['a', '0'],
				['b', ''],
				['c', 'true'],
			],
		],
		[{ pair: [{ key: ' a ', value: null }] }, [[' a ', '']]],
	])('%j is %j', (value, expected) => {
		expect(filtersOf({ metadata: value })).toEqual({ metadata: expected });
	});
});

describe('a text in a filter', () => {
	it('is passed on letter by letter', () => {
		const isList = (value: string) => value.trim().startsWith('[');
		const text = fc
			.string({ unit: 'grapheme' })
			.filter((value) => value.trim() !== '' && !isList(value));
		fc.assert(
			fc.property(text, (value) => {
				expect(filtersOf({ search: value, tags: value, records: [value] })).toEqual({
					search: value,
					tags: [value],
					records: [value],
				});
			}),
		);
	});
});
