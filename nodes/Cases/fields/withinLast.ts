import { FAR_FUTURE, formatTimestamp } from '../api/timestamps';
import { InvalidInput, quote } from '../api/failure';
import type { CaseFilters } from '../api/cases';
import { FILTERS, isBlank, type FilterName } from './filters';

const MINUTE = 60_000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };

/** Periods that end now, by the name the node gives them: the pair of date filters that each stands for. */
const RANGES: Record<string, [start: FilterName, end: FilterName]> = {
	start_date: ['start_date', 'end_date'],
	resolved_at: ['resolved_at_start_date', 'resolved_at_end_date'],
	updated_at: ['updated_at_start_date', 'updated_at_end_date'],
};

function parsePeriod(value: unknown): number {
	const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(String(value)) ?? [];
	if (count !== undefined) return Number(count) * UNITS[unit];
	throw new InvalidInput(
		`Within the Last: ${quote(value)} is no period`,
		'Choose one from the list, or give a number and a unit by expression: 90m, 24h or 7d.',
	);
}

/**
 * Adds periods such as "the last 24 hours" to filters, as the date filters they stand for.
 * @param periods by name: `start_date`, `resolved_at`, `updated_at`; the value is like `90m`, `24h` or `7d`
 * @param now end of the periods, in ms since the epoch
 * @throws InvalidInput for an unknown period, or one whose dates are among the filters already
 */
export function addPeriods(
	query: CaseFilters,
	periods: Record<string, unknown>,
	now: number,
): CaseFilters {
	const filters = { ...query.filters };
	for (const [name, period] of Object.entries(periods)) {
		if (isBlank(period)) continue;
		if (!Object.hasOwn(RANGES, name)) {
			throw new InvalidInput(
				`There is no period ${quote(name)}`,
				`The periods are: ${Object.keys(RANGES).join(', ')}.`,
			);
		}
		const [start, end] = RANGES[name];
		if (filters[start] !== undefined || filters[end] !== undefined) {
			throw new InvalidInput(
				`${FILTERS[start].label} is given both by Within the Last and by Filters`,
				'Remove one of the two.',
			);
		}
		filters[start] = formatTimestamp(now - parsePeriod(period));
		filters[end] = FAR_FUTURE;
	}
	return { ...query, filters };
}
