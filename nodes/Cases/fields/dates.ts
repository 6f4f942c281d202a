import { InvalidInput, quote } from '../api/failures/failure';
import { isBlank } from './values';

/** Which end of a range a date is. Where a local time comes twice or never, nothing between the two may be left out. */
export type Bound = 'start' | 'end';

const DATE =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/i;

/** A date and a time in the digits of one number: 202601311200, with or without seconds. */
const DATE_IN_DIGITS =
	/^(?:19[7-9]|20\d)\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/;

const DAY_MS = 86_400_000;

/** The end of the year 9999: later years have more than four digits. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

/** A clock of a time zone; undefined when there is no such zone. */
function clockOf(timezone: string): Intl.DateTimeFormat | undefined {
	try {
		return new Intl.DateTimeFormat('en-US', {
			timeZone: timezone,
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
	} catch {
		return undefined;
	}
}

/** What a clock shows at a time, as if it showed UTC, in ms. */
function shownBy(clock: Intl.DateTimeFormat, time: number): number {
	const parts = clock.formatToParts(time);
	const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
	return Date.UTC(
		get('year'),
		get('month') - 1,
		get('day'),
		get('hour'),
		get('minute'),
		get('second'),
	);
}

/**
 * The time at which a clock in the time zone shows these digits. When summer time ends they come twice, when it begins
 * an hour of them never comes: a range then starts with the earlier and ends with the later of the two possible times.
 * @throws InvalidInput when there is no such time zone
 */
function fromLocalTime(digits: number, timezone: string, bound: Bound, field: string): number {
	const clock = clockOf(timezone);
	if (clock === undefined) {
		throw new InvalidInput(
			`'${field}' needs the workflow's time zone, but ${quote(timezone)} is not a time zone`,
			"Choose another time zone in the workflow's settings, or enter a date with a time zone, for example 2026-01-31T09:00:00Z.",
		);
	}
	// The offsets before and after a change of the clocks near this time; the same without one.
	const times = [-DAY_MS, DAY_MS].map((away) => {
		const near = digits + away;
		return digits - (shownBy(clock, near) - near);
	});
	const real = times.filter((time) => shownBy(clock, time) === digits);
	const possible = real.length === 0 ? times : real;
	return bound === 'start' ? Math.min(...possible) : Math.max(...possible);
}

/**
 * Reads a date.
 * @param value text with or without a zone (n8n's picker stores none: it is in the workflow's time zone), a Unix time in
 * seconds or ms, a Date or a Luxon object from an expression
 * @param field label of the field, for the error
 * @returns ms since the epoch, or undefined for a blank
 * @throws InvalidInput when it is not a date
 */
export function parseDate(
	value: unknown,
	timezone: string,
	field: string,
	bound: Bound = 'start',
): number | undefined {
	if (isBlank(value)) return undefined;
	const time = toTime(value, timezone, bound, field);
	if (time >= 0 && time <= LAST) return time;
	throw new InvalidInput(
		`'${field}': ${quote(value)} is not a date`,
		'Pick a date, or use an expression that returns one like 2026-01-31, 2026-01-31T09:00:00 or 2026-01-31T09:00:00Z, or a Unix time in seconds or milliseconds.',
	);
}

/** NaN for what is not a date. */
function toTime(value: unknown, timezone: string, bound: Bound, field: string): number {
	if (typeof value === 'number') return fromUnixTime(value);
	if (value instanceof Date) return value.getTime();
	if (typeof value === 'string') return fromText(value.trim(), timezone, bound, field);
	const { toMillis, isLuxonDuration } = value as { toMillis?: unknown; isLuxonDuration?: unknown };
	if (isLuxonDuration === true) return NaN;
	return typeof toMillis === 'function' ? Number(toMillis.call(value)) : NaN;
}

/**
 * A Unix time in ms, or in seconds if it has nine to eleven digits. 100,000,000 s and 100,000,000,000 ms are both in 1973.
 * A shorter number is not a time, but a year such as 2026 or a date such as 20260131; 0 is the epoch in both units. Digits
 * that read as a date and a time, such as 20260131093000, are refused too.
 */
function fromUnixTime(number: number): number {
	if (DATE_IN_DIGITS.test(String(number))) return NaN;
	if (number === 0 || number >= 1e11) return number;
	return number >= 1e8 ? number * 1000 : NaN;
}

function fromText(text: string, timezone: string, bound: Bound, field: string): number {
	const match = DATE.exec(text);
	if (match === null) return NaN;
	const [year, month, day, hour = 0, minute = 0, second = 0] = match
		.slice(1, 7)
		.map((part) => (part === undefined ? undefined : Number(part))) as number[];
	const digits = Date.UTC(year, month - 1, day, hour, minute, second);
	// Date.UTC would turn 31 February into 3 March, and 25 o'clock into 1 o'clock of the next day.
	const date = new Date(digits);
	const isReal =
		date.getUTCFullYear() === year &&
		date.getUTCMonth() === month - 1 &&
		date.getUTCDate() === day &&
		date.getUTCHours() === hour &&
		date.getUTCMinutes() === minute &&
		date.getUTCSeconds() === second;
	if (!isReal) return NaN;
	const [fraction = '0', zone] = match.slice(7);
	const time =
		zone === undefined ? fromLocalTime(digits, timezone, bound, field) : digits - offsetOf(zone);
	return time + Number(fraction.padEnd(3, '0'));
}

/** The offset of `Z`, `+02:00` or `+0200` from UTC, in ms. */
function offsetOf(zone: string): number {
	const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(zone) ?? [];
	const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
	return sign === '-' ? -offset : offset;
}
