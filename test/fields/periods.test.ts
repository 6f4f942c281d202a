import { FAR_FUTURE } from '../../nodes/Cases/api/timestamps';
import { parseFilters } from '../../nodes/Cases/fields/filters/filters';
import { expectRefused } from '../support/refusal';

const NOW = Date.UTC(2026, 0, 31, 12);
const parse = (given: Record<string, unknown>) => parseFilters(given, 'UTC', NOW);

describe('a period up to now', () => {
	test.each([
		['90m', '2026-01-31T10:30:00Z'],
		[' 90M ', '2026-01-31T10:30:00Z'],
		['24h', '2026-01-30T12:00:00Z'],
		['7d', '2026-01-24T12:00:00Z'],
	])('of %s begins at %s and has an explicit end in the future', (period, start) => {
		expect(parse({ updated_within: period }).filters).toEqual({
			updated_at_start_date: start,
			updated_at_end_date: FAR_FUTURE,
		});
	});

	test.each([
		['resolved_within', 'resolved_at_start_date', 'resolved_at_end_date'],
		['updated_within', 'updated_at_start_date', 'updated_at_end_date'],
	])('%s stands for %s and %s', (name, start, end) => {
		expect(Object.keys(parse({ [name]: '1h' }).filters)).toEqual([start, end]);
	});

	it('of the creation becomes a time to compare, since the API lacks such a filter', () => {
		expect(parse({ created_within: '1h' })).toEqual({
			filters: {},
			createdSince: NOW - 3_600_000,
		});
	});

	it('leaves other filters as they are', () => {
		const { teamId, filters } = parse({ team_id: 3, status: 'OPEN', updated_within: '1h' });
		expect(teamId).toBe('3');
		expect(filters.status).toBe('OPEN');
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

	test.each(['', ' ', null, undefined])('%j is left out', (period) => {
		expect(parse({ updated_within: period }).filters).toEqual({});
	});
});
