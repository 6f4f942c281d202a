import type { ListSource } from '../../nodes/Cases/api/pages';
import type { PageMeta, Row } from '../../nodes/Cases/api/types';

const START = Date.parse('2026-01-31T12:00:00Z');

/** More requests than any reader of these lists needs. Another would read for ever, and no time limit could end it. */
const MOST_REQUESTS = 1000;

/** How a list of letters behaves. */
export interface LettersOptions {
	/** What happens just before the request with that number, from 1. */
	before?: Record<number, (list: Letters) => void>;
	/** False for a service without a Date header. */
	tellsTime?: boolean;
	/** False for a list whose edits can't be counted. */
	countsEdits?: boolean;
	/** Replaces the right page counts. */
	meta?: (right: PageMeta, perPage: number) => PageMeta;
	/** Smallest and largest page that the service makes, whatever is requested. */
	minPerPage?: number;
	maxPerPage?: number;
}

/** A list whose rows are letters. Each request takes ten seconds of the service's clock. */
export interface Letters {
	source: ListSource;
	/** All requests in order: page number and page size as `2/3`, and `edits` for the number of edits. */
	requests: string[];
	/**
	 * Replaces the list.
	 * @param edited letters that this edits; only these may be new or change places
	 */
	become: (list: string, edited?: string) => void;
}

export function letters(start: string, options: LettersOptions = {}): Letters {
	const { before = {}, tellsTime = true, countsEdits = true } = options;
	const { meta = (right) => right, minPerPage = 1, maxPerPage = 50 } = options;
	let present = [...start];
	let now = START;
	const editedAt = new Map<string, number>();
	const timeOf = (letter: string) => editedAt.get(letter) ?? START - 60_000;
	const arrive = (request: string) => {
		list.requests.push(request);
		if (list.requests.length > MOST_REQUESTS) throw new Error('The reader does not come to an end');
		before[list.requests.length]?.(list);
		now += 10_000;
	};
	const list: Letters = {
		requests: [],
		become: (next, edited = '') => {
			present = [...next];
			for (const letter of edited) editedAt.set(letter, now);
		},
		source: {
			fetchPage: async (page, requested) => {
				arrive(`${page}/${requested}`);
				const perPage = Math.max(minPerPage, Math.min(maxPerPage, requested));
				const pages = Math.max(1, Math.ceil(present.length / perPage));
				const rows = present.slice((page - 1) * perPage, page * perPage);
				return {
					rows: rows.map(
						(letter): Row => ({ letter, updated_at: new Date(timeOf(letter)).toISOString() }),
					),
					meta: meta({ perPage, pages, hasNextPage: page < pages }, perPage),
					servedAt: tellsTime ? now : undefined,
				};
			},
			idOf: ({ letter }) => String(letter),
			countEditedSince: !countsEdits
				? undefined
				: async (time) => {
						arrive('edits');
						return present.filter((letter) => timeOf(letter) >= time).length;
					},
		},
	};
	return list;
}
