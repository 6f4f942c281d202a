export type TimestampPrecision = 'seconds' | 'milliseconds';

/** A moment as text or date, or as epoch milliseconds. */
export type Moment = string | number | Date;

/**
 * The moment as an ISO 8601 UTC timestamp, cut to the precision: `2026-01-02T03:04:05Z`.
 * Timestamps of one precision compare as text.
 */
export function toTimestamp(moment: Moment, precision: TimestampPrecision): string {
	const iso = new Date(moment).toISOString();
	return precision === 'seconds' ? `${iso.slice(0, 19)}Z` : iso;
}

const UTC_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/** Whether the text is exactly an ISO 8601 UTC timestamp with seconds and `Z`, of a day that exists. */
export function isUtcTimestamp(text: string): boolean {
	if (!UTC_TIMESTAMP.test(text)) return false;
	const date = new Date(text);
	// Date rolls 30 February over to March: what comes back must be what was sent.
	return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19);
}
