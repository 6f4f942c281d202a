import type { ClockDeviations, Deviating } from '../deviations';

/** The moment that a row shows for a moment of the store, in epoch milliseconds. */
export function shownInRows(clock: ClockDeviations, ms: number): number {
	return ms + (clock.dataOffset ?? 0) * 1000;
}

/** The Date header of an answer at this moment; undefined if it has none. */
export function dateHeader(deviating: Deviating, now: Date): string | undefined {
	const { clock } = deviating.current;
	if (!clock) return now.toUTCString();
	const { noDate, dateFrozenAt, dateOffset = 0 } = clock;
	if (noDate) return undefined;
	if (dateFrozenAt !== undefined) return new Date(dateFrozenAt).toUTCString();
	return new Date(now.getTime() + dateOffset * 1000).toUTCString();
}

const FORMATS: Record<NonNullable<ClockDeviations['format']>, (iso: string) => string> = {
	noZone: (iso) => iso.replace(/Z$/, ''),
	offset: (iso) => iso.replace(/Z$/, '+00:00'),
	milliseconds: (iso) => new Date(iso).toISOString(),
	date: (iso) => iso.slice(0, 10),
};

/** A time of a row, as the service writes it. */
export function written({ format }: ClockDeviations, timestamp: string): string {
	return format ? FORMATS[format](timestamp) : timestamp;
}

/** The value with all of its times (the fields ending in `_at`) as the service writes them. */
export function withWrittenTimes(clock: ClockDeviations, value: unknown): unknown {
	if (Array.isArray(value)) return value.map((one) => withWrittenTimes(clock, one));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name,
			name.endsWith('_at') && typeof member === 'string'
				? written(clock, member)
				: withWrittenTimes(clock, member),
		]),
	);
}
