/** Formats a time as the node sends it: ISO 8601, UTC, seconds, `Z` (the API document leaves the format open). */
export function formatTimestamp(time: number): string {
	return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** An end of date ranges that is later than any edit: without one the service takes "today", which is vague. */
export const FAR_FUTURE = '2099-12-31T23:59:59Z';
