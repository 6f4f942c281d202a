import { parseFilters } from '../../nodes/Cases/fields/filters/filters';
import { expectRefused } from '../support/refusal';

const parse = (...filter: unknown[]) =>
	parseFilters({ other: { filter } }, 'Europe/Berlin').filters;

describe('Other Filters', () => {
	it.each<[unknown[], Record<string, unknown>]>([
		[[{ name: 'sub_status_names', value: 'Waiting' }], { sub_status_names: 'Waiting' }],
		[[{ name: ' authors[] ', value: 'a, b' }], { authors: ['a, b'] }],
		[
			[
				{ name: 'exclude_tags[]', value: 'VIP' },
				{ name: 'exclude_tags[]', value: 'Test' },
			],
			{ exclude_tags: ['VIP', 'Test'] },
		],
		[[{ name: 'exclude_tags', value: ['VIP', 7, ''] }], { exclude_tags: ['VIP', '7'] }],
		[[{ name: 'exclude_tags[]', value: '["VIP", "Test"]' }], { exclude_tags: ['VIP', 'Test'] }],
		[[{ name: 'archived', value: true }], { archived: 'true' }],
		[[{ name: 'archived', value: false }], { archived: 'false' }],
		[[{ name: 'level', value: 0 }], { level: '0' }],
		[[{ name: 'constructor', value: 'a' }], { constructor: 'a' }],
		[
			[
				{ name: 'a', value: '' },
				{ name: 'b[]', value: [] },
				{ name: '', value: '' },
			],
			{},
		],
	])('%j are sent as %j', (given, sent) => {
		expect(parse(...given)).toEqual(sent);
	});

	it('stand beside the filters of the form', () => {
		const other = { filter: [{ name: 'exclude_tags[]', value: 'VIP' }] };
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
		expectRefused(() => parse({ name, value: 'x' }), / can't be set here$/, remedy);
	});

	it.each(['filters[a]', 'a[b]', 'a[][]', '[]', 'a\nb', 'a b', 'a\u0000', '[a'])(
		'of the name %j are refused, because no filter can have it',
		(name) => {
			expectRefused(
				() => parse({ name, value: 'x' }),
				/^'Other Filters': ".*" can't be the name of a filter$/,
				/without filters\[…\] around it/,
			);
		},
	);

	it.each<[unknown[], RegExp, RegExp]>([
		[
			[{ name: '', value: 'x' }],
			/^'Other Filters': "" can't be the name of a filter$/,
			/Enter the name/,
		],
		[[{ name: 'a', value: { b: 1 } }], /^'Other Filters': .* is not text$/, /must return text/],
		[[{ name: 'a', value: [[['b']]] }], /^'Other Filters': .* is not text$/, /must return text/],
		[
			[
				{ name: 'a', value: 'b' },
				{ name: 'a', value: 'c' },
			],
			/^'Other Filters': "a" is there twice$/,
			/enter its name as a\[\]/,
		],
		[
			[
				{ name: 'a', value: 'b' },
				{ name: 'a[]', value: 'c' },
			],
			/^'Other Filters': "a" is there twice$/,
			/enter its name as a\[\]/,
		],
		[[], /^'Other Filters' has no filter$/, /Add a filter, or remove 'Other Filters'/],
	])('%j are refused', (given, message, remedy) => {
		expectRefused(() => parse(...given), message, remedy);
	});
});
