import { InvalidInput } from '../../api/failure';
import { packNumbers, unpackNumbers } from './packNumbers';
import type { PackedMatches } from './state';

/** A case starts to match the filters, or no longer does. */
export type MatchEvent = 'caseMatched' | 'caseUnmatched';

/** Cases that are remembered at most. This many IDs among a million take about 80 KB. */
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
	/**
	 * Notes a doubt: a matching case is not in the list any more, while its rows fit the filters.
	 * @returns false if the last poll noted it too
	 */
	doubt: (id: number) => boolean;
	/** Whether this poll has noted the doubt. */
	isNewDoubt: (id: number) => boolean;
	/** The doubts of the last poll that this one hasn't decided yet. */
	oldDoubts: () => number[];
	/** @throws InvalidInput when there are too many */
	pack: () => Pick<PackedMatches, 'ids' | 'doubts'>;
}

export function openMatches(ids: Iterable<number>, doubts: Iterable<number> = []): Matches {
	const matching = new Set(ids);
	const oldDoubts = new Set(doubts);
	const newDoubts = new Set<number>();
	return {
		has: (id) => matching.has(id),
		note: (id, isMatching) => {
			oldDoubts.delete(id);
			newDoubts.delete(id);
			if (matching.has(id) === isMatching) return undefined;
			if (isMatching) matching.add(id);
			else matching.delete(id);
			return isMatching ? 'caseMatched' : 'caseUnmatched';
		},
		doubt: (id) => {
			if (oldDoubts.has(id)) return false;
			newDoubts.add(id);
			return true;
		},
		isNewDoubt: (id) => newDoubts.has(id),
		oldDoubts: () => [...oldDoubts],
		differences: (listed) => {
			const now = new Set(listed);
			const gone = [...matching].filter((id) => !now.has(id));
			return [...gone, ...[...now].filter((id) => !matching.has(id))];
		},
		pack: () => {
			refuseTooMany(matching.size);
			const all = new Set([...newDoubts, ...oldDoubts]);
			return {
				ids: packNumbers(matching),
				doubts: all.size === 0 ? undefined : packNumbers(all),
			};
		},
	};
}

export const unpackMatches = ({ ids, doubts = '' }: PackedMatches): Matches =>
	openMatches(unpackNumbers(ids), unpackNumbers(doubts));
