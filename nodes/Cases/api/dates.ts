import { InvalidInput, quote } from './failure';

const ZONED = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

/** Formats a time as the node sends it: ISO 8601, UTC, seconds, `Z` (the document leaves the format open). */
export function formatTimestamp(time: number): string {
	return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

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

/** The time at which a clock in the timezone shows these digits; in a gap of summer time, just after it. */
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
 * @throws InvalidInput when it is no date
 */
export function parseDate(value: unknown, timezone: string, field: string): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const time = toTime(value, timezone);
	if (!Number.isNaN(time) && time >= 0 && time < 253402300800000) return time;
	throw new InvalidInput(
		`${field}: ${quote(value)} is not a date`,
		'Pick a date, or give one like 2026-01-31, 2026-01-31T09:00:00 or 2026-01-31T09:00:00Z.',
	);
}

function toTime(value: unknown, timezone: string): number {
	if (typeof value === 'number') return value;
	if (typeof value === 'object' && value !== null && 'toMillis' in value) {
		return Number((value as { toMillis(): number }).toMillis());
	}
	if (value instanceof Date) return value.getTime();
	if (typeof value !== 'string') return NaN;
	const text = value.trim();
	const local = LOCAL.exec(text);
	if (local === null) return ZONED.test(text) ? Date.parse(text) : NaN;
	const [year, month, day, hour = 0, minute = 0, second = 0] = local
		.slice(1)
		.map((part) => (part === undefined ? undefined : Number(part))) as [
		number,
		number,
		number,
		number?,
		number?,
		number?,
	];
	const digits = Date.UTC(year, month - 1, day, hour, minute, second);
	// Date.UTC would turn 31 February into 3 March.
	const isReal = new Date(digits).getUTCDate() === day && month <= 12 && hour < 24 && minute < 60;
	return isReal ? fromLocalTime(digits, timezone) : NaN;
}
