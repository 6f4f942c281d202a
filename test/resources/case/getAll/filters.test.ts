import type { INodeProperties } from 'n8n-workflow';
import { builtTypes } from '../../../../tools/engine/load';
import { createPoller } from '../../../../tools/engine/poll';
import { failureOf, hintsOf, idsOf, rowsOf } from '../../../support/runs';
import { CASES_NODE, useService } from '../../../support/service';
import { at, hasTag, ODD, OWNER, sorted, useCases, type StoredCase } from './support';

// How a value is read is tested in test/fields; these tests hold what only n8n's engine and the wire can show.
const service = useCases();

const FROM = '2026-01-10T00:00:00Z';
const UNTIL = '2025-12-01T00:00:00Z';
const isFrom = (text: string | null) => at(text) >= at(FROM);
const isUntil = (text: string | null) => at(text) <= at(UNTIL);
const hasRecord = (row: StoredCase, value: string) =>
	JSON.stringify(row.records()).includes(`"${value}"`);
const isAssigned = ({ assignees }: StoredCase, ...ids: number[]) =>
	assignees.some(({ user_id }) => ids.includes(user_id));
const [ANA, JONAS] = ['ana.lindqvist@example.com', 'jonas.orourke@example.com'];
const PAIRS = [
	{ key: 'source', value: 'siem' },
	{ key: 'region', value: 'emea' },
];

/** Filter, what the user enters, which cases of the service match, and what is on the wire where it isn't the same. */
const FILTERS: Array<[string, unknown, (row: StoredCase) => boolean, unknown?]> = [
	['and_tags', ['malware', 'endpoint'], (row) => hasTag(row, 'malware') && hasTag(row, 'endpoint')],
	['tags', ['malware'], (row) => hasTag(row, 'malware')],
	['or_tags', ['malware', 'phishing'], (row) => hasTag(row, 'malware') || hasTag(row, 'phishing')],
	[
		'excluded_tags',
		['malware', 'phishing'],
		(row) => !hasTag(row, 'malware') && !hasTag(row, 'phishing'),
	],
	['assigned_to_me', true, (row) => isAssigned(row, OWNER), 'true'],
	['unassigned', true, ({ assignees }) => assignees.length === 0, 'true'],
	['assignees', ['1', '2'], (row) => isAssigned(row, 1, 2)],
	['assignee_emails', [ANA], (row) => isAssigned(row, 1)],
	['author_emails', [ANA, JONAS], ({ author }) => [1, 10].includes(author.user_id)],
	['case_ids', '3, 7,11', ({ case_id }) => [3, 7, 11].includes(case_id), ['3', '7', '11']],
	['case_ids', '={{ [3, 7] }}', ({ case_id }) => [3, 7].includes(case_id), ['3', '7']],
	[
		'metadata',
		{ pair: PAIRS },
		({ metadata }) => metadata.source === 'siem' && metadata.region === 'emea',
		{ source: 'siem', region: 'emea' },
	],
	['priority', 'CRITICAL', ({ priority }) => priority === 'CRITICAL'],
	['status', 'CLOSED', ({ status }) => status === 'CLOSED'],
	[
		'search',
		'malware detected',
		({ name, description }) => `${name}\n${description}`.toLowerCase().includes('malware detected'),
	],
	['records', ['build-58', 'no such record'], (row) => hasRecord(row, 'build-58')],
	['start_date', FROM, ({ created_at }) => isFrom(created_at)],
	['end_date', UNTIL, ({ created_at }) => isUntil(created_at)],
	['resolved_at_start_date', FROM, ({ resolved_at }) => isFrom(resolved_at)],
	['resolved_at_end_date', UNTIL, ({ resolved_at }) => isUntil(resolved_at)],
	['updated_at_start_date', FROM, ({ updated_at }) => isFrom(updated_at)],
	['updated_at_end_date', UNTIL, ({ updated_at }) => isUntil(updated_at)],
];

describe('Get Many', () => {
	test.each(FILTERS)(
		'sends the filter %s under its own name and finds the right cases',
		async (name, entered, matches, sent = entered) => {
			const run = await service.run({ returnAll: true, filters: { [name]: entered } });
			const expected = service.storedIds(matches);
			expect(expected.length).toBeGreaterThan(0);
			expect(expected.length).toBeLessThan(service.stored().length);
			expect(service.sandbox.requests[0].query).toEqual({
				// A start without an end means until now, so a far end is sent.
				filters: {
					[name]: sent,
					...(name.endsWith('start_date') && {
						[name.replace('start_date', 'end_date')]: '2099-12-31T23:59:59Z',
					}),
				},
				order: 'CREATED_ASC',
				per_page: '50',
				page: '1',
			});
			expect(sorted(idsOf(run))).toEqual(sorted(expected));
		},
	);

	it('has a test for every filter that the form offers', async () => {
		const { nodeTypes } = await builtTypes();
		const { properties } = nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
		const filters = properties.filter(({ name }) => name === 'filters');
		const tested = [
			...new Set(FILTERS.map(([name]) => name)),
			...['team_id', 'other'],
			...['created_within', 'resolved_within', 'updated_within'],
		].sort();
		for (const { options = [] } of filters) {
			const shown = (options as INodeProperties[]).filter(({ type }) => type !== 'hidden');
			expect(shown.map(({ name }) => name).sort()).toEqual(tested);
		}
		expect(filters).toHaveLength(2);
	});

	it('sends all filters that are given, and no others, with the team beside them', async () => {
		const filters = { team_id: '3', status: 'OPEN', unassigned: true, excluded_tags: ['malware'] };
		const run = await service.run({ returnAll: true, filters });
		expect(service.sandbox.requests[0].query).toEqual({
			filters: { status: 'OPEN', unassigned: 'true', excluded_tags: ['malware'] },
			team_id: '3',
			order: 'CREATED_ASC',
			per_page: '50',
			page: '1',
		});
		const expected = service.storedIds(
			(row) =>
				row.team.id === 3 &&
				row.status === 'OPEN' &&
				row.assignees.length === 0 &&
				!hasTag(row, 'malware'),
		);
		expect(expected.length).toBeGreaterThan(0);
		expect(sorted(idsOf(run))).toEqual(expected);
	});
});

async function filtersSent(filters: unknown, json = {}, timezone?: string): Promise<unknown> {
	rowsOf(await service.run({ filters }, { items: [json], timezone }));
	return service.sandbox.requests[0].query.filters;
}

describe('A value of a filter', () => {
	it('may be tags with odd characters, which find their cases', async () => {
		const tags = [
			...['needs review', 'vip, finance', 'r&d', '"quoted"', '50% done', 'c++', 'a=b', 'tier/1'],
			...['#1 priority', '[external]', '🔥 on fire'],
		];
		const run = await service.run({ returnAll: true, filters: { or_tags: tags } });
		expect(service.sandbox.requests[0].query.filters).toEqual({ or_tags: tags });
		const expected = service.storedIds((row) => tags.some((tag) => hasTag(row, tag)));
		expect(sorted(idsOf(run))).toEqual(expected);
	});

	it('may have odd characters in a search and in keys and values of metadata', async () => {
		const search = '+ 50% & "more" = Ünïcödé 🔥 #1?';
		expect(idsOf(await service.run({ filters: { search } }))).toEqual([ODD]);
		const metadata = { pair: [{ key: 'owner & co', value: 'a+b=c/d?e' }] };
		expect(idsOf(await service.run({ filters: { metadata } }))).toEqual([ODD]);
	});

	test.each<[label: string, parameters: Record<string, unknown>]>([
		['Case IDs', { filters: { case_ids: '={{ $json.nope }}' } }],
		['Case IDs', { filters: { case_ids: "={{ $json.nope ?? '' }}" } }],
		['Case IDs', { filters: { case_ids: '={{ $json.nope }} ' } }],
		['Search', { filters: { search: '={{ $json.nope }} ' } }],
		['Tags (None)', { filters: { excluded_tags: '={{ null }}' } }],
		['Tags (Any)', { filters: { or_tags: '={{ [] }}' } }],
		['Tags (All)', { filters: { and_tags: '={{ "[]" }}' } }],
		['Assignees', { filters: { assignees: '={{ [""] }}' } }],
		['Records', { filters: { records: ['a', '={{ [] }}'] } }],
		['Status', { filters: { status: '={{ $json.nope }}' } }],
		['Team', { filters: { team_id: '={{ $json.nope }}' } }],
		['Records', { filters: { records: ['a', '={{ $json.nope }}'] } }],
		['Metadata', { filters: { metadata: { pair: [{ key: 'a', value: '={{ $json.nope }}' }] } } }],
		[
			'Other Filters',
			{ filters: { other: { filter: [{ name: 'a', value: '={{ $json.nope }}' }] } } },
		],
		['Updated Within the Last', { filters: { updated_within: '={{ $json.nope }}' } }],
	])(
		'is refused where an expression returns none, which would mean all cases: %s',
		async (label, given) => {
			const run = await service.run(given, { items: [{}] });
			expect(failureOf(run).message).toBe(`'${label}' has an expression that returns no value`);
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it('is refused where a list has an entry without a value: Priority', async () => {
		const run = await service.run({ filters: { priority: '={{ [null] }}' } }, { items: [{}] });
		expect(failureOf(run).message).toBe("'Priority': entry 1 of the list has no value");
		expect(service.sandbox.requests).toEqual([]);
	});

	it('that is an empty text is ignored', async () => {
		const search = "={{ $json.nope ?? '' }}";
		expect(await filtersSent({ search, case_ids: ' ', tags: '=', status: 'OPEN' })).toEqual({
			status: 'OPEN',
		});
	});

	it('that is an empty list of Case IDs means no case, not all of them, and a hint says so', async () => {
		const run = await service.run(
			{ returnAll: true, filters: { case_ids: '={{ $json.ids }}' } },
			{ items: [{ ids: [] }] },
		);
		expect(rowsOf(run)).toEqual([]);
		expect(service.sandbox.requests).toEqual([]);
		expect(hintsOf(run)).toEqual(['No case found.']);
	});

	test.each([
		['the picker, in the workflow’s timezone', '2026-01-10T09:00:00', '2026-01-10T00:00:00Z'],
		[
			'a Luxon expression',
			'={{ $now.set({ year: 2026, month: 1, day: 10 }).startOf("day") }}',
			'2026-01-09T15:00:00Z',
		],
		['a JavaScript date', '={{ new Date(Date.UTC(2026, 0, 10)) }}', '2026-01-10T00:00:00Z'],
	])(
		'that is a date from %s is sent in UTC with seconds and Z',
		async (_form, start_date, sent) => {
			expect(await filtersSent({ start_date }, {}, 'Asia/Tokyo')).toMatchObject({
				start_date: sent,
			});
		},
	);

	test.each([
		['filters', "'Filters'", '={{ ({ status: "CLOSED" }) }}'],
		['filters', "'Filters'", [{ status: 'CLOSED' }]],
		['options', "'Options'", '={{ ({ timeout: 1 }) }}'],
	])(
		'in place of all %s is refused, as %s, instead of reading all cases',
		async (name, label, value) => {
			const run = await service.run({ [name]: value });
			expect(failureOf(run)).toMatchObject({
				message: `${label} can't be set by one expression`,
				description: expect.stringContaining('use an expression in its field'),
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it.each([
		['getAll', 5667],
		['getAll', 9000],
		['count', 5667],
	])(
		'of %s that makes the address too long is refused before any request',
		async (operation, length) => {
			const items = [1, length].map((count) => ({ search: 'x'.repeat(count) }));
			const filters = { priority: ['HIGH', 'LOW'], search: '={{ $json.search }}' };
			const run = await service.run({ operation, returnAll: true, filters }, { items });
			expect(failureOf(run)).toMatchObject({
				message: expect.stringMatching(/the URL has \d+ characters, and may have at most 5700/),
				description: expect.stringContaining('Shorten the longest filter'),
				item: 1,
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it('that leaves just enough room is sent with all that requests add', async () => {
		const filters = { search: 'x'.repeat(5666), priority: ['HIGH', 'LOW'], created_within: '24h' };
		expect(idsOf(await service.run({ returnAll: true, filters }))).toEqual([]);
		const lengths = service.sandbox.requests.map(
			({ path, queryString }) => `${path}${queryString}`.length,
		);
		expect(Math.max(...lengths)).toBeGreaterThan(5700);
		expect(Math.max(...lengths)).toBeLessThanOrEqual(6000);
	});
});

const HOUR = 3_600_000;
const agesOf = (name: string) => {
	const filters = service.sandbox.requests[0].query.filters as Record<string, string>;
	return [Date.now() - Date.parse(filters[`${name}start_date`]), filters[`${name}end_date`]];
};

describe('A period up to now', () => {
	test.each([
		['updated_within', 'updated_at_', '24h', 24 * HOUR],
		['resolved_within', 'resolved_at_', '90m', 1.5 * HOUR],
		// The API has no filter for the creation, which is never after the last edit.
		['created_within', 'updated_at_', '7d', 168 * HOUR],
	])(
		'sends %s as a start and an explicit end in the future',
		async (name, prefix, period, length) => {
			const { store } = service.sandbox;
			const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
			// Well inside and outside of the time, whatever this test's own duration.
			const moments = (at: string) => ({ created_at: at, updated_at: at, resolved_at: at });
			const young = store.createCase({ status: 'CLOSED', ...moments(ago(length / 2)) });
			const old = store.createCase({ status: 'CLOSED', ...moments(ago(length * 2)) });
			const run = await service.run({ filters: { [name]: period }, limit: 50 });
			for (const { case_id } of [young, old]) store.deleteCase(case_id);
			expect(idsOf(run)).toEqual([young.case_id]);
			const [age, end] = agesOf(prefix);
			expect(age).toBeGreaterThanOrEqual(length);
			expect(age).toBeLessThan(length + 60_000);
			expect(Date.parse(String(end))).toBeGreaterThan(Date.now());
		},
	);
});

describe('Other Filters', () => {
	const grown = useService({ cases: 120, grown: ['exclude-tags'] });
	const filters = { other: { filter: [{ name: 'exclude_tags[]', value: 'malware' }] } };

	it('send a filter that only a newer service knows, in Get Many and Count', async () => {
		const found = [...grown.sandbox.store.cases()]
			.filter((row) => !hasTag(row, 'malware'))
			.map(({ case_id }) => case_id);
		const run = await grown.run({ returnAll: true, filters });
		expect(grown.sandbox.requests[0].query.filters).toEqual({ exclude_tags: ['malware'] });
		expect(sorted(idsOf(run))).toEqual(found);
		const count = await grown.run({ operation: 'count', filters });
		expect(rowsOf(count)).toEqual([{ count: found.length }]);
	});

	it('send a filter of the trigger', async () => {
		const poller = await createPoller({
			type: 'n8n-nodes-cases.casesTrigger',
			parameters: { filters },
			credentials: { casesApi: grown.credential() },
		});
		await poller.poll();
		const sent = grown.sandbox.requests.map(({ query }) => query.filters);
		expect(sent).toContainEqual(expect.objectContaining({ exclude_tags: ['malware'] }));
		expect(sent).not.toContainEqual(expect.not.objectContaining({ exclude_tags: ['malware'] }));
	});

	it('that the service does not know are an error that names them', async () => {
		const unknown = { other: { filter: [{ name: 'colour', value: 'red' }] } };
		const run = await grown.run({ limit: 1, filters: unknown });
		expect(failureOf(run).description).toContain('colour');
		// The request is outside the document, as the user asked for.
		grown.sandbox.clearRequests();
	});
});
