import { InvalidInput, quote } from '../api/failure';
import type { CaseFilters } from '../api/cases';
import { parseFilters } from './filters';
import { parseCaseLocator } from './caseLocator';
import type { CasePart } from '../api/caseDetails';
import { addPeriods } from './withinLast';
import { hasField, type Output } from './output';
import { CASE_ORDERS, type CaseOrder } from '../api/types';
import { parseLimit } from './options';
import type { Run } from '../n8n/run';

/** Parameters that several operations share, read and checked for one input item. */

function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The case that the item is about. @throws InvalidInput */
export function caseIdOf({ client, parameter }: Run, item: number): string {
	return parseCaseLocator(parameter('caseId', item), client.tenant.baseUrl);
}

/** The filters of the item. @throws InvalidInput */
export function filtersOf({ timezone, startedAt, parameter }: Run, item: number): CaseFilters {
	const filters = parseFilters(asRecord(parameter('filters', item, {})), timezone);
	return addPeriods(filters, asRecord(parameter('withinLast', item, {})), startedAt);
}

/** How many rows the item wants at most; undefined for all. @throws InvalidInput */
export function limitOf({ parameter }: Run, item: number): number | undefined {
	return parameter('returnAll', item) === true ? undefined : parseLimit(parameter('limit', item));
}

/** The order that the item chose, if any. @throws InvalidInput */
export function orderOf({ parameter }: Run, item: number): CaseOrder | undefined {
	const { order } = asRecord(parameter('sort', item, {}));
	if (order === undefined || order === null || order === '') return undefined;
	const known = CASE_ORDERS.find((name) => name === order);
	if (known !== undefined) return known;
	throw new InvalidInput(
		`Sort: ${quote(order)} is not an order of the service`,
		`The orders are: ${CASE_ORDERS.join(', ')}.`,
	);
}

/** A list of texts from a multi-select or an expression; one text may hold several, with commas. */
function textsOf(value: unknown, label: string): string[] {
	const list = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string')) {
		throw new InvalidInput(
			`${label}: ${quote(value)} is no list of names`,
			'Choose from the list, or give names with commas between them.',
		);
	}
	return list.map((entry: string) => entry.trim()).filter((entry) => entry !== '');
}

/** How much of each case the item wants. @throws InvalidInput */
export function outputOf(parameter: Run['parameter'], item: number): Output {
	const mode = parameter('output', item, 'simplified');
	if (mode === 'simplified' || mode === 'raw') return { mode };
	if (mode !== 'selected') {
		throw new InvalidInput(
			`Output: ${quote(mode)} is unknown`,
			'Choose simplified, selected or raw.',
		);
	}
	const fields = textsOf(parameter('fields', item, []), 'Fields');
	return { mode, fields: fields.filter((field) => field !== '__proto__') };
}

/** The parts to read whole, of those that the output has. @throws InvalidInput */
export function partsToLoadOf({ parameter }: Run, item: number, output: Output): CasePart[] {
	const { loadInFull = [] } = asRecord(parameter('options', item, {}));
	const names = textsOf(loadInFull, 'Load in Full');
	return names
		.map((name) => {
			if (name === 'activities' || name === 'records') return name;
			throw new InvalidInput(
				`Load in Full: ${quote(name)} is unknown`,
				'Choose activities, records or both.',
			);
		})
		.filter((part) => hasField(output, part));
}
