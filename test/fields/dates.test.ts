import { formatTimestamp } from '../../nodes/Cases/api/timestamps';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { parseDate } from '../../nodes/Cases/fields/dates';
import { expectRefused } from '../support/refusal';

const iso = (value: unknown, timezone = 'UTC') => {
	const time = parseDate(value, timezone, 'Start Date');
	return time === undefined ? undefined : new Date(time).toISOString();
};

describe('a date without a zone', () => {
	it.each([
		['2026-01-31', 'UTC', '2026-01-31T00:00:00.000Z'],
		['2026-01-31T09:30', 'UTC', '2026-01-31T09:30:00.000Z'],
		['2026-01-31 09:30:15', 'UTC', '2026-01-31T09:30:15.000Z'],
		[' 2026-01-31T09:30:15.123 ', 'UTC', '2026-01-31T09:30:15.123Z'],
		['2026-01-31T09:00:00', 'Europe/Berlin', '2026-01-31T08:00:00.000Z'],
		['2026-07-31T09:00:00', 'Europe/Berlin', '2026-07-31T07:00:00.000Z'],
		['2026-01-31T09:00:00', 'America/New_York', '2026-01-31T14:00:00.000Z'],
		['2026-01-31T09:00:00', 'Asia/Kolkata', '2026-01-31T03:30:00.000Z'],
		['2026-01-31T09:00:00', 'Asia/Kathmandu', '2026-01-31T03:15:00.000Z'],
		['2026-01-31', 'Pacific/Kiritimati', '2026-01-30T10:00:00.000Z'],
		['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z'],
	])('%s in %s is %s', (value, timezone, expected) => {
		expect(iso(value, timezone)).toBe(expected);
	});

	it('in the hour that the clock skips in spring is the hour before or after it', () => {
		expect(iso('2026-03-29T01:59:59', 'Europe/Berlin')).toBe('2026-03-29T00:59:59.000Z');
		expect(['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z']).toContain(
			iso('2026-03-29T02:30:00', 'Europe/Berlin'),
		);
		expect(iso('2026-03-29T03:00:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
	});

	it('in the hour that comes twice in autumn is either of the two', () => {
		expect(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']).toContain(
			iso('2026-10-25T02:30:00', 'Europe/Berlin'),
		);
	});

	it('is what a clock on the wall shows, in every zone, unless the clock skips it', () => {
		const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca'];
		const moment = fc.date({
			min: new Date('1990-01-01T00:00:00Z'),
			max: new Date('2060-01-01T00:00:00Z'),
			noInvalidDate: true,
		});
		fc.assert(
			fc.property(moment, fc.constantFrom(...zones), (date, zone) => {
				// A wall time that exists: it comes from a moment.
				const shown = DateTime.fromJSDate(date, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
				const time = parseDate(shown, zone, 'Start Date') as number;
				expect(DateTime.fromMillis(time, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss")).toBe(shown);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('a date with a zone', () => {
	it.each([
		['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00.250Z', '2026-01-31T09:00:00.250Z'],
		['2026-01-31T09:00:00+02:00', '2026-01-31T07:00:00.000Z'],
		['2026-01-31T09:00:00-0500', '2026-01-31T14:00:00.000Z'],
		['2026-01-31T09:00:00+05:45', '2026-01-31T03:15:00.000Z'],
		['2026-01-31T09:00:00-03:30', '2026-01-31T12:30:00.000Z'],
	])('%s is %s whatever the timezone of the workflow', (value, expected) => {
		expect(iso(value, 'Asia/Tokyo')).toBe(expected);
	});
});

describe('a date from an expression', () => {
	it('may be a Date, a Luxon object, something like one, or ms since the epoch', () => {
		const time = Date.UTC(2026, 0, 31, 9);
		for (const value of [
			time,
			new Date(time),
			DateTime.fromMillis(time, { zone: 'Asia/Tokyo' }),
			{ toMillis: () => time },
		]) {
			expect(iso(value, 'Europe/Berlin')).toBe('2026-01-31T09:00:00.000Z');
		}
	});
});

describe('the first and the last moment', () => {
	it.each([[0], [Date.UTC(9999, 11, 31, 23, 59, 59, 999)]])('%i is a date', (time) => {
		expect(parseDate(time, 'UTC', 'Start Date')).toBe(time);
	});
});

describe('a blank date', () => {
	it.each([[undefined], [null], ['']])('%j is not a date', (value) => {
		expect(parseDate(value, 'UTC', 'Start Date')).toBeUndefined();
	});
});

describe('what is not a date', () => {
	it.each<[unknown]>([
		['yesterday'],
		['31.01.2026'],
		['2026-02-30'],
		['2025-02-29'],
		['2026-13-01'],
		['2026-01-00'],
		['2026-01-31T24:00:00'],
		['2026-01-31T09:60:00'],
		['2026-01-31T09:00:00 CET'],
		['20260131'],
		[NaN],
		[Infinity],
		[-1],
		[8.64e15],
		[Date.UTC(10_000, 0, 1)],
		[new Date(NaN)],
		[DateTime.invalid('made up')],
		[{}],
		[[]],
		[true],
		[{ toMillis: () => NaN }],
	])('is refused: %p', (value) => {
		expectRefused(
			() => parseDate(value, 'UTC', 'Start Date'),
			/^'Start Date': ".*" is not a date$/,
			/Pick a date, or use an expression that returns one like 2026-01-31/,
		);
	});

	it.each([
		['2026-00-10'],
		['2026-01-31T09:00:60'],
		['2026-02-30T09:00:00Z'],
		['2026-01-31T24:00:00Z'],
		['case 5Z'],
		['on 2026-01-31'],
		['12/11/2026 10:00Z'],
	])('is refused: %p', (value) => {
		expectRefused(() => parseDate(value, 'UTC', 'Start Date'), 'is not a date', 'Pick a date');
	});

	it('is refused or a time that can be sent, whatever the value', () => {
		fc.assert(
			fc.property(fc.anything(), fc.constantFrom('UTC', 'Europe/Berlin'), (value, timezone) => {
				let time: number | undefined;
				try {
					time = parseDate(value, timezone, 'Start Date');
				} catch (error) {
					expect((error as Error).name).toBe('InvalidInput');
					return;
				}
				if (time !== undefined) {
					expect(formatTimestamp(time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
				}
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('a time as it is sent', () => {
	it('is UTC in whole seconds', () => {
		expect(formatTimestamp(Date.UTC(2026, 0, 31, 9, 5, 7, 999))).toBe('2026-01-31T09:05:07Z');
		expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00Z');
	});
});
