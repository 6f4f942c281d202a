import type { Sandbox } from '../../../sandbox';
import { hintsOf, idsOf, failureOf, pairsOf, range, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

type StoredCase = ReturnType<Sandbox['store']['getCase']>;

const service = useService({ cases: 120 });
/** A case of the tenant owner's user, who is otherwise assigned to none, and odd values for filters. */
const MINE = 121;
const ODD = 122;
const OWNER = 902;

beforeAll(() => {
	const { store } = service.sandbox;
	// Not now: an edit during a read makes the node read again.
	const created_at = '2026-01-15T10:00:00Z';
	store.createCase({ case_id: MINE, created_at, assignees: [OWNER], tags: ['mine'] });
	store.createCase({
		case_id: ODD,
		created_at,
		name: 'Odd + 50% & "more" = Ünïcödé 🔥 #1?',
		metadata: { 'owner & co': 'a+b=c/d?e', source: 'mailbox' },
		tags: ['vip, finance', 'c++'],
	});
});

const stored = () => [...service.sandbox.store.cases()];
const storedIds = (matches: (row: StoredCase) => boolean) =>
	stored()
		.filter(matches)
		.map(({ case_id }) => case_id);
const sorted = (ids: unknown[]) => [...ids].map(Number).sort((a, b) => a - b);
const hasTag = (row: StoredCase, name: string) => row.tags.some((tag) => tag.name === name);
const at = (text: string | null) => (text === null ? NaN : Date.parse(text));
const within = (text: string | null, from: string, to: string) =>
	at(text) >= Date.parse(from) && at(text) <= Date.parse(to);
const FUTURE = '2099-01-01T00:00:00Z';
const hasRecord = (row: StoredCase, value: string) =>
	JSON.stringify(row.records()).includes(`"${value}"`);

describe('every filter goes out under its own name and finds the right cases', () => {
	const firstRecord = () =>
		service.sandbox.store.getCase(5).records()[0].record_type_record_results[0].results[0].value;

	/** Filter, what the user enters, what is on the wire, and which cases of the service match. */
	const FILTERS: Array<[string, unknown, unknown, (row: StoredCase) => boolean]> = [
		[
			'and_tags',
			['malware', 'endpoint'],
			['malware', 'endpoint'],
			(row) => hasTag(row, 'malware') && hasTag(row, 'endpoint'),
		],
		['tags', ['malware'], ['malware'], (row) => hasTag(row, 'malware')],
		[
			'or_tags',
			['malware', 'phishing'],
			['malware', 'phishing'],
			(row) => hasTag(row, 'malware') || hasTag(row, 'phishing'),
		],
		[
			'excluded_tags',
			['malware', 'phishing'],
			['malware', 'phishing'],
			(row) => !hasTag(row, 'malware') && !hasTag(row, 'phishing'),
		],
		[
			'assigned_to_me',
			true,
			'true',
			({ assignees }) => assignees.some(({ user_id }) => user_id === OWNER),
		],
		['unassigned', true, 'true', ({ assignees }) => assignees.length === 0],
		[
			'assignees',
			['1', '2'],
			['1', '2'],
			({ assignees }) => assignees.some(({ user_id }) => user_id === 1 || user_id === 2),
		],
		[
			'assignee_emails',
			['ana.lindqvist@example.com'],
			['ana.lindqvist@example.com'],
			({ assignees }) => assignees.some(({ user_id }) => user_id === 1),
		],
		[
			'author_emails',
			['ana.lindqvist@example.com', 'jonas.orourke@example.com'],
			['ana.lindqvist@example.com', 'jonas.orourke@example.com'],
			({ author }) => author.user_id === 1 || author.user_id === 10,
		],
		['case_ids', '3, 7,11', ['3', '7', '11'], ({ case_id }) => [3, 7, 11].includes(case_id)],
		[
			'metadata',
			{
				pair: [
					{ key: 'source', value: 'siem' },
					{ key: 'region', value: 'emea' },
				],
			},
			{ source: 'siem', region: 'emea' },
			({ metadata }) => metadata.source === 'siem' && metadata.region === 'emea',
		],
		['priority', 'CRITICAL', 'CRITICAL', ({ priority }) => priority === 'CRITICAL'],
		['status', 'CLOSED', 'CLOSED', ({ status }) => status === 'CLOSED'],
		[
			'search',
			'malware detected',
			'malware detected',
			({ name, description }) =>
				`${name}\n${description}`.toLowerCase().includes('malware detected'),
		],
		[
			'start_date',
			'2026-01-10T00:00:00Z',
			'2026-01-10T00:00:00Z',
			({ created_at }) => within(created_at, '2026-01-10T00:00:00Z', '2026-02-01T00:00:00Z'),
		],
		[
			'end_date',
			'2025-12-01T00:00:00Z',
			'2025-12-01T00:00:00Z',
			({ created_at }) => at(created_at) <= Date.parse('2025-12-01T00:00:00Z'),
		],
		[
			'resolved_at_start_date',
			'2026-01-10T00:00:00Z',
			'2026-01-10T00:00:00Z',
			({ resolved_at }) => within(resolved_at, '2026-01-10T00:00:00Z', FUTURE),
		],
		[
			'resolved_at_end_date',
			'2025-12-01T00:00:00Z',
			'2025-12-01T00:00:00Z',
			({ resolved_at }) => at(resolved_at) <= Date.parse('2025-12-01T00:00:00Z'),
		],
		[
			'updated_at_start_date',
			'2026-01-10T00:00:00Z',
			'2026-01-10T00:00:00Z',
			({ updated_at }) => within(updated_at, '2026-01-10T00:00:00Z', '2026-02-01T00:00:00Z'),
		],
		[
			'updated_at_end_date',
			'2025-12-01T00:00:00Z',
			'2025-12-01T00:00:00Z',
			({ updated_at }) => at(updated_at) <= Date.parse('2025-12-01T00:00:00Z'),
		],
	];

	test.each(FILTERS)('%s', async (name, entered, sent, matches) => {
		const run = await service.run({ returnAll: true, filters: { [name]: entered } });
		const expected = storedIds(matches);
		expect(expected.length).toBeGreaterThan(0);
		expect(expected.length).toBeLessThan(stored().length);
		expect(service.sandbox.requests[0].query).toEqual({
			filters: { [name]: sent },
			order: 'CREATED_ASC',
			per_page: '50',
			page: '1',
		});
		expect(sorted(idsOf(run))).toEqual(sorted(expected));
	});

	it('records', async () => {
		const value = firstRecord();
		const run = await service.run({
			returnAll: true,
			filters: { records: [value, 'no such record'] },
		});
		expect(service.sandbox.requests[0].query.filters).toEqual({
			records: [value, 'no such record'],
		});
		expect(sorted(idsOf(run))).toEqual(storedIds((row) => hasRecord(row, value)));
		expect(idsOf(run)).toContain(5);
	});

	it('team_id, beside the filters', async () => {
		const run = await service.run({ returnAll: true, filters: { team_id: '3', status: 'OPEN' } });
		expect(service.sandbox.requests[0].query).toEqual({
			filters: { status: 'OPEN' },
			team_id: '3',
			order: 'CREATED_ASC',
			per_page: '50',
			page: '1',
		});
		const expected = storedIds(({ team, status }) => team.id === 3 && status === 'OPEN');
		expect(expected.length).toBeGreaterThan(0);
		expect(sorted(idsOf(run))).toEqual(expected);
	});

	it('tests every filter that the form offers', async () => {
		const { builtTypes } = await import('../../../tools/engine/load');
		const { properties } = (await builtTypes()).nodeTypes.getByNameAndVersion(
			'n8n-nodes-cases.cases',
			1,
		).description;
		const filters = properties.filter(({ name }) => name === 'filters');
		const tested = [...FILTERS.map(([name]) => name), 'records', 'team_id'].sort();
		for (const { options = [] } of filters) {
			expect(options.map(({ name }) => name).sort()).toEqual(tested);
		}
		expect(filters).toHaveLength(2);
	});

	it('joins all filters, and sends none for those left out', async () => {
		const run = await service.run({
			returnAll: true,
			filters: { status: 'OPEN', unassigned: true, excluded_tags: ['malware'] },
		});
		expect(service.sandbox.requests[0].query.filters).toEqual({
			status: 'OPEN',
			unassigned: 'true',
			excluded_tags: ['malware'],
		});
		expect(sorted(idsOf(run))).toEqual(
			storedIds(
				(row) => row.status === 'OPEN' && row.assignees.length === 0 && !hasTag(row, 'malware'),
			),
		);
	});
});

describe('the value of a filter', () => {
	const wire = async (filters: unknown, json = {}, timezone?: string) => {
		rowsOf(await service.run({ filters }, { items: [json], timezone }));
		return service.sandbox.requests[0].query.filters;
	};

	test.each([
		['status', ''],
		['priority', '  '],
		['search', ''],
		['search', ' '],
		['tags', []],
		['tags', ['', ' ']],
		['tags', ''],
		['case_ids', ''],
		['metadata', {}],
		['metadata', { pair: [] }],
		['metadata', { pair: [{ key: '', value: '' }] }],
		['records', ['']],
		['start_date', ''],
		['team_id', ''],
		['assignees', '={{ undefined }}'],
		['status', '={{ null }}'],
	])('is not sent where it is blank: %s = %j', async (name, value) => {
		expect(await wire({ [name]: value })).toBeUndefined();
		expect(service.sandbox.requests[0].query).not.toHaveProperty('team_id');
	});

	test.each([
		'needs review',
		'vip, finance',
		'r&d',
		'"quoted"',
		'50% done',
		'c++',
		'a=b',
		'tier/1',
		'#1 priority',
		'[external]',
		'🔥 on fire',
	])('may have odd characters: the tag %s', async (tag) => {
		const run = await service.run({ returnAll: true, filters: { tags: [tag] } });
		expect(service.sandbox.requests[0].query.filters).toEqual({ tags: [tag] });
		expect(sorted(idsOf(run))).toEqual(storedIds((row) => hasTag(row, tag)));
	});

	it('may have odd characters in a search and in keys and values of metadata', async () => {
		const search = '+ 50% & "more" = Ünïcödé 🔥 #1?';
		expect(idsOf(await service.run({ filters: { search } }))).toEqual([ODD]);
		const metadata = { pair: [{ key: 'owner & co', value: 'a+b=c/d?e' }] };
		expect(idsOf(await service.run({ filters: { metadata } }))).toEqual([ODD]);
	});

	test.each([
		['a list', ['vip, finance', 'c++'], ['vip, finance', 'c++']],
		['one text, which is one tag even with a comma', 'vip, finance', ['vip, finance']],
	])('of a multi-select may come by expression as %s', async (_form, tags, sent) => {
		const run = await service.run(
			{ filters: { tags: '={{ $json.tags }}' } },
			{ items: [{ tags }] },
		);
		expect(service.sandbox.requests[0].query.filters).toEqual({ tags: sent });
		expect(idsOf(run)).toContain(ODD);
	});

	test.each([
		['text with commas and blanks', ' 4711,  12\n13 ', ['4711', '12', '13']],
		['a number', 12, ['12']],
		['a list of numbers and texts', [12, '13', '14,15'], ['12', '13', '14', '15']],
		['the same ID twice', '12, 12, 012', ['12']],
		['an ID above 2^53', '90071992547409931234', undefined],
	])('case_ids may be %s', async (_form, value, sent) => {
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.ids }}' } },
			{ items: [{ ids: value }] },
		);
		if (sent === undefined) {
			expect(failureOf(run)).toMatchObject({
				message: expect.stringContaining('is not a case ID'),
			});
			return;
		}
		expect(service.sandbox.requests[0].query.filters).toEqual({ case_ids: sent });
	});

	it('case_ids as an empty list asks for no case, not for all of them, and says so', async () => {
		const run = await service.run(
			{ returnAll: true, filters: { case_ids: '={{ $json.ids }}' } },
			{ items: [{ ids: [] }] },
		);
		expect(rowsOf(run)).toEqual([]);
		expect(service.sandbox.requests).toEqual([]);
		expect(hintsOf(run)).toHaveLength(1);
		expect(hintsOf(run)[0]).toMatch(/Case IDs was an empty list/);
	});

	test.each([
		['the picker, in the workflow’s timezone', '2026-01-10T09:00:00', '2026-01-10T00:00:00Z'],
		['a day', '2026-01-10', '2026-01-09T15:00:00Z'],
		['an offset', '2026-01-10T09:00:00+02:00', '2026-01-10T07:00:00Z'],
		['UTC with milliseconds', '2026-01-10T09:00:00.750Z', '2026-01-10T09:00:00Z'],
		[
			'a Luxon expression',
			'={{ $now.set({ year: 2026, month: 1, day: 10 }).startOf("day") }}',
			'2026-01-09T15:00:00Z',
		],
		['a JavaScript date', '={{ new Date(Date.UTC(2026, 0, 10)) }}', '2026-01-10T00:00:00Z'],
		['milliseconds', '={{ Date.UTC(2026, 0, 10) }}', '2026-01-10T00:00:00Z'],
	])('a date goes out in UTC with seconds and Z: %s', async (_form, start_date, sent) => {
		expect(await wire({ start_date }, {}, 'Asia/Tokyo')).toEqual({ start_date: sent });
	});

	it('a date of summer time is that of its own day', async () => {
		const filters = { start_date: '2026-01-10T09:00:00', end_date: '2026-07-10T09:00:00' };
		expect(await wire(filters, {}, 'Europe/Berlin')).toEqual({
			start_date: '2026-01-10T08:00:00Z',
			end_date: '2026-07-10T07:00:00Z',
		});
	});

	test.each([
		[true, 'true'],
		[false, 'false'],
	])('a switch goes out as it is set: %s', async (value, sent) => {
		expect(await wire({ assigned_to_me: value })).toEqual({ assigned_to_me: sent });
	});

	test.each([
		['status', '={{ "open" }}', 'OPEN'],
		['priority', '={{ " Critical " }}', 'CRITICAL'],
	])('%s by expression may be in any case of letters', async (name, value, sent) => {
		expect(await wire({ [name]: value })).toEqual({ [name]: sent });
	});
});

describe('a filter that can’t be used is refused before any request', () => {
	test.each([
		[
			'status',
			'={{ "PENDING" }}',
			'Status: "PENDING" is not one of OPEN, CLOSED',
			'Choose one of them',
		],
		['priority', '={{ "URGENT" }}', 'Priority: "URGENT" is not one of', 'Choose one of them'],
		['case_ids', '={{ "12, abc" }}', '"abc" is not a case ID', 'positive whole number'],
		['case_ids', '1/../../users', '"1/../../users" is not a case ID', 'positive whole number'],
		['team_id', '={{ -3 }}', '"-3" is not a team ID', 'positive whole number'],
		['start_date', '={{ "yesterday" }}', 'Start Date: "yesterday" is not a date', '2026-01-31'],
		[
			'updated_at_start_date',
			'={{ "2026-02-31" }}',
			'Updated From: "2026-02-31" is not a date',
			'2026-01-31',
		],
		[
			'assigned_to_me',
			'={{ "maybe" }}',
			'Assigned to Me: "maybe" is neither true nor false',
			'switch',
		],
		['tags', '={{ [{ name: "a" }] }}', 'Tags: "{"name":"a"}" is not text', 'list of texts'],
		['search', '={{ ["a"] }}', 'Search: "["a"]" is not text', 'expression'],
		['metadata', { pair: [{ key: '', value: 'x' }] }, 'Metadata: a pair has no key', 'key'],
		[
			'metadata',
			{ pair: [{ key: 'a]', value: 'x' }] },
			'Metadata: "a]" can\'t be used as a key',
			'brackets',
		],
		[
			'metadata',
			{
				pair: [
					{ key: 'a', value: '1' },
					{ key: 'a', value: '2' },
				],
			},
			'Metadata: the key "a" is given twice',
			'Keep one',
		],
		['records', '={{ ["cut \\ud83d"] }}', 'contains half of a character', 'Cut it elsewhere'],
	])('%s = %j', async (name, value, message, description) => {
		const run = await service.run({ filters: { [name]: value } });
		expect(failureOf(run)).toMatchObject({
			status: 'error',
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			description: expect.stringContaining(description),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	test.each([
		['start_date', 'end_date', 'Start Date is later than End Date'],
		[
			'resolved_at_start_date',
			'resolved_at_end_date',
			'Resolved From is later than Resolved Until',
		],
		['updated_at_start_date', 'updated_at_end_date', 'Updated From is later than Updated Until'],
	])('%s after %s', async (start, end, message) => {
		const filters = { [start]: '2026-01-02T00:00:00Z', [end]: '2026-01-01T00:00:00Z' };
		const run = await service.run({ filters });
		expect(failureOf(run)).toMatchObject({
			message,
			description: expect.stringContaining('Exchange the two dates'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('filters that make the address too long, other than case IDs, which are split', async () => {
		const run = await service.run({
			filters: { records: range(1, 400).map((n) => `record ${n}`) },
		});
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(/address of \d+ characters, more than the 6000/),
			description: expect.stringContaining('Shorten the longest filter'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('Within the Last, a time up to now,', () => {
	const HOUR = 3_600_000;
	const agesOf = (name: string) => {
		const filters = service.sandbox.requests[0].query.filters as Record<string, string>;
		return [Date.now() - Date.parse(filters[`${name}start_date`]), filters[`${name}end_date`]];
	};

	test.each([
		['updated_at', 'updated_at_', '24h', 24 * HOUR],
		['resolved_at', 'resolved_at_', '90m', 1.5 * HOUR],
		['start_date', '', '7d', 168 * HOUR],
	])(
		'%s is sent as a start and an explicit end in the future',
		async (name, prefix, period, length) => {
			const { store } = service.sandbox;
			const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
			// Well inside and outside of the time, whatever this test's own duration.
			const moments = (at: string) => ({ created_at: at, updated_at: at, resolved_at: at });
			const young = store.createCase({ status: 'CLOSED', ...moments(ago(length / 2)) });
			const old = store.createCase({ status: 'CLOSED', ...moments(ago(length * 2)) });
			const run = await service.run({ withinLast: { [name]: period }, limit: 50 });
			for (const { case_id } of [young, old]) store.deleteCase(case_id);
			expect(idsOf(run)).toEqual([young.case_id]);
			const [age, end] = agesOf(prefix);
			expect(age).toBeGreaterThanOrEqual(length);
			expect(age).toBeLessThan(length + 60_000);
			expect(Date.parse(String(end))).toBeGreaterThan(Date.now());
		},
	);

	test.each(['yesterday', '24', '0h', '-1d', '1.5h'])(
		'%j is refused before any request',
		async (period) => {
			const run = await service.run({ withinLast: { updated_at: `={{ "${period}" }}` } });
			expect(failureOf(run)).toMatchObject({
				message: `Within the Last: "${period}" is no period`,
				description: expect.stringContaining('90m, 24h or 7d'),
				item: 0,
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it('and the same dates among the filters are refused', async () => {
		const run = await service.run({
			withinLast: { updated_at: '24h' },
			filters: { updated_at_end_date: '2026-01-01T00:00:00Z' },
		});
		expect(failureOf(run)).toMatchObject({
			message: 'Updated From is given both by Within the Last and by Filters',
			description: 'Remove one of the two.',
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('each order is sent and gives the cases as the service orders them', () => {
	const PRIORITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
	const updated = (row: StoredCase) => at(row.updated_at);
	const created = (row: StoredCase) => at(row.created_at);
	const opened = (row: StoredCase) => at(row.opened_at);
	const priority = (row: StoredCase) => PRIORITIES.indexOf(row.priority);
	const ORDERS: Array<[string, (row: StoredCase) => number, 1 | -1]> = [
		['RECENTLY_EDITED', updated, -1],
		['LEAST_RECENTLY_EDITED', updated, 1],
		['PRIORITY_ASC', priority, 1],
		['PRIORITY_DESC', priority, -1],
		['OPENED_ASC', opened, 1],
		['OPENED_DESC', opened, -1],
		['CREATED_ASC', created, 1],
		['CREATED_DESC', created, -1],
	];
	const inOrder = (key: (row: StoredCase) => number, direction: number) =>
		stored()
			.sort((a, b) => {
				const [left, right] = [key(a), key(b)];
				if (Number.isNaN(left) || Number.isNaN(right)) {
					return Number(Number.isNaN(left)) - Number(Number.isNaN(right)) || a.case_id - b.case_id;
				}
				return direction * (left - right) || a.case_id - b.case_id;
			})
			.map(({ case_id }) => case_id);

	test.each(ORDERS)('%s, over all pages', async (order, key, direction) => {
		const run = await service.run({ returnAll: true, sort: { order } });
		const pages = service.sandbox.requests.filter(({ query }) => query.per_page === '50');
		expect(pages.map(({ query }) => query.order)).toEqual([order, order, order]);
		expect(idsOf(run)).toEqual(inOrder(key, direction));
	});

	test.each(ORDERS)('%s, cut by Limit', async (order, key, direction) => {
		const run = await service.run({ limit: 7, sort: { order } });
		expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
			{ order, per_page: '7', page: '1' },
		]);
		expect(idsOf(run)).toEqual(inOrder(key, direction).slice(0, 7));
	});

	it('without one, a read of more than one page sends CREATED_ASC, as paging needs a stable order', async () => {
		const run = await service.run({ limit: 60 });
		expect(service.sandbox.requests.map(({ query }) => query.order)).toEqual([
			'CREATED_ASC',
			'CREATED_ASC',
		]);
		expect(idsOf(run)).toEqual(inOrder(created, 1).slice(0, 60));
	});

	it('without one, a read of one page leaves the order to the service', async () => {
		await service.run({ limit: 50 });
		expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
			{ per_page: '50', page: '1' },
		]);
	});

	it('an order that the service doesn’t know is refused before any request', async () => {
		const run = await service.run({ sort: { order: '={{ "BY_NAME" }}' } });
		expect(failureOf(run)).toMatchObject({
			message: 'Sort: "BY_NAME" is not an order of the service',
			description: expect.stringContaining('PRIORITY_DESC'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('Limit', () => {
	/** Limit, Page Size, and the pages and page size that are asked for. */
	test.each([
		[1, 50, [1], '1'],
		[7, 50, [1], '7'],
		[50, 50, [1], '50'],
		[51, 50, [1, 2], '50'],
		[100, 50, [1, 2], '50'],
		[122, 50, [1, 2, 3], '50'],
		[10, 4, [1, 2, 3], '4'],
		[8, 4, [1, 2], '4'],
		[5000, 50, [1, 2, 3], '50'],
	])(
		'%i with pages of %i costs only the pages it needs',
		async (limit, pageSize, pages, perPage) => {
			const options = pageSize === 50 ? {} : { pageSize };
			const run = await service.run({ limit, options });
			const { requests } = service.sandbox;
			expect(requests.map(({ query }) => Number(query.page)).sort()).toEqual(pages);
			expect(requests.every(({ query }) => query.per_page === perPage)).toBe(true);
			expect(new Set(idsOf(run)).size).toBe(Math.min(limit, stored().length));
			expect(idsOf(run)).toHaveLength(Math.min(limit, stored().length));
		},
	);

	it('is 50 where nothing is chosen', async () => {
		expect(idsOf(await service.run({}))).toHaveLength(50);
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
	});

	it('that cuts the result says so in a hint, and one that doesn’t is silent', async () => {
		expect(hintsOf(await service.run({ limit: 5 }))).toEqual([
			'Limit cut the output: at least 121 cases match. Turn on Return All to get them all.',
		]);
		expect(hintsOf(await service.run({ limit: 122 }))).toEqual([]);
		expect(hintsOf(await service.run({ limit: 50, filters: { case_ids: '1,2' } }))).toEqual([]);
	});

	it('may be a text by expression', async () => {
		expect(idsOf(await service.run({ limit: '={{ "3" }}' }))).toHaveLength(3);
	});

	test.each([0, -1, 1.5, 'many', '', null])('%j is refused before any request', async (limit) => {
		const run = await service.run({ limit: '={{ $json.limit }}' }, { items: [{ limit }] });
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(/^Limit: .* is not a whole number/),
			description: expect.stringContaining('Enter a whole number from 1'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('Return All', () => {
	it('gives each case once', async () => {
		const run = await service.run({ returnAll: true });
		expect(idsOf(run)).toHaveLength(122);
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
	});

	it('costs two requests more than there are pages, to show that no row moved', async () => {
		await service.run({ returnAll: true });
		expect(service.sandbox.requests).toHaveLength(3 + 2);
	});

	it('costs one request where all fits into one page', async () => {
		await service.run({ returnAll: true, filters: { case_ids: '1,2,3' } });
		expect(service.sandbox.requests).toHaveLength(1);
	});

	it('looks for edits meanwhile with an explicit end in the future', async () => {
		await service.run({ returnAll: true });
		const { filters } = service.sandbox.requests.at(-1)?.query as {
			filters: Record<string, string>;
		};
		expect(Date.parse(filters.updated_at_end_date)).toBeGreaterThan(Date.now());
	});

	test.each([
		['no meta at all', { kind: 'metaMissing' }],
		['a meta without page counts', { kind: 'meta', patch: { pages: null, next_page: null } }],
		['pages clamped to 20', { kind: 'clampPageSize', to: 20 }],
		[
			'a wrong number of pages',
			{ kind: 'meta', patch: { pages: 1, next_page: 'https://example.com/' } },
		],
		['page counts as text', { kind: 'meta', patch: { pages: '3', per_page: '50' } }],
	] as const)('is complete with %s', async (_what, fault) => {
		service.sandbox.faults.add({ fault });
		const run = await service.run({ returnAll: true });
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
		expect(idsOf(run)).toHaveLength(122);
	});

	it('never asks another host for the next page', async () => {
		const next_page = 'https://evil.example.com/api/v2/cases?page=2';
		service.sandbox.faults.add({ fault: { kind: 'meta', patch: { next_page, pages: null } } });
		expect(sorted(idsOf(await service.run({ returnAll: true })))).toEqual(range(1, 122));
	});

	it('is complete with pages clamped to 20 under a Limit too', async () => {
		service.sandbox.faults.add({ fault: { kind: 'clampPageSize', to: 20 } });
		expect(new Set(idsOf(await service.run({ limit: 70 }))).size).toBe(70);
	});

	test.each(range(1, 3))(
		'loses no case and gives none twice when another vanishes as page %i is read',
		async (page) => {
			const { store, faults } = service.sandbox;
			const victim = store.createCase({
				created_at: '2024-01-01T00:00:00Z',
				updated_at: '2024-01-01T00:00:00Z',
			});
			faults.add({
				match: { page, nth: page === 1 ? 2 : 1 },
				fault: { kind: 'change', run: () => store.deleteCase(victim.case_id) },
			});
			const run = await service.run({ returnAll: true });
			const ids = idsOf(run).filter((id) => id !== victim.case_id);
			expect(sorted(ids)).toEqual(range(1, 122));
			expect(store.findCase(victim.case_id)).toBeUndefined();
		},
	);

	it('reads again after an edit that moved rows, and stays silent once a read was at rest', async () => {
		const { store, faults } = service.sandbox;
		const before = store.getCase(60);
		faults.add({
			match: { page: 2 },
			fault: {
				kind: 'change',
				run: () => void store.updateCase(60, { updated_at: new Date() }),
			},
		});
		const run = await service.run({ returnAll: true, sort: { order: 'RECENTLY_EDITED' } });
		store.updateCase(60, { updated_at: before.updated_at });
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
		expect(service.sandbox.requests.length).toBeGreaterThan(5);
	});

	it('says in a hint that cases moved, where the list is never at rest', async () => {
		const { store, faults } = service.sandbox;
		const before = store.getCase(60);
		faults.add({
			match: { page: 2, everyNth: 1 },
			fault: {
				kind: 'change',
				run: () => void store.updateCase(60, { updated_at: new Date() }),
			},
		});
		const run = await service.run({ returnAll: true });
		store.updateCase(60, { updated_at: before.updated_at });
		expect(sorted(idsOf(run))).toEqual(range(1, 122));
		expect(hintsOf(run)).toHaveLength(1);
		expect(hintsOf(run)[0]).toMatch(/^The list kept changing while it was read \(1 case edited\)/);
	});
});

describe('a case that comes twice', () => {
	it('is in the output once, and a hint says so', async () => {
		const { store, faults } = service.sandbox;
		let extra = 0;
		faults.add({
			match: { page: 2 },
			fault: {
				kind: 'change',
				run: () => {
					extra = store.createCase({ created_at: '2024-01-01T00:00:00Z' }).case_id;
				},
			},
		});
		const run = await service.run({ limit: 100, options: { concurrency: 1 } });
		store.deleteCase(extra);
		expect(new Set(idsOf(run)).size).toBe(idsOf(run).length);
		expect(hintsOf(run)).toContainEqual(expect.stringMatching(/^1 case came on two pages/));
	});
});

describe('a long list of case IDs', () => {
	it('is split into pages of fifty and merged in the order asked, each case once', async () => {
		const asked = range(1, 120).reverse();
		const case_ids = [...asked, 5, 999_999].join(',');
		const run = await service.run({ returnAll: true, filters: { case_ids } });
		expect(idsOf(run)).toEqual(asked);
		const sent = service.sandbox.requests.map(
			({ query }) => (query.filters as { case_ids: string[] }).case_ids.length,
		);
		expect(sent.sort()).toEqual([21, 50, 50]);
	});

	it('is sorted by the chosen order', async () => {
		const case_ids = range(1, 120).reverse().join(',');
		const run = await service.run({
			returnAll: true,
			filters: { case_ids },
			sort: { order: 'PRIORITY_DESC' },
		});
		const ranks = idsOf(run).map((id) =>
			['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'].indexOf(
				service.sandbox.store.getCase(id as number).priority,
			),
		);
		expect(ranks).toHaveLength(120);
		expect(ranks).toEqual([...ranks].sort());
	});

	it('never makes an address of more than 6,000 characters', async () => {
		const records = range(1, 100).map((n) => `record-${n}-${'x'.repeat(15)}`);
		const case_ids = range(1_000_000_000_000, 1_000_000_000_099).join(',');
		const run = await service.run({ returnAll: true, filters: { case_ids, records } });
		expect(rowsOf(run)).toEqual([]);
		const { requests } = service.sandbox;
		expect(requests.length).toBeGreaterThan(2);
		for (const { path, queryString } of requests) {
			expect(`${path}?${queryString}`.length).toBeLessThanOrEqual(6000);
		}
		const sent = requests.flatMap(
			({ query }) => (query.filters as { case_ids: string[] }).case_ids,
		);
		expect(new Set(sent).size).toBe(100);
	});

	/** IDs, Limit, and how many requests they cost. IDs from 900 on aren't there. */
	test.each([
		[range(1, 120), 10, 1],
		[range(1, 120), 50, 1],
		[range(1, 120), 51, 2],
		[range(1, 120), 120, 3],
		[[...range(900, 909), ...range(1, 110)], 40, 1],
		[[...range(900, 909), ...range(1, 110)], 50, 2],
		[[...range(900, 1000), 7], 1, 3],
	])(
		'%j with Limit %i costs %i requests: no more than its pages take',
		async (ids, limit, count) => {
			const run = await service.run({ limit, filters: { case_ids: ids.join(',') } });
			expect(idsOf(run)).toEqual(ids.filter((id) => id < 900).slice(0, limit));
			expect(service.sandbox.requests).toHaveLength(count);
		},
	);

	it('with Limit and Sort is read whole, as only then it is known which cases come first', async () => {
		const case_ids = range(1, 120).join(',');
		const sort = { order: 'CREATED_DESC' };
		const all = idsOf(await service.run({ returnAll: true, filters: { case_ids }, sort }));
		service.sandbox.clearRequests();
		const run = await service.run({ limit: 7, filters: { case_ids }, sort });
		expect(idsOf(run)).toEqual(all.slice(0, 7));
		expect(service.sandbox.requests).toHaveLength(3);
		expect(hintsOf(run)).toEqual([
			'Limit cut the output: at least 120 cases match. Turn on Return All to get them all.',
		]);
	});

	it('of which Limit leaves some unread says in a hint that more may match', async () => {
		const run = await service.run({ limit: 50, filters: { case_ids: range(1, 51).join(',') } });
		expect(idsOf(run)).toHaveLength(50);
		expect(hintsOf(run)).toEqual([
			'Limit cut the output: more cases may match. Turn on Return All to get them all.',
		]);
	});

	it('keeps the other filters in every part, and obeys Limit', async () => {
		const case_ids = range(1, 120).join(',');
		const run = await service.run({ limit: 10, filters: { case_ids, status: 'OPEN' } });
		const open = storedIds(({ status, case_id }) => status === 'OPEN' && case_id <= 120);
		expect(idsOf(run)).toEqual(open.slice(0, 10));
		for (const { query } of service.sandbox.requests) {
			expect(query.filters).toMatchObject({ status: 'OPEN' });
		}
		expect(hintsOf(run)).toHaveLength(1);
	});

	it('that the service ignores is a clear error, not a list of other cases', async () => {
		service.sandbox.faults.add({ fault: { kind: 'ignoreFilters', filters: ['case_ids'] } });
		const run = await service.run({ filters: { case_ids: '1, 2' } });
		expect(failureOf(run)).toMatchObject({
			message: 'The service ignored the filter for case IDs',
			description: expect.stringContaining('Array Format'),
			item: 0,
		});
	});
});

describe('Output', () => {
	const raw = async (id: number) => {
		const { sandbox } = service;
		const response = await fetch(`${sandbox.url}/api/v2/cases?filters[case_ids][]=${id}`, {
			headers: { 'x-user-token': sandbox.keys.tenantOwner, 'content-type': 'application/json' },
		});
		return ((await response.json()) as { cases: Array<Record<string, unknown>> }).cases[0];
	};

	it('simplified, the default, is exactly ten flat fields', async () => {
		const row = service.sandbox.store.getCase(7);
		const [item] = rowsOf(await service.run({ filters: { case_ids: '7' } }));
		expect(item).toEqual({
			case_id: 7,
			name: row.name,
			status: row.status,
			priority: row.priority,
			team: row.team.name,
			assignees: row.assignees.map(({ email }) => email),
			tags: row.tags.map(({ name }) => name),
			url: `${service.sandbox.url}/cases/7`,
			created_at: row.created_at,
			updated_at: row.updated_at,
		});
	});

	it('raw is the case as the service sends it', async () => {
		const [item] = rowsOf(await service.run({ output: 'raw', filters: { case_ids: '8' } }));
		expect(item).toEqual(await raw(8));
		expect(Object.keys(item)).toHaveLength(24);
	});

	test.each([
		'actions',
		'activities',
		'assignees',
		'author',
		'closure_conditions',
		'created_at',
		'description',
		'linked_cases',
		'metadata',
		'name',
		'opened_at',
		'opened_by',
		'priority',
		'records',
		'resolved_at',
		'resolved_by',
		'status',
		'tags',
		'team',
		'updated_at',
		'url',
	])('selected gives the field %s as the service sends it, and the case ID', async (field) => {
		const run = await service.run({
			output: 'selected',
			fields: [field],
			filters: { case_ids: '9' },
		});
		expect(rowsOf(run)).toEqual([{ case_id: 9, [field]: (await raw(9))[field] }]);
	});

	it('selected gives the fields in the order chosen, after the case ID', async () => {
		const fields = ['status', 'case_id', 'name'];
		const run = await service.run({ output: 'selected', fields, limit: 1 });
		expect(Object.keys(rowsOf(run)[0])).toEqual(['case_id', 'status', 'name']);
	});

	it('selected says in a hint which fields no case has', async () => {
		const fields = '={{ ["name", "severity"] }}';
		const run = await service.run({ output: 'selected', fields, limit: 2 });
		expect(rowsOf(run)[0]).toHaveProperty('severity', null);
		expect(hintsOf(run)).toContainEqual(
			'The cases have no field "severity"; it is null in the output.',
		);
	});

	it('may differ from item to item', async () => {
		const run = await service.run(
			{ output: '={{ $json.output }}', filters: { case_ids: '7' } },
			{ items: [{ output: 'simplified' }, { output: 'raw' }] },
		);
		expect(rowsOf(run).map((row) => Object.keys(row).length)).toEqual([10, 24]);
	});

	it('that is unknown is refused before any request', async () => {
		const run = await service.run({ output: '={{ "all" }}' });
		expect(failureOf(run)).toMatchObject({
			message: 'Output: "all" is unknown',
			description: 'Choose simplified, selected or raw.',
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('Load in Full', () => {
	// By the sandbox's data: case 7 has 60 comments, case 11 has many records; a list carries 10 of each.
	const parameters = (loadInFull: unknown, more = {}) => ({
		output: 'raw',
		filters: { case_ids: '7, 11, 12' },
		options: { loadInFull },
		...more,
	});

	it('reads all activities of the cases that carry only some, and only of these', async () => {
		const run = await service.run(parameters(['activities']));
		const { store } = service.sandbox;
		for (const row of rowsOf(run)) {
			const ids = (row.activities as Array<{ id: number }>).map(({ id }) => id);
			expect(ids).toEqual(
				store
					.getCase(row.case_id as number)
					.activities()
					.map(({ id }) => id),
			);
		}
		const cut = [7, 11, 12].filter((id) => store.getCase(id).activities().length > 10);
		const asked = service.paths().filter((path) => path.endsWith('/activities'));
		expect(cut).toContain(7);
		expect(new Set(asked)).toEqual(new Set(cut.map((id) => `GET /api/v2/cases/${id}/activities`)));
		expect(service.sandbox.requests[1].query).toEqual({ per_page: '50', page: '1' });
	});

	it('reads all records and merges the groups of one type', async () => {
		const run = await service.run(parameters(['records']));
		const { store } = service.sandbox;
		for (const row of rowsOf(run)) {
			expect(row.records).toEqual(store.getCase(row.case_id as number).records());
		}
		expect(
			store
				.getCase(11)
				.records()
				.flatMap((group) => group.record_type_record_results).length,
		).toBeGreaterThan(10);
	});

	it('merges the groups of one type that came on several pages', async () => {
		service.sandbox.faults.add({
			match: { path: '/records$' },
			fault: { kind: 'clampPageSize', to: 5 },
		});
		const run = await service.run(parameters(['records'], { filters: { case_ids: '11' } }));
		expect(rowsOf(run)[0].records).toEqual(service.sandbox.store.getCase(11).records());
		expect(service.sandbox.requests.length).toBeGreaterThan(4);
	});

	it('reads both', async () => {
		await service.run(parameters(['activities', 'records']));
		expect(service.paths()).toContain('GET /api/v2/cases/7/activities');
		expect(service.paths()).toContain('GET /api/v2/cases/11/records');
	});

	it('leaves a hint with the number of cut cases where it is off', async () => {
		const run = await service.run(parameters([]));
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^\d cases? ha(s|ve) more activities or records than the first page/),
		);
		expect(hintsOf(await service.run(parameters(['activities', 'records'])))).toEqual([]);
	});

	it('sends nothing for fields that are not in the output, and gives no hint', async () => {
		const simplified = await service.run(
			parameters(['activities', 'records'], { output: 'simplified' }),
		);
		expect(hintsOf(simplified)).toEqual([]);
		const selected = await service.run(
			parameters(['activities'], { output: 'selected', fields: ['name', 'records'] }),
		);
		expect(service.paths()).toEqual(['GET /api/v2/cases', 'GET /api/v2/cases']);
		expect(hintsOf(selected)).toHaveLength(1);
	});

	it('goes only to the tenant, whatever address a case points to', async () => {
		const activities_meta = {
			current_page: 'https://evil.example.com/api/v2/cases/1/activities?per_page=10&page=1',
			per_page: 10,
			pages: 3,
		};
		const body = JSON.stringify({
			cases: [{ case_id: 1, activities: [], activities_meta }],
			meta: { pages: 1, per_page: 50 },
		});
		service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body } });
		const run = await service.run(parameters(['activities'], { filters: {} }));
		expect(failureOf(run)).toMatchObject({
			message: 'The further activities of case 1 are not where they should be',
			description: expect.stringContaining('the API key is sent nowhere else'),
			item: 0,
		});
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
	});

	it('is a clear error where the further pages have no such list', async () => {
		service.sandbox.faults.add({ match: { path: 'activities' }, fault: { kind: 'listMissing' } });
		const run = await service.run(parameters(['activities']));
		expect(failureOf(run)).toMatchObject({
			message: 'The answer of the service has no list "activities"',
			description: expect.stringContaining('/activities'),
			item: 0,
		});
	});

	it('refuses a part that there isn’t', async () => {
		const run = await service.run(parameters('={{ ["comments"] }}'));
		expect(failureOf(run)).toMatchObject({
			message: 'Load in Full: "comments" is unknown',
			description: 'Choose activities, records or both.',
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('over many input items', () => {
	it('equal reads go out once; each item gets its own copy, paired, and a hint points to Execute Once', async () => {
		const run = await service.run({ limit: 3 }, { items: range(1, 100).map((n) => ({ n })) });
		expect(service.sandbox.requests).toHaveLength(1);
		expect(run.items).toHaveLength(300);
		expect(pairsOf(run)).toEqual(range(0, 99).flatMap((item) => [[item], [item], [item]]));
		const rows = rowsOf(run);
		expect(rows[0]).toEqual(rows[3]);
		expect(rows[0]).not.toBe(rows[3]);
		expect(rows[0].tags).not.toBe(rows[3].tags);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^All items asked for the same.*Execute Once/),
		);
	});

	it('of which only some ask for the same, equal reads go out once too, without a hint to Execute Once, which would leave out the others', async () => {
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: [{ id: 30 }, { id: 20 }, { id: 30 }] },
		);
		expect(service.sandbox.requests).toHaveLength(2);
		expect(idsOf(run)).toEqual([30, 20, 30]);
		expect(hintsOf(run)).toEqual([]);
	});

	it('different reads keep the order of the items and are paired', async () => {
		const ids = [30, 20, 10, 40];
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: ids.map((id) => ({ id })) },
		);
		expect(idsOf(run)).toEqual(ids);
		expect(pairsOf(run)).toEqual([[0], [1], [2], [3]]);
		expect(hintsOf(run)).toEqual([]);
	});

	it('gives no item for an item that finds nothing, and a hint', async () => {
		const run = await service.run(
			{ filters: { case_ids: '={{ $json.id }}' } },
			{ items: [{ id: 10 }, { id: 999 }, { id: 30 }] },
		);
		expect(idsOf(run)).toEqual([10, 30]);
		expect(pairsOf(run)).toEqual([[0], [2]]);
		expect(hintsOf(run)).toEqual(['No case matched for 1 item.']);
	});
});

it('an empty result is no item and a hint', async () => {
	const run = await service.run({ filters: { search: 'nothing is called so' } });
	expect(rowsOf(run)).toEqual([]);
	expect(hintsOf(run)).toEqual(['No case matched.']);
});

it('an answer without the list is a clear error', async () => {
	service.sandbox.faults.add({ fault: { kind: 'listMissing' } });
	expect(failureOf(await service.run({}))).toMatchObject({
		message: 'The answer of the service has no list "cases"',
		description: expect.stringContaining('Check that the Base URL'),
		item: 0,
	});
});

it('a team key gets the cases of its team only, and a clear error for another team', async () => {
	const credential = { apiKey: service.sandbox.keys.team };
	const run = await service.run({ returnAll: true }, { credential });
	expect(sorted(idsOf(run))).toEqual(storedIds(({ team }) => team.id === 1));
	const other = await service.run({ filters: { team_id: '2' } }, { credential });
	expect(failureOf(other)).toMatchObject({
		name: 'NodeApiError',
		httpCode: '404',
		message: 'Not found, or the API key has no access to it (404)',
		description: expect.stringContaining('a team key sees the cases of its team only'),
		item: 0,
	});
});
