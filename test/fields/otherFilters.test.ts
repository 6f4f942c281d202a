import { parseFilters } from '../../nodes/Cases/fields/filters/filters';
import { expectRefused } from '../support/refusal';

const parse = (filter: unknown[]) => parseFilters({ other: { filter } }, 'Europe/Berlin').filters;
/** A filter that is added by its name, with each value in a row of its own. */
const rows = (name: unknown, ...values: unknown[]) => values.map((value) => ({ name, value }));

describe('Other Filters', () => {
	it.each<[unknown[], Record<string, unknown>]>([
		[rows('sub_status_names', 'Waiting'), { sub_status_names: 'Waiting' }],
		[rows(' authors[] ', 'a, b'), { authors: ['a, b'] }],
		[rows('exclude_tags[]', 'VIP', 'Test'), { exclude_tags: ['VIP', 'Test'] }],
		[rows('exclude_tags', ['VIP', 7, '']), { exclude_tags: ['VIP', '7'] }],
		[rows('exclude_tags[]', '["VIP", "Test"]'), { exclude_tags: ['VIP', 'Test'] }],
		[rows('archived', true), { archived: 'true' }],
		[rows('level', 0), { level: '0' }],
		[rows('constructor', 'a'), { constructor: 'a' }],
		[[...rows('a', '', undefined, null), ...rows('b[]', []), ...rows('', '')], {}],
	])('%j are sent as %j', (given, sent) => {
		expect(parse(given)).toEqual(sent);
	});

	it('stand beside the filters of the form', () => {
		const other = { filter: rows('exclude_tags[]', 'VIP') };
		expect(parseFilters({ status: 'OPEN', other }, 'UTC').filters).toEqual({
			status: 'OPEN',
			exclude_tags: ['VIP'],
		});
	});

	it.each([
		['status', "use 'Status'"],
		['case_ids[]', "use 'Case IDs'"],
		['team_id', "use 'Team'"],
		['updated_at_start_date', "use 'Updated From' instead, if this form has it"],
	])('of the name %s are refused, because the form has it', (name, remedy) => {
		expectRefused(
			() => parse(rows(name, 'x')),
			/^'Other Filters': "\w+" can't be set here$/,
			remedy,
		);
	});

	it.each([
		'',
		undefined,
		'filters[a]',
		'a[b]',
		'a[][]',
		'a[]b',
		'[]',
		'a\nb',
		'a b',
		'a\u0001',
		'[a',
	])('of the name %j are refused, because no filter can have it', (name) => {
		expectRefused(
			() => parse(rows(name, 'x')),
			/^'Other Filters': ".*" can't be the name of a filter$/,
			/^Enter the name .*without filters\[…\] around it/,
		);
	});

	const TWICE = /^'Other Filters': "a" is there twice$/;

	it.each<[unknown[], RegExp, RegExp]>([
		[rows('a', { b: 1 }), /^'Other Filters': .* is not text$/, /must return text/],
		[rows('a', [[['b']]]), /^'Other Filters': .* is not text$/, /must return text/],
		[rows('a', 'b', 'c'), TWICE, /enter its name as a\[\]/],
		[[...rows('a', 'b'), ...rows('a[]', 'c')], TWICE, /enter its name as a\[\]/],
		[[], /^'Other Filters' has no filter$/, /Add a filter, or remove 'Other Filters'/],
	])('%j are refused', (given, message, remedy) => {
		expectRefused(() => parse(given), message, remedy);
	});
});
