import type { INodeProperties } from 'n8n-workflow';
import { builtTypes } from '../../../../tools/engine/load';
import { idsOf } from '../../../support/runs';
import { CASES_NODE } from '../../../support/service';
import { at, hasTag, OWNER, sorted, useCases, type StoredCase } from './support';

const service = useCases();

const FROM = '2026-01-10T00:00:00Z';
const UNTIL = '2025-12-01T00:00:00Z';
const isFrom = (text: string | null) => at(text) >= at(FROM);
const isUntil = (text: string | null) => at(text) <= at(UNTIL);
const hasRecord = (row: StoredCase, value: string) =>
	JSON.stringify(row.records()).includes(`"${value}"`);
const firstRecord = () =>
	service.sandbox.store.getCase(5).records()[0].record_type_record_results[0].results[0].value;

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
