import { InvalidInput } from '../../api/failure';
import { packNumbers, unpackNumbers } from './packNumbers';
import type { Seconds } from './state';

/** A case starts to match the filters, or no longer does. */
export type MatchEvent = 'caseMatched' | 'caseUnmatched';

/** Which cases match the filters, as the state keeps it. */
export interface PackedMatches {
	/** The IDs of all cases that match, packed. */
	ids: string;
	/** What tells the filters from others. */
	filters: number;
	/** When all of them were read last, by the service's clock. */
	readAt: Seconds;
	/** Whether the next poll reads all of them again, whenever that was. */
	isDue?: boolean;
	/** Those of them that are in doubt, packed. */
	doubts?: string;
}

/** Cases that are remembered at most. So many IDs among a million take about 80 KB. */
const MAX_MATCHES = 100_000;

/** @throws InvalidInput when more cases match than can be remembered */
export function refuseTooMany(count: number): void {
	if (count <= MAX_MATCHES) return;
	throw new InvalidInput(
		`More than ${MAX_MATCHES} cases match the filters`,
		"'Case Starts to Match' and 'Case No Longer Matches' remember each case that matches. Narrow the 'Filters', or remove these events from 'Trigger On'.",
	);
}

/** The cases that match the filters, opened for one poll. */
export interface Matches {
	has: (id: number) => boolean;
	/** Notes whether a case matches. @returns the event that this is; undefined where it was known */
	note: (id: number, isMatching: boolean) => MatchEvent | undefined;
	/** Those that are only on one side: in the memory, or in this list of all that match now. */
	differences: (listed: Iterable<number>) => number[];
	/** Notes that a matching case is no longer listed, while its rows fit the filters. @returns false if the last poll noted it too */
	doubt: (id: number) => boolean;
	/** Whether this poll has noted it. */
	isInDoubt: (id: number) => boolean;
	/** Those in doubt since the last poll, of which this poll knows nothing yet. */
	toDecide: () => number[];
	/** @throws InvalidInput when there are too many */
	pack: () => Pick<PackedMatches, 'ids' | 'doubts'>;
}

export function openMatches(ids: Iterable<number>, doubtful: Iterable<number> = []): Matches {
	const matching = new Set(ids);
	const doubted = new Set(doubtful);
	const doubts = new Set<number>();
	return {
		has: (id) => matching.has(id),
		note: (id, isMatching) => {
			doubted.delete(id);
			doubts.delete(id);
			if (matching.has(id) === isMatching) return undefined;
			if (isMatching) matching.add(id);
			else matching.delete(id);
			return isMatching ? 'caseMatched' : 'caseUnmatched';
		},
		doubt: (id) => {
			if (doubted.has(id)) return false;
			doubts.add(id);
			return true;
		},
		isInDoubt: (id) => doubts.has(id),
		toDecide: () => [...doubted],
		differences: (listed) => {
			const now = new Set(listed);
			const gone = [...matching].filter((id) => !now.has(id));
			return [...gone, ...[...now].filter((id) => !matching.has(id))];
		},
		pack: () => {
			refuseTooMany(matching.size);
			const inDoubt = new Set([...doubts, ...doubted]);
			return {
				ids: packNumbers(matching),
				doubts: inDoubt.size === 0 ? undefined : packNumbers(inDoubt),
			};
		},
	};
}

export const unpackMatches = ({ ids, doubts = '' }: PackedMatches): Matches =>
	openMatches(unpackNumbers(ids), unpackNumbers(doubts));
