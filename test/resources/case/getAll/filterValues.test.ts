import { failureOf, hintsOf, idsOf, range, rowsOf } from '../../../support/runs';
import { hasTag, ODD, sorted, useCases } from './support';

// How a value is read is tested in test/fields; these tests hold what only n8n's engine and the wire can show.
const service = useCases();

async function filtersSent(filters: unknown, json = {}, timezone?: string): Promise<unknown> {
	rowsOf(await service.run({ filters }, { items: [json], timezone }));
	return service.sandbox.requests[0].query.filters;
}

describe('Get Many', () => {
	it('sends tags with odd characters unchanged, and finds their cases', async () => {
		const tags = [
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
		];
		const run = await service.run({ returnAll: true, filters: { or_tags: tags } });
		expect(service.sandbox.requests[0].query.filters).toEqual({ or_tags: tags });
		const expected = service.storedIds((row) => tags.some((tag) => hasTag(row, tag)));
		expect(sorted(idsOf(run))).toEqual(expected);
	});

	it('finds cases by odd characters in a search and in keys and values of metadata', async () => {
		const search = '+ 50% & "more" = Ünïcödé 🔥 #1?';
		expect(idsOf(await service.run({ filters: { search } }))).toEqual([ODD]);
		const metadata = { pair: [{ key: 'owner & co', value: 'a+b=c/d?e' }] };
		expect(idsOf(await service.run({ filters: { metadata } }))).toEqual([ODD]);
	});

	test.each<[label: string, parameters: Record<string, unknown>]>([
		['Case IDs', { filters: { case_ids: '={{ $json.nope }}' } }],
		['Tags (None)', { filters: { excluded_tags: '={{ null }}' } }],
		['Tags (Any)', { filters: { or_tags: '={{ [] }}' } }],
		['Tags (All)', { filters: { and_tags: '={{ "[]" }}' } }],
		['Assignees', { filters: { assignees: '={{ [""] }}' } }],
		['Records', { filters: { records: ['a', '={{ [] }}'] } }],
		['Priority', { filters: { priority: '={{ [null] }}' } }],
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
		'refuses an expression without a value, which would mean all cases: %s',
		async (label, given) => {
			const run = await service.run(given, { items: [{}] });
			expect(failureOf(run).message).toBe(`'${label}' has an expression that returns no value`);
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it('ignores a filter whose expression returns an empty text', async () => {
		expect(await filtersSent({ case_ids: "={{ $json.nope ?? '' }}", status: 'OPEN' })).toEqual({
			status: 'OPEN',
		});
	});

	it('reads no case for an empty list of Case IDs, not all of them, and says so in a hint', async () => {
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
	])('sends a date from %s in UTC with seconds and Z', async (_form, start_date, sent) => {
		expect(await filtersSent({ start_date }, {}, 'Asia/Tokyo')).toMatchObject({ start_date: sent });
	});

	test.each([
		['filters', "'Filters'", '={{ ({ status: "CLOSED" }) }}'],
		['filters', "'Filters'", [{ status: 'CLOSED' }]],
		['options', "'Options'", '={{ ({ timeout: 1 }) }}'],
	])(
		'refuses %s that is one value, %s, instead of reading all cases',
		async (name, label, value) => {
			const run = await service.run({ [name]: value });
			expect(failureOf(run)).toMatchObject({
				message: `${label} can't be set by one expression`,
				description: expect.stringContaining('use an expression in its field'),
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	test.each([
		['metadata', '={{ ({ source: "mail" }) }}', "'Metadata' has no pair", 'Expressions work in'],
		['metadata', { pair: '={{ [] }}' }, "'Metadata' has no pair", 'Expressions work in'],
		['records', '={{ ["cut \\ud83d"] }}', 'contains a broken character', 'Truncate it before'],
	])('refuses the filter %s = %j before any request', async (name, value, message, remedy) => {
		const run = await service.run({ filters: { [name]: value } });
		expect(failureOf(run)).toMatchObject({
			status: 'error',
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			description: expect.stringContaining(remedy),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('refuses other filters than Case IDs that make the address too long, before any request', async () => {
		const run = await service.run({
			filters: { records: range(1, 400).map((n) => `record ${n}`) },
		});
		expect(failureOf(run)).toMatchObject({
			message: expect.stringMatching(/the URL has \d+ characters, and may have at most 6000/),
			description: expect.stringContaining('Shorten the longest filter'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});
