import { FAR_FUTURE } from '../../nodes/Cases/api/timestamps';
import { FILTERS, parseFilters, type FilterName } from '../../nodes/Cases/fields/filters/filters';
import type { FieldForm } from '../../nodes/Cases/fields/form';
import { expectRefused, refusalOf } from '../support/refusal';

// That any text arrives letter by letter is tested in test/api/hostile.test.ts.
const NOW = Date.UTC(2026, 0, 31, 12);
const parse = (values: Record<string, unknown>) => parseFilters(values, 'Europe/Berlin', NOW);
const filtersOf = (values: Record<string, unknown>) => parse(values).filters;

describe('filters', () => {
	it('are read as the API wants them, all of them', () => {
		expect(
			parse({
				team_id: 3,
				and_tags: ['a', 'b'],
				tags: 'one, two\n three ',
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
			}),
		).toEqual({
			teamId: '3',
			caseIds: ['3', '2', '1'],
			filters: {
				and_tags: ['a', 'b'],
				tags: ['one', 'two', 'three'],
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
			},
		});
	});

	it('are the 21 of the API, the team, three periods and others', () => {
		expect(Object.keys(FILTERS)).toHaveLength(26);
	});

	it('are entered in fields that fit their values, with a default where they are added', () => {
		const formOf = ({ type, default: initial, typeOptions, options }: FieldForm) => ({
			...{ type, initial, ...typeOptions },
			...(type.endsWith('ptions') && options && { choices: options.map(({ name }) => name) }),
		});
		const suggesting = (
			loadOptionsMethod: string,
			type = 'multiOptions',
			initial: unknown = [],
		) => ({
			...{ type, initial, loadOptionsMethod, allowArbitraryValues: true },
		});
		const text = { type: 'string', initial: '' };
		const toggle = { type: 'boolean', initial: true };
		const date = { type: 'dateTime', initial: '' };
		const times = ['15 Minutes', '1 Hour', '4 Hours', '24 Hours', '7 Days', '30 Days', '90 Days'];
		const period = { type: 'options', initial: '24h', choices: times };
		const rows = { type: 'fixedCollection', multipleValues: true, sortable: true };
		expect(
			Object.fromEntries(
				Object.entries(FILTERS).map(([name, [, { form }]]) => [name, formOf(form)]),
			),
		).toEqual({
			...{ and_tags: suggesting('getTags'), tags: suggesting('getTags') },
			...{ or_tags: suggesting('getTags'), excluded_tags: suggesting('getTags') },
			...{ assigned_to_me: toggle, unassigned: toggle, assignees: suggesting('getUserIds') },
			...{ assignee_emails: suggesting('getUserEmails'), case_ids: text, search: text },
			author_emails: suggesting('getUserEmails'),
			metadata: {
				...{ ...rows, multipleValueButtonText: 'Add Pair' },
				initial: { pair: [{ key: '', value: '' }] },
			},
			priority: {
				...{ type: 'multiOptions', initial: ['CRITICAL'] },
				choices: ['Critical', 'High', 'Medium', 'Low', 'Info'],
			},
			status: { type: 'options', initial: 'OPEN', choices: ['Open', 'Closed'] },
			records: { ...text, multipleValues: true, multipleValueButtonText: 'Add Record' },
			...{ start_date: date, resolved_at_start_date: date, updated_at_start_date: date },
			...{ end_date: date, resolved_at_end_date: date, updated_at_end_date: date },
			...{ created_within: period, resolved_within: period, updated_within: period },
			team_id: suggesting('getTeams', 'options', ''),
			other: {
				...{ ...rows, multipleValueButtonText: 'Add Other Filter' },
				initial: { filter: [{ name: '', value: '' }] },
			},
		});
	});

	it.each(['', '  ', null, undefined])('that are blank are left out: %j', (blank) => {
		const values = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, blank]));
		expect(parse(values)).toEqual({ teamId: undefined, caseIds: undefined, filters: {} });
	});

	it.each<[string, unknown, unknown]>([
		['tags', ['', ' ', []], undefined],
		['or_tags', '[]', undefined],
		['tags', ' ["a", "b, c", 7, ""] ', ['a', 'b, c', '7']],
		['tags', [' a', 'b, c', 2026], ['a', 'b, c', '2026']],
		['author_emails', ['Ana@a.example'], ['Ana@a.example', 'ana@a.example']],
		[
			'assignee_emails',
			'a@a.example; b@b.example\nA@a.example',
			['a@a.example', 'b@b.example', 'A@a.example'],
		],
		['tags', '[2026]', ['[2026]']],
		['records', [[]], undefined],
		['records', ['host-1', [], ''], ['host-1']],
		['records', ['a', ['b', 'c']], ['a', 'b', 'c']],
		['metadata', { pair: [{ key: ' a ', value: null }] }, [[' a ', '']]],
		['metadata', { pair: [{ key: 'a', value: 0 }, { key: '' }] }, [['a', '0']]],
		['metadata', { pair: [{ key: 'a', value: true }] }, [['a', 'true']]],
	])('%s: %j is read as %j', (name, value, expected) => {
		expect(filtersOf({ [name]: value })).toEqual(
			expected === undefined ? {} : { [name]: expected },
		);
	});
});

it.each<[unknown, string[] | undefined]>([
	[7, ['7']],
	['7,8, 9;10\n11,', ['7', '8', '9', '10', '11']],
	[
		[7, '8,9', ['7']],
		['7', '8', '9'],
	],
	['', undefined],
	[undefined, undefined],
	// An empty list matches no case, not all of them.
	[[], []],
	['[]', []],
	[[''], []],
])('The case IDs %j are %j', (value, expected) => {
	expect(parse({ case_ids: value }).caseIds).toEqual(expected);
});

it.each<[unknown, object]>([
	[['HIGH'], { filters: { priority: 'HIGH' } }],
	[['HIGH', 'low', 'HIGH'], { filters: {}, priorities: ['HIGH', 'LOW'] }],
	['critical, high,', { filters: {}, priorities: ['CRITICAL', 'HIGH'] }],
	['["CRITICAL", "HIGH"]', { filters: {}, priorities: ['CRITICAL', 'HIGH'] }],
	[[], { filters: {} }],
])('The priorities %j are read as %j', (value, expected) => {
	expect(parse({ priority: value })).toEqual(expected);
});

describe('a range', () => {
	it('has its end rounded up to a second, and its start down, so that no case between is left out', () => {
		const time = '2026-01-31T09:00:00.001Z';
		expect(filtersOf({ start_date: time, end_date: time })).toEqual({
			start_date: '2026-01-31T09:00:00Z',
			end_date: '2026-01-31T09:00:01Z',
		});
	});

	it.each(['', 'resolved_at_', 'updated_at_'])(
		'of %sdates has in it the hour that comes twice when summer time ends',
		(which) => {
			const [start, end] = [`${which}start_date`, `${which}end_date`];
			const twice = '2026-10-25T02:30:00';
			expect(filtersOf({ [start]: twice, [end]: twice })).toEqual({
				[start]: '2026-10-25T00:30:00Z',
				[end]: '2026-10-25T01:30:00Z',
			});
		},
	);

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
	])('gets the far end that %s needs, and is refused if %s is earlier', (start, end, message) => {
		expect(filtersOf({ [start]: '2026-01-02Z' })).toEqual({
			[start]: '2026-01-02T00:00:00Z',
			[end]: FAR_FUTURE,
		});
		expect(Object.keys(filtersOf({ [end]: '2026-01-02' }))).toEqual([end]);
		expectRefused(
			() => parse({ [start]: '2026-01-02', [end]: '2026-01-01' }),
			message,
			/Swap the two dates, or remove one/,
		);
	});
});

describe('a period up to now', () => {
	test.each([
		['updated', '90m', '2026-01-31T10:30:00Z'],
		['updated', ' 90M ', '2026-01-31T10:30:00Z'],
		['resolved', '24h', '2026-01-30T12:00:00Z'],
		['updated', '7d', '2026-01-24T12:00:00Z'],
	])('%s within %s begins at %s and has an explicit end in the future', (name, period, start) => {
		expect(filtersOf({ status: 'OPEN', [`${name}_within`]: period })).toEqual({
			status: 'OPEN',
			[`${name}_at_start_date`]: start,
			[`${name}_at_end_date`]: FAR_FUTURE,
		});
	});

	it('of the creation becomes a time to compare, since the API lacks such a filter', () => {
		expect(parse({ created_within: '1h' })).toEqual({ filters: {}, createdSince: NOW - 3_600_000 });
	});

	it.each([
		['updated_at_start_date', 'Updated From'],
		['updated_at_end_date', 'Updated Until'],
	])('is refused beside %s', (name, label) => {
		expectRefused(
			() => parse({ [name]: '2026-01-01T00:00:00Z', updated_within: '1h' }),
			`'Updated Within the Last' and '${label}' both limit the same time`,
			/Remove one/,
		);
	});

	test.each(['0h', '24', 'h', '1w', '-1h', '1.5h', 24, '999999d', '1hour', '24 h', ['24h']])(
		'%j is refused',
		(period) => {
			expectRefused(
				() => parse({ updated_within: period }),
				/^'Updated Within the Last': .* is not a valid period$/,
				/Choose one/,
			);
		},
	);
});

describe('a filter with a wrong value', () => {
	const TEXT = /must return text, not an object/;
	const SWITCH = /Use the switch/;
	const LIST = /Choose from the list/;
	const ID = /positive whole number/;
	const HOLE = /end the list with \.filter\(Boolean\)/;
	const PAIR = /Add a pair, or remove 'Metadata'/;
	const [a, again] = ['1', '2'].map((value) => ({ key: 'a', value }));

	it.each<[FilterName, unknown, string, RegExp]>([
		['tags', [[['a']]], ': "["a"]" is not text', TEXT],
		['and_tags', [undefined, 'vip'], ': entry 1 of the list has no value', HOLE],
		['case_ids', ['', null], ': entry 1 of the list has no value', HOLE],
		[
			'search',
			'Host down \ud83d',
			': "Host down \ufffd" contains a broken character',
			/middle of an emoji/,
		],
		['records', ['a\0'], ': "a\ufffd" contains a broken character', /NUL/],
		['assignees', [NaN], ': "NaN" is not text', TEXT],
		['assignees', 1e21, ': "1e+21" is not text', TEXT],
		['assigned_to_me', 'yes', ': "yes" is neither true nor false', SWITCH],
		['priority', 'urgent', ': "urgent" is not one of CRITICAL, HIGH, MEDIUM, LOW, INFO', LIST],
		['priority', ['HIGH', 'x'], ': "x" is not one of CRITICAL, HIGH, MEDIUM, LOW, INFO', LIST],
		['status', ['OPEN'], ': "["OPEN"]" is not one of OPEN, CLOSED', LIST],
		['case_ids', 'abc', ': "abc" is not a case ID', ID],
		['case_ids', '7 8', ': "7 8" is not a case ID', ID],
		['case_ids', '1-5', ': "1-5" is not a case ID', ID],
		['case_ids', [7, {}], ': "{}" is not a case ID', ID],
		['case_ids', [true], ': "true" is not a case ID', ID],
		['team_id', 'SOC', ': "SOC" is not a team ID', ID],
		['assignees', 'Ana Lindqvist', ': "Ana Lindqvist" is not a user ID', /commas/],
		['author_emails', ['Ana'], ': "Ana" is not an email address', /commas/],
		['start_date', 'soon', ': "soon" is not a date from 1970 to 2099', /Pick a date/],
		['metadata', 'a=b', ' has no pair', PAIR],
		['metadata', [{ key: 'a', value: 'b' }], ' has no pair', PAIR],
		[
			'metadata',
			{ pair: [null, {}] },
			': the pair is empty',
			/Fill in a pair, or remove 'Metadata'/,
		],
		['metadata', { pair: [{ value: 'b' }] }, `: "" can't be used as a key`, /needs a key/],
		['metadata', { pair: [{ key: 'a[b]' }] }, `: "a[b]" can't be used as a key`, /without square/],
		['metadata', { pair: [{ key: 'a', value: ['b'] }] }, ': "["b"]" is not text', TEXT],
		['metadata', { pair: [a, again] }, ': "a" is there twice', /Keep one of the two pairs/],
	])('%s: %j is refused', (name, value, message, remedy) => {
		const refusal = refusalOf(() => parse({ [name]: value }));
		expect(refusal.message).toBe(`'${FILTERS[name][0]}'${message}`);
		expect(refusal.description).toMatch(remedy);
	});
});
