import type { INodeProperties } from 'n8n-workflow';
import { builtTypes } from '../../../../tools/engine/load';
import { idsOf } from '../../../support/runs';
import { CASES_NODE } from '../../../support/service';
import { at, hasTag, OWNER, sorted, useCases, type StoredCase } from './support';

const service = useCases();

const FUTURE = '2099-01-01T00:00:00Z';
const within = (text: string | null, from: string, to: string) =>
	at(text) >= Date.parse(from) && at(text) <= Date.parse(to);
const hasRecord = (row: StoredCase, value: string) =>
	JSON.stringify(row.records()).includes(`"${value}"`);
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
		({ name, description }) => `${name}\n${description}`.toLowerCase().includes('malware detected'),
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

describe('Get Many', () => {
	test.each(FILTERS)(
		'sends the filter %s under its own name and finds the right cases',
		async (name, entered, sent, matches) => {
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

	it('sends the filter records and finds the right cases', async () => {
		const value = firstRecord();
		const run = await service.run({
			returnAll: true,
			filters: { records: [value, 'no such record'] },
		});
		expect(service.sandbox.requests[0].query.filters).toEqual({
			records: [value, 'no such record'],
		});
		expect(sorted(idsOf(run))).toEqual(service.storedIds((row) => hasRecord(row, value)));
		expect(idsOf(run)).toContain(5);
	});

	it('sends team_id beside the filters, not among them', async () => {
		const run = await service.run({ returnAll: true, filters: { team_id: '3', status: 'OPEN' } });
		expect(service.sandbox.requests[0].query).toEqual({
			filters: { status: 'OPEN' },
			team_id: '3',
			order: 'CREATED_ASC',
			per_page: '50',
			page: '1',
		});
		const expected = service.storedIds(({ team, status }) => team.id === 3 && status === 'OPEN');
		expect(expected.length).toBeGreaterThan(0);
		expect(sorted(idsOf(run))).toEqual(expected);
	});

	it('has a test for every filter that the form offers', async () => {
		const { nodeTypes } = await builtTypes();
		const { properties } = nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
		const filters = properties.filter(({ name }) => name === 'filters');
		const tested = [
			...FILTERS.map(([name]) => name),
			...['records', 'team_id', 'other'],
			// In periods.test.ts.
			...['created_within', 'resolved_within', 'updated_within'],
		].sort();
		for (const { options = [] } of filters) {
			const shown = (options as INodeProperties[]).filter(({ type }) => type !== 'hidden');
			expect(shown.map(({ name }) => name).sort()).toEqual(tested);
		}
		expect(filters).toHaveLength(2);
	});

	it('sends all filters that are given, and no others', async () => {
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
			service.storedIds(
				(row) => row.status === 'OPEN' && row.assignees.length === 0 && !hasTag(row, 'malware'),
			),
		);
	});
});
