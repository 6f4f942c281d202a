import { asFailure, InvalidInput } from '../../api/failures/failure';
import type { Case } from '../../api/types';
import { secondOf, type StoredMatches } from './state';
import type { Matches, Poll } from './watch';
import type { Edit } from './watchedCases';
import type { Seconds } from './window';

const MAX_MATCHES = 10_000;

const HOUR: Seconds = 3600;

function refuseTooMany(count: number): void {
	if (count <= MAX_MATCHES) return;
	throw new InvalidInput(
		`More than ${MAX_MATCHES} cases match the filters`,
		"'Case Starts to Match' and 'Case No Longer Matches' remember each case that matches. Add more 'Filters', or remove these events from 'Trigger On'.",
	);
}

async function readIds({ watch }: Poll, isTimeUp?: () => boolean): Promise<Set<string>> {
	refuseTooMany(await watch.cases.countMatching());
	return new Set(await watch.cases.readMatching(isTimeUp));
}

/**
 * Takes the matching cases from the state, decides about those in doubt, and once a day reads all. After a failure, a later
 * poll does the same. If the state has none, they are read, which makes no events.
 */
export async function openMatches(poll: Poll): Promise<Matches | undefined> {
	const { watch, before } = poll;
	if (!watch.cases.listsAll) return undefined;
	const { ids, doubts, readAt } = before.matches ?? { doubts: [], readAt: watch.now() };
	const known = ids === undefined ? await readIds(poll) : new Set(unpack(ids));
	const matches = { ids: known, doubts: new Set(doubts), readAt };
	for (const review of [decideDoubts, readAll]) {
		await review(poll, matches).catch((error: unknown) => {
			watch.log.warn(`Which cases match could not be read: ${asFailure(error).message}`);
		});
	}
	return matches;
}

/** Notes that cases match, with an event for each case that didn't match before. */
function noteMatching({ watch, events }: Poll, matches: Matches, rows: Map<string, Case>): void {
	for (const [id, row] of rows) {
		matches.doubts.delete(id);
		if (matches.ids.has(id)) continue;
		matches.ids.add(id);
		if (!watch.chosen.includes('caseMatched')) continue;
		events.push({ at: secondOf(row.updated_at) ?? watch.now(), event: 'caseMatched', row });
	}
}

/**
 * Reads which changed cases match. A case that no longer seems to match is only in doubt until the next poll decides,
 * because lists may lag behind edits.
 */
export async function judge(poll: Poll, matches: Matches, edits: Edit[]): Promise<void> {
	const ids = edits.map(({ id }) => id);
	const rows = await poll.watch.cases.among(ids);
	noteMatching(poll, matches, rows);
	for (const id of ids) if (matches.ids.has(id) && !rows.has(id)) matches.doubts.add(id);
}

/** Decides about the cases that the last poll left in doubt. If the list still lacks such a case, it no longer matches. */
async function decideDoubts(poll: Poll, matches: Matches): Promise<void> {
	const { watch, events } = poll;
	const ids = [...matches.doubts];
	// The rows are read before the list: if a case matches again in between, the newer answer decides.
	const rows = await watch.cases.readById(ids);
	const listed = await watch.cases.among(ids);
	const gone = ids.filter((id) => !listed.has(id));
	noteMatching(poll, matches, listed);
	const seenAt = watch.now();
	for (const id of gone) {
		const row = rows.get(id) ?? { case_id: Number(id) };
		matches.doubts.delete(id);
		matches.ids.delete(id);
		if (!watch.chosen.includes('caseUnmatched')) continue;
		events.push({ at: secondOf(row.updated_at) ?? seenAt, event: 'caseUnmatched', row, seenAt });
	}
}

/** Reads all matching cases once a day, to find cases that start or stop matching without an edit. Fails when the time is up. */
async function readAll(poll: Poll, matches: Matches): Promise<void> {
	const { watch } = poll;
	// Also due where a clock that was far ahead was set back.
	if (Math.abs(watch.now() - matches.readAt) < 24 * HOUR) return;
	// If the read fails, the next one is due in an hour.
	matches.readAt = watch.now() - 23 * HOUR;
	const ids = await readIds(poll, watch.isTimeUp);
	const added = [...ids].filter((id) => !matches.ids.has(id));
	noteMatching(poll, matches, await watch.cases.among(added));
	for (const id of matches.ids) if (!ids.has(id)) matches.doubts.add(id);
	matches.readAt = watch.now();
}

export function packMatches({ ids, doubts, readAt }: Matches): StoredMatches {
	refuseTooMany(ids.size - doubts.size);
	const sorted = [...ids].map(Number).sort((a, b) => a - b);
	const gaps = sorted.map((id, index) => (id - (sorted[index - 1] ?? 0)).toString(36));
	return { ids: gaps.join(' '), doubts: [...doubts], readAt };
}

function unpack(packed: string): string[] {
	let last = 0;
	const gaps = packed.split(' ').filter((gap) => gap !== '');
	return gaps.map((gap) => String((last += parseInt(gap, 36))));
}
