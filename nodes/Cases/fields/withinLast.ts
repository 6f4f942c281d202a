import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { CaseFilters } from '../api/caseQuery';
import { InvalidInput, quote } from '../api/failure';
import { FAR_FUTURE, formatTimestamp } from '../api/timestamps';
import { labelOf, readFilters, type FilterName } from './filters';
import { collectionField, readLimits, type Show } from './form';
import type { Parameters } from './parameters';
import { isBlank } from './values';

const PERIODS: INodePropertyOptions[] = [
	{ name: '15 Minutes', value: '15m' },
	{ name: '1 Hour', value: '1h' },
	{ name: '4 Hours', value: '4h' },
	{ name: '24 Hours', value: '24h' },
	{ name: '7 Days', value: '7d' },
	{ name: '30 Days', value: '30d' },
	{ name: '90 Days', value: '90d' },
];

/** The entries of the collection, in alphabetical order. */
const LABELS = {
	created_at: 'Created Within the Last',
	resolved_at: 'Resolved Within the Last',
	updated_at: 'Updated Within the Last',
};

/** Periods that end when the node runs, for those who don't know expressions. */
export function withinLastField(show: Show): INodeProperties {
	const texts = {
		displayName: 'Time Period',
		name: 'withinLast',
		placeholder: 'Add Time Period',
		description:
			'Only cases that were created, resolved or updated recently, for example in the last 24 hours',
	};
	const fields = Object.entries(LABELS).map(
		([name, displayName]): INodeProperties => ({
			displayName,
			name,
			type: 'options',
			options: PERIODS,
			default: '24h',
			description: `Only cases that were ${name.replace('_at', '')} in this period. It ends when the node runs.`,
		}),
	);
	return collectionField(show, texts, fields);
}

const MINUTE = 60_000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };

/** A period such as `90m`, `24h` or `7d`, in ms; undefined for a blank one. */
function parsePeriod(value: unknown, label: string): number | undefined {
	if (isBlank(value)) return undefined;
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
	if (count !== undefined) return Number(count) * UNITS[unit];
	throw new InvalidInput(
		`'${label}': ${quote(value)} is not a valid period`,
		'Choose one from the list, or use an expression that returns a number and a unit: 90m, 24h or 7d.',
	);
}

/** The filters that a period stands for, where the API has them. */
const RANGES: Record<string, [start: FilterName, end: FilterName]> = {
	resolved_at: ['resolved_at_start_date', 'resolved_at_end_date'],
	updated_at: ['updated_at_start_date', 'updated_at_end_date'],
};

/**
 * Adds periods such as "the last 24 hours" to filters.
 * @param periods by name: `created_at`, `resolved_at` or `updated_at`
 * @param now end of the periods, in ms since the epoch
 * @throws InvalidInput for an unknown period, or one whose dates are among the filters already
 */
export function addPeriods(
	query: CaseFilters,
	periods: Record<string, unknown>,
	now: number,
): CaseFilters {
	const filters = { ...query.filters };
	let { createdSince } = query;
	for (const [name, value] of Object.entries(periods)) {
		if (!Object.hasOwn(LABELS, name)) {
			throw new InvalidInput(
				`'Time Period' has no period ${quote(name)}`,
				'The periods are: created_at, resolved_at and updated_at.',
			);
		}
		const label = LABELS[name as keyof typeof LABELS];
		const length = parsePeriod(value, label);
		if (length === undefined) continue;
		if (name === 'created_at') {
			createdSince = now - length;
			continue;
		}
		const [start, end] = RANGES[name];
		if (filters[start] !== undefined || filters[end] !== undefined) {
			throw new InvalidInput(
				`'${label}' and '${labelOf(filters[start] === undefined ? end : start)}' both limit the same time`,
				"Remove one of the two: the entry of 'Time Period' or the filter.",
			);
		}
		filters[start] = formatTimestamp(now - length);
		filters[end] = FAR_FUTURE;
	}
	return { ...query, filters, createdSince };
}

/** The Filters of an input item, with those that its periods stand for. @throws InvalidInput */
export function readFiltersAndPeriods(parameters: Parameters, item: number): CaseFilters {
	const labelOfPeriod = (name: string) => LABELS[name as keyof typeof LABELS];
	const periods = readLimits(parameters, item, 'withinLast', 'Time Period', labelOfPeriod);
	return addPeriods(readFilters(parameters, item), periods, parameters.startedAt);
}
