import type { Case } from '../../api/types';
import { openMatches, unpackMatches, type Matches } from './matches';
import { hasWholeId } from './memory';
import { noteTime, type Run } from './run';
import type { Edit } from './scan';
import { isLookDue } from './secondLook';
import { editedAt, type PackedMatches, type Seconds, type TriggerState } from './state';
import type { Watch } from './watch';
import type { WatchedCases } from './watchedCases';

/** The cases that match, as the state has them; read from the service where it has none, or those of other filters. */
export async function openFollowed(
	{ matching, log }: Watch,
	{ matches }: TriggerState,
): Promise<Matches | undefined> {
	if (matching === undefined) return undefined;
	if (matches?.filters === matching.filters) return unpackMatches(matches);
	const ids = await matching.readIds();
	const why = matches === undefined ? 'Filters are watched. ' : 'The filters have changed. ';
	log.info(`${why}Read which cases match them: ${ids.length}`);
	return openMatches(ids);
}

const fits = (cases: WatchedCases, row: Case) =>
	cases.includes(row) && cases.contradicted(row) === undefined;

/**
 * Lets the service say which of some cases match, and notes it. What is new is an event; a case that does both within a
 * poll has none. A list may lag behind, or be empty once by mistake: a case that left it while each of its rows fits the
 * filters is in doubt, and the next poll decides.
 * @param seen how the list of edits showed them
 * @returns those that match, by ID, as the service listed them with the filters
 */
async function judge(run: Run, ids: number[], seen: Map<number, Edit>): Promise<Map<number, Case>> {
	const { watch, before, state, matchEvents } = run;
	const { cases } = watch;
	const matches = run.matches!;
	const rows = await watch.matching!.among(ids);
	for (const [id, row] of rows) {
		const edit = seen.get(id);
		// An index that lags behind lists a case as it was before the edit.
		if (edit === undefined || !((editedAt(row) ?? Infinity) < edit.version.edited)) continue;
		if (fits(cases, edit.row)) rows.set(id, edit.row);
		else rows.delete(id);
	}
	const distinct = [...new Set(ids)];
	// A case may have been edited again since, so that its row is not the one that no longer matches.
	const unclear = distinct.filter((id) => {
		const edit = seen.get(id);
		return matches.has(id) && !rows.has(id) && (edit === undefined || fits(cases, edit.row));
	});
	const read = await cases.readById(unclear.map(String));
	const inDoubt = new Set(
		unclear.filter((id) => {
			const row = read.get(String(id));
			return (row === undefined || fits(cases, row)) && matches.doubt(id);
		}),
	);
	const changes = distinct.flatMap((id) => {
		const event = inDoubt.has(id) ? undefined : matches.note(id, rows.has(id));
		return event === undefined ? [] : [{ id, event, edit: seen.get(id) }];
	});
	for (const { id, event, edit } of changes) {
		const row = rows.get(id) ?? read.get(String(id)) ?? edit?.row ?? { case_id: id };
		const at = editedAt(row) ?? run.now ?? state.newest;
		if (matchEvents.delete(id)) continue;
		matchEvents.set(id, { at, event, row, seenAt: before.matches?.readAt });
	}
	return rows;
}

/** What of a page of edits is to be handled. */
interface Kept {
	/** Those whose cases match the filters. */
	edits: Edit[];
	/** Whether Max Cases left none. */
	isComplete: boolean;
}

/**
 * Where matches are watched, the list of edits has all cases. This keeps what a list with the filters would have; the
 * others are remembered as passed. The service says which new edits match, and again at their second look.
 */
export async function keepMatching(run: Run, page: Edit[], lookTo?: Seconds): Promise<Kept> {
	const { watch, memory, matches, state } = run;
	if (matches === undefined) return { edits: page, isComplete: true };
	const handled: Edit[] = [];
	const judgeable = new Map<number, Edit>();
	let room = watch.maxCases - run.taken;
	let isComplete = true;
	for (const edit of page) {
		const { id, edited } = edit.version;
		const isKnown = memory.hasVersion(edit.version);
		if (edited >= state.since) {
			if (!isKnown && --room < 0) {
				isComplete = false;
				break;
			}
			handled.push(edit);
			const isDue = !isKnown || isLookDue(run, edited, lookTo);
			if (isDue && hasWholeId(id)) judgeable.set(id, edit);
		}
		noteTime(run, edit.version);
	}
	const rows = await judge(run, [...judgeable.keys()], judgeable);
	const unusable = handled.filter(({ version }) => !hasWholeId(version.id));
	if (unusable.length > 0) {
		watch.log.warn(`Left out cases whose ID is not a whole number: ${unusable.length}`);
	}
	const edits = handled.filter(({ row, version }) => {
		const isMatching = judgeable.has(version.id) ? rows.has(version.id) : matches.has(version.id);
		if (isMatching && fits(watch.cases, row)) return true;
		// An edit in doubt stays new, so that it counts once its case is listed again.
		if (!memory.hasVersion(version) && !matches.isNewDoubt(version.id)) {
			memory.passVersion(version);
			run.taken++;
		}
		return false;
	});
	return { edits, isComplete };
}

/**
 * What the state keeps of the cases that match. If they were read long ago, all of them are read again, and what is
 * different by then is an event: the match changed without an edit.
 */
export async function packFollowed(
	run: Run,
	{ newest }: TriggerState,
): Promise<PackedMatches | undefined> {
	const { watch, before, matches, now = newest } = run;
	const { matching } = watch;
	if (matching === undefined || matches === undefined) return undefined;
	const { filters, readEvery } = matching;
	const kept = before.matches?.filters === filters ? before.matches : undefined;
	const { readAt = now, isDue } = kept ?? {};
	// A clock that was far ahead at the last read would keep the next one away.
	const isAhead = run.now !== undefined && readAt - run.now >= readEvery;
	const isLongAgo = isDue === true || isAhead || now - readAt >= readEvery;
	const asBefore = () => ({ ...matches.pack(), filters, readAt, isDue });
	if (watch.isTimeUp()) return asBefore();
	await judge(run, matches.oldDoubts(), new Map());
	if (!isLongAgo) return asBefore();
	const differences = matches.differences(await matching.readIds());
	await judge(run, differences, new Map());
	watch.log.info(`Read again which cases match the filters. Differences: ${differences.length}`);
	// The list may have come empty, so in doubt it is read once more.
	const packed = matches.pack();
	return packed.doubts !== undefined ? asBefore() : { ...packed, filters, readAt: now };
}

/** The state with which the next poll reads again which cases match. */
export function withMatchesDue(state: TriggerState): TriggerState {
	const { matches } = state;
	return matches === undefined ? state : { ...state, matches: { ...matches, isDue: true } };
}
