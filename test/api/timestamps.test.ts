import { parseTimestamp } from '../../nodes/Cases/api/timestamps';

describe('reading a timestamp of the service', () => {
	it.each([
		['2026-01-31T12:00:00Z'],
		['2026-01-31T12:00:00.000Z'],
		['2026-01-31T12:00:00+00:00'],
		['2026-01-31T13:00:00+0100'],
		['2026-01-31T12:00:00'],
		['2026-01-31 12:00:00'],
		[' 2026-01-31T12:00 '],
		['2026-01-31 12:00:00 UTC'],
		['Sat, 31 Jan 2026 12:00:00 GMT'],
	])('reads %j as noon in UTC', (text) => {
		expect(parseTimestamp(text)).toBe(Date.UTC(2026, 0, 31, 12));
	});

	it('reads a day as its start', () => {
		expect(parseTimestamp('2026-01-31')).toBe(Date.UTC(2026, 0, 31));
	});

	it.each([[undefined], [null], [''], ['soon'], [1769860800], [{}]])(
		'finds none in %j',
		(value) => {
			expect(parseTimestamp(value)).toBeUndefined();
		},
	);
});
