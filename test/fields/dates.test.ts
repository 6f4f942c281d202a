import { formatTimestamp } from '../../nodes/Cases/api/timestamps';
import fc from 'fast-check';
import { DateTime, Duration } from 'luxon';
import { parseDate, type Bound } from '../../nodes/Cases/fields/dates';
import { expectRefused } from '../support/refusal';
import { PROPERTY_TIMES } from '../support/propertyTimes';

const iso = (value: unknown, timezone = 'UTC', bound: Bound = 'start') => {
	return new Date(parseDate(value, timezone, 'Start Date', bound)).toISOString();
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
		['2026-01-31T09:00:00', 'Asia/Kathmandu', '2026-01-31T03:15:00.000Z'],
		['2026-01-31', 'Pacific/Kiritimati', '2026-01-30T10:00:00.000Z'],
		['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z'],
	])('%s in %s is %s', (value, timezone, expected) => {
		expect(iso(value, timezone)).toBe(expected);
	});

	it.each([
		['in the hour that summer time skips', '2026-03-29T02:30:00', '00:30', '01:30'],
		['just before that hour', '2026-03-29T01:59:59', '00:59', '00:59'],
		['just after that hour', '2026-03-29T03:00:00', '01:00', '01:00'],
		['in the hour that comes twice', '2026-10-25T02:30:00', '00:30', '01:30'],
		['just before that hour', '2026-10-25T01:59:59', '23:59', '23:59'],
		['just after that hour', '2026-10-25T03:00:00', '02:00', '02:00'],
	])(
		'%s starts a range at the earlier time, and ends it at the later',
		(_where, value, ...times) => {
			const of = (bound: Bound) => iso(value, 'Europe/Berlin', bound).slice(11, 16);
			expect([of('start'), of('end')]).toEqual(times);
		},
	);

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
				const times = (['start', 'end'] as const).map((bound) =>
					parseDate(shown, zone, 'Start Date', bound),
				);
				for (const time of times) {
					expect(DateTime.fromMillis(time, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss")).toBe(shown);
				}
				expect(times[0]).toBeLessThanOrEqual(date.getTime());
				expect(times[1] + 1000).toBeGreaterThan(date.getTime());
			}),
			{ numRuns: 200 * PROPERTY_TIMES },
		);
	});
});

describe('a date with a zone', () => {
	it.each([
		['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00.250Z', '2026-01-31T09:00:00.250Z'],
		['2026-01-31T09:00:00+02:00', '2026-01-31T07:00:00.000Z'],
		['2026-01-31T09:00:00-0500', '2026-01-31T14:00:00.000Z'],
		['2026-01-31T09:00:00-03:30', '2026-01-31T12:30:00.000Z'],
		['2026-01-31 09:00:00.000 +01:00', '2026-01-31T08:00:00.000Z'],
	])('%s is %s whatever the timezone of the workflow', (value, expected) => {
		expect(iso(value, 'Asia/Tokyo')).toBe(expected);
	});
});

const TIME = Date.UTC(2026, 0, 31, 9);
const LAST = Date.UTC(2099, 11, 31);

it.each([
	['a Unix time in ms', TIME, TIME],
	['a Unix time in seconds', TIME / 1000, TIME],
	['a Unix time as text', ` ${TIME / 1000} `, TIME],
	['a date of JavaScript', new Date(TIME), TIME],
	['a date of Luxon', DateTime.fromMillis(TIME, { zone: 'Asia/Tokyo' }), TIME],
	['the first moment', 0, 0],
	['a number of the last day', LAST, LAST],
	['the last moment', '2099-12-31T23:59:59Z', LAST + 86_399_000],
])('A date may be %s', (_what, value, time) => {
	expect(parseDate(value, 'Europe/Berlin', 'Start Date')).toBe(time);
});

describe('what is not a date', () => {
	it.each<unknown>([
		...['', 'yesterday', '31.01.2026', '12/11/2026 10:00Z', 'on 2026-01-31', '20260131'],
		...['2026-01-31T09:00:00 CET'],
		// Days and times that do not exist.
		...['2026-02-30', '2026-13-01', '2026-00-10', '2026-01-31T24:00:00', '2026-01-31T09:00:60'],
		...['2026-02-30T09:00:00Z', '2026-01-31T24:00:00Z'],
		// Before 1970, after 2099, and dates in digits.
		...['0026-01-31', -1, '2100-01-01', Date.UTC(2100, 0, 1), 20260131, 202601310930],
		...[NaN, true, new Date(NaN), DateTime.invalid('made up')],
		...[Duration.fromObject({ days: 400 }), { toMillis: () => 1e12 }],
	])('is refused: %p', (value) => {
		expectRefused(
			() => parseDate(value, 'UTC', 'Start Date'),
			/^'Start Date': ".*" is not a date from 1970 to 2099$/,
			/Pick a date, or use an expression that returns one like 2026-01-31/,
		);
	});

	it('is refused or a time that can be sent, whatever the value', () => {
		fc.assert(
			fc.property(fc.anything(), fc.constantFrom('UTC', 'Europe/Berlin'), (value, timezone) => {
				let time: number;
				try {
					time = parseDate(value, timezone, 'Start Date');
				} catch (error) {
					expect((error as Error).name).toBe('InvalidInput');
					return;
				}
				expect(formatTimestamp(time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
			}),
			{ numRuns: 300 * PROPERTY_TIMES },
		);
	});
});

test('A date without a zone needs a time zone that exists, one with a zone does not', () => {
	expect(parseDate('2026-01-31T09:00:00Z', 'Pacific', 'Updated From')).toBeGreaterThan(0);
	expectRefused(
		() => parseDate('2026-01-31', 'Pacific', 'Updated From'),
		`'Updated From': the workflow's time zone "Pacific" doesn't exist`,
		/settings of the workflow, such as America.*GENERIC_TIMEZONE/,
	);
});
