import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { CaseFilters } from '../api/caseQuery';
import { InvalidInput, quote } from '../api/failure';
import { FAR_FUTURE, formatTimestamp } from '../api/timestamps';
import { DATE_RANGES, labelOf, readFilters } from './filters';
import type { Show } from './form';
import type { Parameters } from './parameters';
import { asRecord } from './values';

const PERIODS: INodePropertyOptions[] = [
	{ name: '15 Minutes', value: '15m' },
	{ name: '1 Hour', value: '1h' },
	{ name: '4 Hours', value: '4h' },
	{ name: '24 Hours', value: '24h' },
	{ name: '7 Days', value: '7d' },
	{ name: '30 Days', value: '30d' },
	{ name: '90 Days', value: '90d' },
];

function period(
	displayName: string,
	name: keyof typeof DATE_RANGES,
	description: string,
): INodeProperties {
	return { displayName, name, type: 'options', options: PERIODS, default: '24h', description };
}

/** Periods that end when the node runs, for those who don't know expressions. */
export function withinLastField(show: Show): INodeProperties {
	return {
		displayName: 'Within the Last',
		name: 'withinLast',
		type: 'collection',
		placeholder: 'Add Period',
		default: {},
		displayOptions: { show },
		description:
			'Only cases of a period up to now, e.g. those updated within the last 24 hours. Add none to get cases of any time.',
		options: [
			period('Resolved', 'resolved_at', 'Cases resolved within this period'),
			period(
				'Start Date',
				'start_date',
				'Cases of this period. Which date of a case the service compares is not documented.',
			),
			period('Updated', 'updated_at', 'Cases updated within this period'),
		],
	};
}

const MINUTE = 60_000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE };

/** A period such as `90m`, `24h` or `7d`, in ms; undefined for a blank one. */
function parsePeriod(value: unknown): number | undefined {
	const text = String(value ?? '');
	if (text.trim() === '') return undefined;
	const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
	if (count !== undefined) return Number(count) * UNITS[unit];
	throw new InvalidInput(
		`Within the Last: ${quote(value)} is no period`,
		'Choose one from the list, or give a number and a unit by expression: 90m, 24h or 7d.',
	);
}

/**
 * Adds periods such as "the last 24 hours" to filters, as the date filters that they stand for.
 * @param periods by the names of {@link DATE_RANGES}
 * @param now end of the periods, in ms since the epoch
 * @throws InvalidInput for an unknown period, or one whose dates are among the filters already
 */
export function addPeriods(
	query: CaseFilters,
	periods: Record<string, unknown>,
	now: number,
): CaseFilters {
	const filters = { ...query.filters };
	for (const [name, value] of Object.entries(periods)) {
		const length = parsePeriod(value);
		if (length === undefined) continue;
		if (!Object.hasOwn(DATE_RANGES, name)) {
			throw new InvalidInput(
				`There is no period ${quote(name)}`,
				`The periods are: ${Object.keys(DATE_RANGES).join(', ')}.`,
			);
		}
		const [start, end] = DATE_RANGES[name as keyof typeof DATE_RANGES];
		if (filters[start] !== undefined || filters[end] !== undefined) {
			throw new InvalidInput(
				`${labelOf(start)} is given both by Within the Last and by Filters`,
				'Remove one of the two.',
			);
		}
		filters[start] = formatTimestamp(now - length);
		filters[end] = FAR_FUTURE;
	}
	return { ...query, filters };
}

/** The Filters of an input item, with those that its periods stand for. @throws InvalidInput */
export function readFiltersAndPeriods(parameters: Parameters, item: number): CaseFilters {
	const periods = asRecord(parameters.parameter('withinLast', item, {}));
	return addPeriods(readFilters(parameters, item), periods, parameters.startedAt);
}
