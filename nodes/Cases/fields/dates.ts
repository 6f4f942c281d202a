import { InvalidInput, quote } from '../api/failures/failure';
import { FAR_FUTURE } from '../api/timestamps';
import { asRecord, refusal } from './values';

// The date fields take text as in ISO 8601 or SQL, a Unix time, a Date or a Luxon DateTime, and refuse anything else.

/** Which end of a range a date is. This matters where the clocks change: see {@link fromLocalTime}. */
export type Bound = 'start' | 'end';

/** The parts of a date in text: day, time, seconds with their fraction, zone. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)? ?(Z|[+-]\d\d:?\d\d)?$/i;

const DAY_MS = 86_400_000;
/** The latest date that is accepted. A larger number isn't a time in ms but a date in digits, such as 20260131093000. */
const LAST = Date.parse(FAR_FUTURE);

/**
 * Reads a date.
 * @param value text, a Unix time in seconds or ms, or a Date or Luxon object from an expression. Text without a zone, as
 * n8n's date picker stores it, is in the time zone of the workflow.
 * @param field label of the field, for the error
 * @returns ms since the epoch
 * @throws InvalidInput when the value is not a date
 */
export function parseDate(
	value: unknown,
	timezone: string,
	field: string,
	bound: Bound = 'start',
): number {
	const time = toTime(value, timezone, bound);
	if (time !== undefined && time >= 0 && time <= LAST) return time;
	if (time === undefined && toTime(value, 'UTC', bound) !== undefined) {
		throw new InvalidInput(
			`'${field}': the workflow's time zone ${quote(timezone)} doesn't exist`,
			"Choose another Timezone in the settings of the workflow, such as America/Los_Angeles. If it is the default there, correct n8n's environment variable GENERIC_TIMEZONE.",
		);
	}
	const remedy =
		'Pick a date, or use an expression that returns one like 2026-01-31, 2026-01-31T09:00:00 or 2026-01-31T09:00:00Z, or a Unix time in seconds or milliseconds.';
	throw refusal(value, field, 'is not a date from 1970 to 2099', remedy);
}

function toTime(value: unknown, timezone: string, bound: Bound): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (typeof value === 'number' || /^\d+$/.test(text)) return fromUnixTime(Number(value));
	if (text !== '') return fromText(text, timezone, bound);
	const isDate = value instanceof Date || asRecord(value).isLuxonDateTime === true;
	return isDate ? Number(value) : undefined;
}

/**
 * Reads a Unix time, since 1973 in seconds or since 2001 in ms. Other numbers are refused, because they are rather a year such
 * as 2026, or the digits of a date such as 20260131 or 202601310930.
 */
function fromUnixTime(number: number): number | undefined {
	if (number === 0 || number >= 1e12) return number;
	return number >= 1e8 && number < 1e11 ? number * 1000 : undefined;
}

function fromText(text: string, timezone: string, bound: Bound): number | undefined {
	const [, day, time = '00:00', seconds = ':00', zone] = DATE.exec(text) ?? [];
	const shown = Date.parse(`${day}T${time}${seconds}Z`);
	if (Number.isNaN(shown)) return undefined;
	// `Date.parse` takes 31 February for 3 March, and 24:00 for the next day.
	if (!new Date(shown).toISOString().startsWith(`${day}T${time}`)) return undefined;
	return zone === undefined ? fromLocalTime(shown, timezone, bound) : shown - offsetOf(zone);
}

/** A clock that shows the offset of a time zone; undefined for a zone that doesn't exist. */
function clockIn(timeZone: string): Intl.DateTimeFormat | undefined {
	try {
		return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
	} catch {
		return undefined;
	}
}

/**
 * The time at which clocks in the time zone show what a clock in UTC shows at `shown`. When summer time ends, an hour comes
 * twice; when it begins, an hour never comes. Of the two possible times, a range starts with the earlier one and ends with
 * the later one, so that the range leaves nothing out.
 */
function fromLocalTime(shown: number, timeZone: string, bound: Bound): number | undefined {
	const clock = clockIn(timeZone);
	if (clock === undefined) return undefined;
	const offsetAt = (time: number) => offsetOf(clock.format(time));
	// One time by the offset of a day before, one by the offset of a day after. They differ if the clocks change between.
	const times = [shown - DAY_MS, shown + DAY_MS].map((near) => shown - offsetAt(near));
	const real = times.filter((time) => time + offsetAt(time) === shown);
	const possible = real.length === 0 ? times : real;
	return bound === 'start' ? Math.min(...possible) : Math.max(...possible);
}

/** The offset from UTC in ms that a text ends with, such as `+02:00`, `+0200` or `GMT+02:00`; 0 for `Z` and `GMT`. */
function offsetOf(text: string): number {
	const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)$/.exec(text) ?? [];
	const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
	return sign === '-' ? -offset : offset;
}
