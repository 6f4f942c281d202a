import { ApiFailure, isOfOneCase } from '../../api/failures/failure';
import { commentIdentity } from '../../api/identity';
import type { Activity, Comment } from '../../api/types';
import { secondOf } from './state';
import { isChosen, type Run, type Watch } from './watch';
import type { Edit } from './watchedCases';

/** A comment or an activity, and the name under which the state says since when such ones are watched. */
interface Entry {
	event: 'commentAdded' | 'activityAdded';
	entry: Comment | Activity;
	name: string;
}

const COMMENT = 'comment';
const ANY_TYPE = 'activity *';

/**
 * Since when comments and types of activities are watched, by their names. What is new begins now; a type continues that was
 * watched among all, or is among all now.
 */
export function watchedSince(
	{ chosen, activityTypes }: Watch,
	before: Record<string, number>,
	now: number,
): Record<string, number> {
	const types = activityTypes.map((type) => `activity ${type}`);
	const ofActivities = types.length === 0 ? [ANY_TYPE] : types;
	const activities = chosen.includes('activityAdded') ? ofActivities : [];
	const isStill = (name: string) => activities.includes(name) || activities.includes(ANY_TYPE);
	const kept = Object.entries(before).filter(([name]) => name !== COMMENT && isStill(name));
	return Object.fromEntries([
		...activities.map((name) => [name, before[ANY_TYPE] ?? now] as const),
		...kept,
		...(chosen.includes('commentAdded') ? [[COMMENT, before[COMMENT] ?? now] as const] : []),
	]);
}

/** Reads a list of a case. */
type ReadList = (run: Run, edit: Edit) => Promise<Entry[]>;

const readComments: ReadList = async ({ watch }, { id }) =>
	(await watch.cases.readComments(id)).map((entry) => {
		return { event: 'commentAdded', entry, name: COMMENT };
	});

const readActivities: ReadList = async ({ watch }, { row }) =>
	(await watch.cases.readActivities(row)).map((entry) => {
		const type = String(entry.activity_type).trim().toUpperCase();
		return { event: 'activityAdded', entry, name: `activity ${type}` };
	});

/** Adds the new ones among the entries of a case to the events. */
function takeNew({ before, watched, seen, events }: Run, { id, row }: Edit, all: Entry[]): void {
	const oldest = Math.min(before.from, before.since);
	for (const { event, entry, name } of all) {
		const at = secondOf(entry.created_at) ?? -Infinity;
		const sinceAny = name === COMMENT ? undefined : watched.since[ANY_TYPE];
		const since = watched.since[name] ?? sinceAny ?? Infinity;
		// Some services number entries in each case.
		const key = `${event} ${id} ${commentIdentity(entry)}`;
		if (at < Math.max(since, oldest) || seen.has(at, key)) continue;
		seen.add(at, key);
		events.push({ at, event, row, [event === 'commentAdded' ? 'comment' : 'activity']: entry });
	}
}

/** A case whose answer never comes must not stop the others. */
const isOfAllCases = (failure: ApiFailure) =>
	failure.details.httpCode !== undefined && !isOfOneCase(failure);

/**
 * Reads lists of some cases, until the time is up or a failure hits all cases alike. A list that can't be read is noted,
 * and stops no other.
 * @returns the cases that were read, or failed
 */
async function readEach(run: Run, edits: Edit[], lists: ReadList[]): Promise<Set<Edit>> {
	const done = new Set<Edit>();
	await run.watch.cases.map(edits.length, async (index) => {
		const edit = edits[index];
		for (const list of lists) {
			if (run.failure !== undefined || (index > 0 && run.watch.isTimeUp())) return;
			const entries = await list(run, edit).catch((failure: unknown) => {
				if (!(failure instanceof ApiFailure)) throw failure;
				if (isOfAllCases(failure)) run.failure = failure;
				else run.failed.set(edit.id, failure);
				return [];
			});
			takeNew(run, edit, entries);
		}
		if (run.failure !== undefined) return;
		done.add(edit);
		run.read.add(edit.id);
	});
	return done;
}

/**
 * Reads the comments and activities of changed cases, as far as they are watched. Comments of given cases are read
 * whether these changed or not.
 * @returns the cases that were read, or failed
 */
export async function readEntries(run: Run, edits: Edit[]): Promise<Set<Edit>> {
	const { watch } = run;
	const lists: ReadList[] = isChosen(watch, 'activityAdded') ? [readActivities] : [];
	if (isChosen(watch, 'commentAdded') && watch.cases.ids === undefined) lists.push(readComments);
	return lists.length === 0 ? new Set(edits) : await readEach(run, edits, lists);
}

/**
 * Reads the comments of the cases given by ID, changed or not. The next poll begins with another, should the time be up.
 * @returns whether all were read, or failed
 */
export async function readGivenComments(run: Run): Promise<boolean> {
	const { watch, before } = run;
	const { ids } = watch.cases;
	if (ids === undefined || !isChosen(watch, 'commentAdded')) return true;
	const first = before.counter % ids.length;
	const rows = await watch.cases.readById(ids);
	const edits = [...ids.slice(first), ...ids.slice(0, first)].flatMap((id): Edit[] => {
		const row = rows.get(id);
		return row === undefined ? [] : [{ row, id, edited: 0 }];
	});
	const done = await readEach(run, edits, [readComments]);
	return done.size === edits.length;
}

/** Whether the comments or activities of a case could not be read, and may be another time. */
export const isUnread = ({ failed }: Run, id: string): boolean =>
	failed.get(id)?.details.retryable === true;

/** Whether those of no case could be read in this poll: then the service is at fault, not single cases. */
export const haveAllFailed = (run: Run): boolean =>
	run.read.size > 0 && [...run.read].every((id) => isUnread(run, id));
