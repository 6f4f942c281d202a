import { InvalidInput, quote } from '../api/failure';

const DATE =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Offset of a timezone from UTC at a time, in ms. */
function zoneOffset(time: number, timezone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(time);
	const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
	const local = Date.UTC(
		get('year'),
		get('month') - 1,
		get('day'),
		get('hour'),
		get('minute'),
		get('second'),
	);
	return local - Math.floor(time / 1000) * 1000;
}

/** The time at which a clock in the timezone shows these digits; if the clock skips them in spring, just after the hour that it skips. */
function fromLocalTime(digitsAsUtc: number, timezone: string): number {
	const guess = digitsAsUtc - zoneOffset(digitsAsUtc, timezone);
	return digitsAsUtc - zoneOffset(guess, timezone);
}

/**
 * Reads a date of a filter.
 * @param value text with or without a zone (n8n's picker stores none: it is in the workflow's timezone),
 * a time in ms, a Date or a Luxon object from an expression
 * @param field label of the field, for the error
 * @returns ms since the epoch, or undefined for a blank
 * @throws InvalidInput when it is not a date
 */
export function parseDate(value: unknown, timezone: string, field: string): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const time = toTime(value, timezone);
	if (!Number.isNaN(time) && time >= 0 && time < 253402300800000) return time;
	throw new InvalidInput(
		`'${field}': ${quote(value)} is not a date`,
		'Pick a date, or use an expression that returns one like 2026-01-31, 2026-01-31T09:00:00 or 2026-01-31T09:00:00Z.',
	);
}

function toTime(value: unknown, timezone: string): number {
	if (typeof value === 'number') return value;
	if (typeof value === 'object' && value !== null && 'toMillis' in value) {
		return Number((value as { toMillis(): number }).toMillis());
	}
	if (value instanceof Date) return value.getTime();
	if (typeof value !== 'string') return NaN;
	const match = DATE.exec(value.trim());
	if (match === null) return NaN;
	const [year, month, day, hour = 0, minute = 0, second = 0] = match
		.slice(1, 7)
		.map((part) => (part === undefined ? undefined : Number(part))) as number[];
	const digits = Date.UTC(year, month - 1, day, hour, minute, second);
	// Date.UTC would turn 31 February into 3 March, and 25 o'clock into 1 o'clock of the next day.
	const date = new Date(digits);
	const isReal =
		date.getUTCMonth() === month - 1 &&
		date.getUTCDate() === day &&
		date.getUTCHours() === hour &&
		date.getUTCMinutes() === minute &&
		date.getUTCSeconds() === second;
	if (!isReal) return NaN;
	const [fraction = '0', zone] = match.slice(7);
	const time = zone === undefined ? fromLocalTime(digits, timezone) : digits - offsetOf(zone);
	return time + Number(fraction.padEnd(3, '0'));
}

/** The offset of `Z`, `+02:00` or `+0200` from UTC, in ms. */
function offsetOf(zone: string): number {
	const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(zone) ?? [];
	const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
	return sign === '-' ? -offset : offset;
}
