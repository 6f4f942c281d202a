import { ApiFailure } from './failure';
import type { Entry } from './pages';
import type { ListDrift } from './stability';
import type { Row } from './types';

/** What a reader noticed; hints show it to the user. */
export interface Observed {
	/** Rows that came more than once in one read and are kept once. */
	repeated: number;
	/** More rows match than were read. */
	isTruncated: boolean;
	/** Nothing says whether there are more rows; absent where that is known. */
	mayHaveMore?: boolean;
	/** How many rows match, where the service states page counts. */
	matches?: { atLeast: number; atMost: number };
	/** Number of times the list was read. */
	reads: number;
	/** What changed during the last read; only where the list changed in each read. */
	drift?: ListDrift;
	/**
	 * Rows may be missing though nothing shows that the list changed: how many were read, and how many there are, where
	 * the service states it. `isRepeating` where the same rows kept coming.
	 */
	incomplete?: { read: number; stated?: number; isRepeating?: true };
	/** Rows left out because they can't be told from others; absent for none. */
	unusable?: number;
	/** Rows left out because they contradict a filter, by the name of the filter; absent for none. */
	contradicting?: Record<string, number>;
}

export interface ListResult {
	rows: Row[];
	observed: Observed;
}

/** What was read of one or more lists. */
export interface ReadEntries {
	entries: Map<string, Entry>;
	unusable: number;
}

/**
 * What a reader noticed of rows that are left out.
 * @throws ApiFailure when no row can be used
 */
export function observeLeftOut({
	entries,
	unusable,
}: ReadEntries): Pick<Observed, 'unusable' | 'contradicting'> {
	if (entries.size === 0 && unusable > 0) {
		throw new ApiFailure('No row of the list can be used', {
			description: `The service returned ${unusable} rows, but none of them has an ID. Check that 'Base URL' in the credential is the address of your tenant.`,
			retryable: false,
		});
	}
	const contradicting: Record<string, number> = {};
	for (const { contradicts } of entries.values()) {
		if (contradicts !== undefined) {
			contradicting[contradicts] = (contradicting[contradicts] ?? 0) + 1;
		}
	}
	return {
		...(unusable === 0 ? {} : { unusable }),
		...(Object.keys(contradicting).length === 0 ? {} : { contradicting }),
	};
}
