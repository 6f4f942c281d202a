import { asFailure, isOfOneCase, type ApiFailure } from '../../api/failures/failure';
import { rowIdentity } from '../../api/identity';
import { doerOf } from './eventId';
import { secondOf } from './state';
import { sinceOf, type Poll } from './watch';
import type { Edit, EntryEvent } from './watchedCases';

/** Reads a list of a case, and adds what is new in it to the events. */
async function readNew(poll: Poll, { id, row }: Edit, event: EntryEvent): Promise<void> {
	const { watch, before, seen, events } = poll;
	const oldest = Math.min(before.from, before.since);
	for (const entry of await watch.cases.readEntries(event, row)) {
		const at = secondOf(entry.created_at) ?? -Infinity;
		const since = sinceOf(poll, `${event} ${String(entry.activity_type).toUpperCase()}`);
		// The key has the ID of the case, because some services number the entries of each case from 1.
		const key = `${event} ${id} ${rowIdentity(entry)}`;
		if (at < Math.max(since, oldest) || seen.has(at, key)) continue;
		seen.add(at, key);
		const found = { at, event, row, entry };
		if (!watch.isIgnored(doerOf(found))) events.push(found);
	}
}

/**
 * Reads lists of some cases, until the time is up or a failure concerns all cases. If a list can't be read for a reason of its
 * own, this is noted, and reading continues. Such cases are read after all others in the next poll, one by one, and the one
 * that was tried last comes last, so that none keeps the poll from another. The case that ends the reading is one of them,
 * because that reason may be its own, too, unless the key is refused.
 * @returns the edits whose lists were all read or have failed
 */
async function readEach(poll: Poll, edits: Edit[], lists: EntryEvent[]): Promise<Set<Edit>> {
	const { watch, before } = poll;
	const chosen = lists.filter((event) => watch.chosen.includes(event));
	if (chosen.length === 0) return new Set(edits);
	const done = new Set<Edit>();
	const rankOf = ({ id }: Edit) => before.failing.indexOf(id);
	const inOrder = [...edits].sort((a, b) => rankOf(a) - rankOf(b));
	// Each poll reads one case at least, however long what came before has taken.
	const always = poll.lists.size === 0 ? inOrder[0] : undefined;
	const readOne = async (edit: Edit) => {
		let failed: ApiFailure | undefined;
		for (const event of chosen) {
			if (poll.failure !== undefined || (edit !== always && watch.isTimeUp())) return;
			const failure = await readNew(poll, edit, event).then(() => undefined, asFailure);
			if (failure === undefined) continue;
			if (poll.failure !== undefined) return;
			failed = failure;
			if (isOfOneCase(failure)) continue;
			// A time-out has no status. It may concern one case only, and must not stop the others.
			if (failure.details.httpCode !== undefined) poll.failure = failure;
			if (poll.failure?.details.isOfRun) return;
			break;
		}
		done.add(edit);
		poll.lists.set(edit.id, failed);
	};
	const usual = inOrder.filter((edit) => rankOf(edit) < 0);
	await watch.cases.map(usual.length, async (index) => await readOne(usual[index]));
	for (const edit of inOrder.slice(usual.length)) await readOne(edit);
	return done;
}

/**
 * Reads the comments and activities of changed cases, if the trigger watches these. With the filter Case IDs, comments are left
 * to {@link readGivenComments}.
 */
export async function readEntries(poll: Poll, edits: Edit[]): Promise<Set<Edit>> {
	const lists: EntryEvent[] = ['activityAdded'];
	if (poll.watch.cases.ids === undefined) lists.push('commentAdded');
	return await readEach(poll, edits, lists);
}

/**
 * Reads the comments of the cases in the filter Case IDs, changed or not. Each poll begins with another case, so that a poll
 * whose time is up doesn't always leave out the same ones.
 * @returns whether all were read, apart from cases that failed before and come behind the one that ends this poll
 */
export async function readGivenComments(poll: Poll): Promise<boolean> {
	const { watch, before } = poll;
	const { ids } = watch.cases;
	if (ids === undefined || !watch.chosen.includes('commentAdded')) return true;
	const rows = await watch.cases.among(ids);
	const turned = ids.map((_id, index) => ids[(index + before.counter) % ids.length]);
	const edits = turned.flatMap((id): Edit[] => {
		const row = rows.get(id);
		return row === undefined ? [] : [{ row, id, edited: 0 }];
	});
	const done = await readEach(poll, edits, ['commentAdded']);
	const left = edits.filter((edit) => !done.has(edit));
	return left.every(({ id }) => poll.failure !== undefined && before.failing.includes(id));
}

/** Whether the comments or activities of a case were not read, but a later poll may succeed. */
export function isUnread({ lists, unread }: Poll, id: string): boolean {
	if (!lists.has(id)) return unread.has(id);
	const failure = lists.get(id);
	return failure !== undefined && (failure.details.retryable || !isOfOneCase(failure));
}

/** Whether the lists of no case could be read in this poll, so that the service is at fault, not single cases. */
export const haveAllFailed = (poll: Poll): boolean =>
	poll.lists.size > 0 && [...poll.lists.keys()].every((id) => isUnread(poll, id));
