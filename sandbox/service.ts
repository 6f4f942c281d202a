import { merged, type Deviations } from './deviations';
import { traitsOf, type GrownTrait, type Traits } from './grown';
import { dialectOf, type ArrayFormat, type Dialect } from './params';
import type { CaseStore } from './store';
import type { Access, Case } from './types';

/** What the service does where the document is silent; see README.md. */
export interface ServiceOptions {
	/** How array filters look in the query string. Default brackets. */
	arrayFormat?: ArrayFormat;
	/** Where a date range without an end ends: at the first or the last moment of today (UTC). Default startOfToday. */
	defaultEnd?: 'endOfToday' | 'startOfToday';
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
export interface Service extends Required<Omit<ServiceOptions, 'grown' | 'arrayFormat'>> {
	store: CaseStore;
	traits: Traits;
	dialect: Dialect;
	/** The tenant's base URL, with prefix. */
	baseUrl: string;
	/** Sets the given groups of deviations, each as a whole; without an argument all of them end. */
	deviate(deviations?: Deviations): void;
	/** Whether the key of the request may not read sensitive fields. */
	isRestricted?: boolean;
}

export function serviceOf(
	store: CaseStore,
	baseUrl: string,
	options: ServiceOptions = {},
): Service {
	const traits = traitsOf(options.grown);
	const learned: Deviations = traits.has('by-day') ? { filters: { byDay: true } } : {};
	let set: Deviations = {};
	const service: Service = {
		store,
		baseUrl,
		traits,
		dialect: dialectOf(options.arrayFormat ?? 'brackets', traits),
		defaultEnd: options.defaultEnd ?? 'startOfToday',
		commentsOrder: options.commentsOrder ?? 'oldest',
		detailsPerPage: options.detailsPerPage ?? 10,
		deviations: {},
		deviate(deviations) {
			set = deviations ? { ...set, ...deviations } : {};
			service.deviations = merged([learned, set]);
		},
	};
	service.deviate(options.deviations);
	return service;
}

/** What a request is answered from. */
export interface Context {
	service: Service;
	access: Access;
	/** The IDs in the path as text, by their names in endpoints.ts. */
	ids: Record<string, string | undefined>;
}

/** A request for a case that is there. */
export interface CaseContext extends Context {
	found: Case;
}
