export type TimestampPrecision = 'seconds' | 'milliseconds';

/** A moment as a text or date, or in epoch milliseconds. */
export type Moment = string | number | Date;

/**
 * The moment as an ISO 8601 UTC timestamp, truncated to the precision: `2026-01-02T03:04:05Z`.
 * Timestamps of the same precision can be compared as text.
 */
export function toTimestamp(moment: Moment, precision: TimestampPrecision): string {
	const iso = new Date(moment).toISOString();
	return precision === 'seconds' ? `${iso.slice(0, 19)}Z` : iso;
}

const UTC_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/** Whether the text is an ISO 8601 UTC timestamp with seconds and `Z`, of a day that exists. */
export function isUtcTimestamp(text: string): boolean {
	if (!UTC_TIMESTAMP.test(text)) return false;
	const date = new Date(text);
	// Date accepts 30 February as a day in March, so the result must equal the text.
	return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19);
}
