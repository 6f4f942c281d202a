import { ApiFailure, isOfOneCase } from '../../api/failure';
import { commentIdentity } from '../../api/identity';
import type { Activity, Comment } from '../../api/types';
import { secondOf } from './state';
import { isChosen, type Run, type Watch } from './watch';
import { nameFirst, type Edit } from './watchedCases';

/** A comment or an activity, and the name under which the state says since when such ones are watched. */
interface Entry {
	event: 'commentAdded' | 'activityAdded';
	entry: Comment | Activity;
	name: string;
}

const ANY_TYPE = 'activity *';
const typeOf = ({ activity_type }: Activity) => String(activity_type).trim().toUpperCase();

/** The names of the comments and types of activities that are watched. */
export function watchedNames({ chosen, activityTypes }: Watch): string[] {
	const types = activityTypes.map((type) => `activity ${type}`);
	return [
		...(chosen.includes('commentAdded') ? ['comment'] : []),
		...(chosen.includes('activityAdded') ? (types.length === 0 ? [ANY_TYPE] : types) : []),
	];
}

/**
 * Since when comments and types of activities are watched. What is new begins now; a type that was watched among all goes
 * on, and so does one that is among all now.
 */
export function watchedSince(
	watch: Watch,
	before: Record<string, number>,
	now: number,
): Record<string, number> {
	const names = watchedNames(watch);
	const isStill = (name: string) =>
		names.includes(name) || (names.includes(ANY_TYPE) && name !== 'comment');
	const since = (name: string) =>
		before[name] ?? (name === 'comment' ? undefined : before[ANY_TYPE]) ?? now;
	const all = [...names, ...Object.keys(before).filter(isStill)];
	return Object.fromEntries(all.map((name) => [name, since(name)]));
}

/** Comments of given cases are read by {@link readGivenComments}, whether these changed or not. */
const areCommentsRead = ({ watch }: Run) =>
	isChosen(watch, 'commentAdded') && watch.cases.ids === undefined;

/** Whether comments or activities of changed cases are watched. */
export const areEntriesRead = (run: Run): boolean =>
	areCommentsRead(run) || isChosen(run.watch, 'activityAdded');

const toComment = (entry: Comment): Entry => ({ event: 'commentAdded', entry, name: 'comment' });
const toActivity = (entry: Activity): Entry => {
	return { event: 'activityAdded', entry, name: `activity ${typeOf(entry)}` };
};

async function entriesOf(run: Run, { row, id }: Edit): Promise<Entry[]> {
	const { cases } = run.watch;
	const comments = areCommentsRead(run) ? await cases.readComments(id) : [];
	const isActivity = isChosen(run.watch, 'activityAdded');
	const activities = isActivity ? await cases.readActivities(row) : [];
	return [...comments.map(toComment), ...activities.map(toActivity)];
}

/** Adds the new ones among the entries of a case to the events. One without a time is left out and named. */
function takeNew({ before, watched, seen, events, watch }: Run, edit: Edit, all: Entry[]): void {
	const undated = all.filter(({ entry }) => secondOf(entry.created_at) === undefined).length;
	if (undated > 0) {
		const what = `${undated} comments or activities of ${nameFirst([edit.id])}`;
		watch.log.info(`Skipped ${what}: created_at is not a time`);
	}
	const oldest = Math.min(before.from, before.since);
	for (const { event, entry, name } of all) {
		const at = secondOf(entry.created_at);
		const since = watched.since[name] ?? (name === 'comment' ? undefined : watched.since[ANY_TYPE]);
		// Some services number entries in each case.
		const key = `${event} ${edit.id} ${commentIdentity(entry)}`;
		if (at === undefined || since === undefined || at < since) continue;
		if (at < oldest || seen.has(at, key)) continue;
		seen.add(at, key);
		const own = event === 'commentAdded' ? { comment: entry } : { activity: entry };
		events.push({ at, event, row: edit.row, ...own });
	}
}

/**
 * Runs a read for each of some cases, until the time is up or a failure hits all cases alike. A case whose read fails is
 * noted, and stops no other.
 * @returns those that were read, or failed
 */
async function readEach(
	run: Run,
	edits: Edit[],
	read: (edit: Edit) => Promise<Entry[]>,
): Promise<Set<Edit>> {
	const { watch, read: isRead, failed } = run;
	const done = new Set<Edit>();
	await watch.cases.map(edits.length, async (index) => {
		if (run.failure !== undefined || (index > 0 && watch.isTimeUp())) return;
		const edit = edits[index];
		const entries = await read(edit).catch((failure: unknown) => {
			if (!(failure instanceof ApiFailure)) throw failure;
			return failure;
		});
		if (entries instanceof ApiFailure && isOfAllCases(entries)) {
			run.failure = entries;
			return;
		}
		done.add(edit);
		isRead.add(edit.id);
		if (entries instanceof ApiFailure) failed.set(edit.id, entries);
		else takeNew(run, edit, entries);
	});
	return done;
}

/** A case whose answer never comes must not stop the others. */
const isOfAllCases = (failure: ApiFailure) =>
	failure.details.httpCode !== undefined && !isOfOneCase(failure);

/** Reads the comments and activities of changed cases. @returns the cases that were read, or failed */
export async function readEntries(run: Run, edits: Edit[]): Promise<Set<Edit>> {
	if (!areEntriesRead(run)) return new Set(edits);
	return await readEach(run, edits, async (edit) => await entriesOf(run, edit));
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
	const rows = await watch.cases.readById([...ids.slice(first), ...ids.slice(0, first)]);
	const edits = [...rows].map(([id, row]): Edit => ({ row, id, edited: 0 }));
	const read = async ({ id }: Edit) => (await watch.cases.readComments(id)).map(toComment);
	const done = await readEach(run, edits, read);
	return done.size === edits.length;
}

/** Whether comments or activities were requested and not a single case's could be read: then the service is at fault. */
export const haveAllFailed = ({ read, failed }: Run): boolean =>
	read.size > 0 && failed.size === read.size;
