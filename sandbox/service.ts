import { Deviating, type Deviations, type ListName } from './deviations';
import { GROWN_DEVIATIONS, traitsOf, type GrownTrait, type Traits } from './grown';
import type { Meta } from './page';
import { dialectOf, type Dialect } from './params';
import type { QueryOptions } from './query';
import type { CaseStore } from './store';
import type { ArrayFormat } from './types';

/** What the service does where the document is silent; see README.md. */
export interface ServiceOptions {
	/** Whether requests that go beyond the document are refused. Default true. */
	strict?: boolean;
	/** How array filters look in the query string. Default brackets. */
	arrayFormat?: ArrayFormat;
	/** Where a date range without an end ends: at the first or the last moment of today (UTC). Default startOfToday. */
	defaultEnd?: QueryOptions['defaultEnd'];
	/** Which comments come first. Default oldest. */
	commentsOrder?: 'oldest' | 'newest';
	/** How many activities and records a case in a list carries. Default 10. */
	detailsPerPage?: number;
	/** How it differs from the document at the start. Default: not at all. */
	deviations?: Deviations;
	/** What it has learned since the document: all traits of grown.ts, or these. Default: nothing. */
	grown?: boolean | readonly GrownTrait[];
}

/** What the endpoints need to know about the sandbox. */
export interface Service
	extends Required<Omit<ServiceOptions, 'deviations' | 'grown' | 'arrayFormat'>> {
	store: CaseStore;
	deviating: Deviating;
	traits: Traits;
	dialect: Dialect;
	/** The tenant's base URL, with prefix. */
	baseUrl: string;
}

export function serviceOf(
	store: CaseStore,
	baseUrl: string,
	options: ServiceOptions = {},
): Service {
	const traits = traitsOf(options.grown);
	return {
		store,
		baseUrl,
		traits,
		dialect: dialectOf(options.arrayFormat ?? 'brackets', traits),
		deviating: new Deviating(
			[...traits].map((trait) => GROWN_DEVIATIONS[trait] ?? {}),
			options.deviations,
		),
		strict: options.strict ?? true,
		defaultEnd: options.defaultEnd ?? 'startOfToday',
		commentsOrder: options.commentsOrder ?? 'oldest',
		detailsPerPage: options.detailsPerPage ?? 10,
	};
}

/** An answer that isn't JSON. */
export interface InsteadOfJson {
	status: number;
	contentType?: string;
	body: string;
}

/** A regular answer in pieces, since faults leave some of them out. */
export interface Payload {
	fields: Record<string, unknown>;
	list: { name: ListName | 'teams' | 'tags'; itemsJson: string[] };
	meta?: Partial<Meta>;
	/** What is answered in place of a list. */
	instead?: InsteadOfJson;
}
