import { createFilterCheck } from '../../nodes/Cases/api/cases/contradictions';
import type { Case } from '../../nodes/Cases/api/types';
import { parseFilters } from '../../nodes/Cases/fields/filters/filters';

const tags = (...names: string[]) => ({ tags: names.map((name, id) => ({ id, name })) });
const assignees = (...users: object[]) => ({ assignees: users });
const ana = { user_id: '7', email: 'ana@example.com' };

const contradicted = (filters: Record<string, unknown>, row: object) =>
	createFilterCheck(parseFilters(filters, 'UTC'))(row as Case);

type Row = [filters: Record<string, unknown>, row: object];

describe('a case that contradicts a filter', () => {
	it.each<Row>([
		[{ status: 'OPEN' }, { status: 'CLOSED' }],
		[{ priority: 'HIGH' }, { priority: 'LOW' }],
		[{ priority: ['HIGH', 'LOW'] }, { priority: 'info' }],
		[{ team_id: 3 }, { team: { id: 4, name: 'Other' } }],
		[{ and_tags: ['a', 'b'] }, tags('a')],
		[{ tags: ['a'] }, tags()],
		[{ or_tags: ['a', 'b'] }, tags('c')],
		[{ or_tags: ['a', 'b'] }, tags('c', 'd')],
		[{ excluded_tags: ['vip'] }, tags('a', 'vip')],
		[{ case_ids: [1, 2] }, { case_id: 3 }],
		[{ unassigned: true }, assignees(ana)],
		[{ assignees: ['8'] }, assignees(ana)],
		[{ assignees: ['8'] }, assignees()],
		[{ assignee_emails: ['bo@example.com'] }, assignees(ana)],
	])('names the filter: %j is contradicted by %j', (filters, row) => {
		expect(contradicted(filters, row)).toBe(Object.keys(filters)[0]);
	});

	it('names the newer filter for excluded tags, which the form has under Other Filters', () => {
		const other = { filter: [{ name: 'exclude_tags[]', value: 'vip' }] };
		expect(contradicted({ other }, tags('a', 'vip'))).toBe('exclude_tags');
		expect(contradicted({ other }, tags('a'))).toBeUndefined();
	});

	it.each<Row>([
		[{ status: 'OPEN' }, { status: ' open' }],
		[{ priority: ['HIGH', 'LOW'] }, { priority: 'LOW' }],
		[{ team_id: 3 }, { team: { id: '3' } }],
		[{ team_id: 3 }, { team: { id: ' 3 ' } }],
		[{ and_tags: ['A', 'b '] }, tags('a', 'B', 'c')],
		[{ or_tags: ['a', 'b'] }, tags('B')],
		[{ or_tags: ['a', 'b'] }, tags('B', 'c')],
		[{ excluded_tags: ['vip'] }, tags('VIP', 'a')],
		[{ case_ids: ['1'] }, { case_id: 1 }],
		[{ case_ids: ['1'] }, { case_id: ' 1 ' }],
		[{ assignees: ['7'] }, assignees({ user_id: 7 })],
		[{ assignees: ['ANA@example.com'] }, assignees(ana)],
		[{ assignees: ['unassigned'] }, assignees()],
		[{ assignee_emails: ['x@example.com', 'Ana@Example.com'] }, assignees(ana)],
		[{ assignee_emails: ['ana@example.com'] }, assignees(ana, { email: 'bo@example.com' })],
		[{ author_emails: ['bo@example.com'] }, { author: ana }],
		[{ metadata: { pair: [{ key: 'source', value: 'mail' }] } }, { metadata: { source: 'web' } }],
		[{ updated_at_start_date: '2026-01-02T00:00:00Z' }, { updated_at: '2026-01-01T23:59:59Z' }],
		[{ resolved_at_end_date: '2026-01-02T00:00:00Z' }, { resolved_at: '2026-01-03T00:00:00Z' }],
		[
			{ search: 'phish', records: ['x'], assigned_to_me: true },
			{ name: 'Malware', records: [] },
		],
	])('%j is not %j, where the API does not say that it is', (filters, row) => {
		expect(contradicted(filters, row)).toBeUndefined();
	});

	const OF_LISTS = {
		and_tags: ['a'],
		tags: ['a'],
		or_tags: ['a'],
		assignees: ['1'],
		assignee_emails: ['a@example.com'],
	};
	const OF_TEXTS = { case_ids: [1], priority: 'HIGH', status: 'OPEN' };
	const OTHERS = { excluded_tags: ['a'], unassigned: true, team_id: 1 };
	const ALL = { ...OF_LISTS, ...OF_TEXTS, ...OTHERS };

	it.each<[unknown, object]>([
		[undefined, ALL],
		[null, ALL],
		[true, ALL],
		[[null, 1, {}], ALL],
		[{}, ALL],
		// An empty list says that there are none, and any text or number is an ID, a priority or a status.
		[[], { ...OF_TEXTS, ...OTHERS }],
		['', { ...OF_LISTS, ...OTHERS }],
		[0, { ...OF_LISTS, ...OTHERS }],
		['soon', { ...OF_LISTS, ...OTHERS }],
	])('contradicts none by fields that are %j', (value, filters) => {
		const fields = ['case_id', 'tags', 'assignees', 'priority', 'status', 'team'];
		const odd = Object.fromEntries(fields.map((field) => [field, value]));
		expect(contradicted({ ...filters }, odd)).toBeUndefined();
	});
});
