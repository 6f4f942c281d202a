import { FAR_FUTURE } from '../../nodes/Cases/api/timestamps';
import { addPeriods } from '../../nodes/Cases/fields/withinLast';
import { expectRefused } from '../support/refusal';

const NOW = Date.UTC(2026, 0, 31, 12);
const NONE = { filters: {} };

describe('a period up to now', () => {
	test.each([
		['90m', '2026-01-31T10:30:00Z'],
		[' 90M ', '2026-01-31T10:30:00Z'],
		['24h', '2026-01-30T12:00:00Z'],
		['7d', '2026-01-24T12:00:00Z'],
	])('of %s begins at %s and has an explicit end in the future', (period, start) => {
		expect(addPeriods(NONE, { updated_at: period }, NOW).filters).toEqual({
			updated_at_start_date: start,
			updated_at_end_date: FAR_FUTURE,
		});
	});

	test.each([
		['resolved_at', 'resolved_at_start_date', 'resolved_at_end_date'],
		['updated_at', 'updated_at_start_date', 'updated_at_end_date'],
	])('%s stands for %s and %s', (name, start, end) => {
		expect(Object.keys(addPeriods(NONE, { [name]: '1h' }, NOW).filters)).toEqual([start, end]);
	});

	it('of the creation becomes a time to compare, since the API lacks such a filter', () => {
		expect(addPeriods(NONE, { created_at: '1h' }, NOW)).toEqual({
			filters: {},
			createdSince: NOW - 3_600_000,
		});
	});

	it('leaves other filters as they are', () => {
		const query = { teamId: '3', filters: { status: 'OPEN' } };
		const { teamId, filters } = addPeriods(query, { updated_at: '1h' }, NOW);
		expect(teamId).toBe('3');
		expect(filters.status).toBe('OPEN');
		expect(query.filters).toEqual({ status: 'OPEN' });
	});

	test.each(['0h', '24', 'h', '1w', '-1h', '1.5h', 24, '999999d', '1hour', '24 h', ['24h']])(
		'%j is refused',
		(period) => {
			expectRefused(
				() => addPeriods(NONE, { updated_at: period }, NOW),
				/^'Updated Within the Last': .* is not a valid period$/,
				/Choose one/,
			);
		},
	);

	it.each([
		['updated_at_start_date', 'Updated From'],
		['updated_at_end_date', 'Updated Until'],
	])('is refused beside %s', (name, label) => {
		const query = { filters: { [name]: '2026-01-01T00:00:00Z' } };
		expectRefused(
			() => addPeriods(query, { updated_at: '1h' }, NOW),
			`'Updated Within the Last' and '${label}' both limit the same time`,
			/Remove one/,
		);
	});

	test.each(['', ' ', null, undefined])('%j is left out', (period) => {
		expect(addPeriods(NONE, { updated_at: period }, NOW).filters).toEqual({});
	});

	test.each(['constructor', '__proto__x', 'created', 'start_date'])(
		'%s is refused as a name',
		(name) => {
			expectRefused(
				() => addPeriods(NONE, { [name]: '1h' }, NOW),
				"'Time Period' has no period",
				/The periods are/,
			);
		},
	);
});
