/** Formats a time as ISO 8601 in UTC with whole seconds and `Z`. The API document leaves the format open. */
export function formatTimestamp(time: number): string {
	return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** An end for date ranges, later than any edit. Where a range has no end, the service takes "today", which is vague. */
export const FAR_FUTURE = '2099-12-31T23:59:59Z';

const ZONE = /(?:z|utc|gmt|[+-]\d\d:?\d\d)$/i;

/**
 * Reads a timestamp of the service. A timestamp without a zone is in UTC, whatever the zone of n8n's machine.
 * @returns ms since the epoch; undefined for a value that is not a date
 */
export function parseTimestamp(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const time = Date.parse(ZONE.test(text) ? text : `${text}Z`);
	return Number.isNaN(time) ? undefined : time;
}
