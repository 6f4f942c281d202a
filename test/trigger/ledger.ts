import { isHit } from '../../sandbox/deviations';
import type { TriggerEvent } from '../../nodes/Cases/trigger/changes/watch';
import type { Case, User } from '../../sandbox/types';
import type { EventName, Schedule } from './schedule';
import type { World } from './world';

/** A case as it comes over the API, with the fields in which versions differ. */
interface SeenCase {
	case_id: number;
	name: string;
	created_at: string;
	updated_at: string;
	resolved_at: string | null;
}

const secondOf = (time: string | null) => Math.floor(Date.parse(time ?? '') / 1000);

/**
 * What the ledger demands, by the truth of the store, once all has had time to show:
 *
 * | event                | is owed for                                              | unless                              |
 * | -------------------- | -------------------------------------------------------- | ----------------------------------- |
 * | some event           | the last version of a case, if all three of a case are   | it is shadowed (see below); a       |
 * |                      | watched                                                  | creation or closing not chosen yet  |
 * | Case Created         | each case; with a filter, if its first version matches   | shadowed; without `created_at`      |
 * | Case Closed          | each closing that lasts; with a filter, if it matches    | without `resolved_at`; one in the   |
 * |                      |                                                          | same second was reported            |
 * | Comment Added        | each comment, if comments count as changes, or its case  | its list answers with an error;     |
 * |                      | is given by ID                                           | with a filter for the priority      |
 * | Activity Added       | each entry, if comments count as changes                 | with a filter for the priority      |
 * | Starts / No Longer   | what was reported makes up the cases that match          | the last version is shadowed        |
 *
 * Owed is what is dated since its event was chosen, and since the tenant, the filters and the IDs are the present ones; what
 * was there then may come or not. Nothing older may come, where the clocks are right. Nothing may come twice, except after
 * a start, or after n8n died between the start of the workflow and the saving of the state; each poll reports in the order of time.
 *
 * What a service account creates or writes is never owed, and may not come, where the trigger ignores service accounts.
 *
 * A version is shadowed if another one of its case has the same second, and it is made, or becomes visible, when the service's
 * clock says that this second is over for two seconds; or if its case had waited for that already, as it does once, or the
 * other one was there at the start.
 */
export function openLedger(schedule: Schedule, world: World) {
	const { commentsTouchCase, deviations, nodeOffset, isIgnoring } = schedule;
	const { scope, store, matches, firstVersions, closings, closingVersions, shadowed } = world;
	const { noDate, dateOffset = 0 } = deviations.clock ?? {};
	const { fields = [], failing = [], lateEdits } = deviations.rows ?? {};
	/** How far the clock by which the trigger waits is ahead of the service's data, in seconds. */
	const ahead = noDate ? nodeOffset : dateOffset;
	const isClockRight = nodeOffset === 0 && deviations.clock === undefined;
	/** Seconds of cases, as `case second`, that the trigger took without waiting for their end. */
	const early = new Set<string>();
	const secondIn = ({ case_id, updated_at }: Pick<SeenCase, 'case_id' | 'updated_at'>) =>
		`${case_id} ${secondOf(updated_at)}`;
	/** See above. */
	const isShadowed = (one: Case) => {
		const madeAt = shadowed.get(one.name);
		if (madeAt === undefined) return false;
		const isLate = lateEdits !== undefined && isHit(lateEdits, one.case_id);
		const visibleAt = madeAt / 1000 + (isLate ? lateEdits.seconds : 0);
		const isOver = visibleAt + ahead >= secondOf(one.updated_at) + 2;
		return isOver || early.has(secondIn(one));
	};
	/** The chosen events, and between which moments each was chosen, in ms. */
	let chosen = new Map<EventName, { from: number; to: number }>();
	const isSince = (event: EventName, time: string | null) =>
		Date.parse(time ?? '') >= (chosen.get(event)?.to ?? Infinity);
	const isIgnored = (user: Pick<User, 'is_service_account'>) =>
		isIgnoring && user.is_service_account;
	/** Whether a case has the fields that an event needs. */
	const has = (path: string, { case_id }: Case) =>
		!fields.some((patch) => patch.path === path && isHit(patch, case_id));
	/** The cases that match, by what the trigger knew at its start and what it reported since. */
	let matching = new Set<number>();
	const given = new Set<string>();
	const atStart = new Set<string>();
	const areChosen = (...events: EventName[]) => events.every((event) => chosen.has(event));

	/** Complaints about an event of matches. */
	const noteMatch = ({ event, row }: TriggerEvent): string[] => {
		const { case_id, priority } = row as unknown as Case;
		const isMatching = event === 'caseMatched';
		const complaints =
			matching.has(case_id) === isMatching ? [`repeated: ${event} ${case_id}`] : [];
		if (isMatching && !matches({ case_id, priority })) complaints.push(`wrong: match ${case_id}`);
		if (isMatching) matching.add(case_id);
		else matching.delete(case_id);
		return complaints;
	};

	/** The second of a closing: closed, reopened and closed again within it looks like closed once. */
	const closedIn = ({ case_id, resolved_at }: Pick<SeenCase, 'case_id' | 'resolved_at'>) =>
		`closed ${case_id} in ${secondOf(resolved_at)}`;
	const closingOf = ({ name }: Pick<Case, 'name'>) => closings.get(name);

	/** What an event says: `once` may be said once only, `all` is what need not be said again, at a time. */
	const keysOf = (event: TriggerEvent): { once: string[]; all: string[]; time?: string | null } => {
		const row = event.row as unknown as SeenCase;
		if (event.entry !== undefined) {
			const kind = event.event === 'commentAdded' ? 'comment' : 'activity';
			const { id, created_at, value } = event.entry;
			return {
				once: [`${kind} ${row.case_id} ${id} ${created_at}`],
				all: [`${kind} ${row.case_id} ${value}`],
				time: created_at as string,
			};
		}
		const version = `version ${row.case_id} ${row.name}`;
		const content = `${event.event} ${row.case_id} ${row.name} ${row.updated_at}`;
		switch (event.event) {
			case 'caseCreated': {
				const created = `created ${row.case_id}`;
				return { once: [created], all: [version, created], time: row.created_at };
			}
			case 'caseClosed': {
				const closing = `closed ${row.case_id} ${closingOf(row)}`;
				return { once: [closing], all: [version, closing, closedIn(row)], time: row.resolved_at };
			}
			case 'caseUpdated':
				return { once: [content], all: [version], time: row.updated_at };
			default:
				return { once: [], all: [] };
		}
	};

	/** Whether a version is an ignored creation, or a creation or a closing from before these were chosen: not an update. */
	const isOlder = (one: Case) => {
		const times = { caseCreated: one.created_at, caseClosed: one.resolved_at };
		const paths: Record<string, string> = { caseCreated: 'created_at', caseClosed: 'resolved_at' };
		const made = Object.entries(times).filter(
			([event, time]) => has(paths[event], one) && secondOf(time) >= secondOf(one.updated_at),
		);
		const isReported = ([event, time]: [string, string | null]) =>
			isSince(event as EventName, time) && !(event === 'caseCreated' && isIgnored(one.author));
		return made.length > 0 && !made.some(isReported);
	};

	const owedOf = (one: Case): string[] => {
		const owed: string[] = [];
		const areAllChosen = areChosen('caseCreated', 'caseUpdated', 'caseClosed');
		const isUpdateSince = isSince('caseUpdated', one.updated_at) && !isOlder(one);
		if (areAllChosen && isUpdateSince && !isShadowed(one)) {
			owed.push(`version ${one.case_id} ${one.name}`);
		}
		const isMatching = scope === 'all' || firstVersions.has(one.name);
		const isCreationOwed = isMatching && !isIgnored(one.author);
		const isNew = isSince('caseCreated', one.created_at) && has('created_at', one);
		if (isCreationOwed && isNew && !isShadowed(one)) owed.push(`created ${one.case_id}`);
		const closing = closingOf(one);
		const isClosingOwed =
			closing !== undefined && (scope !== 'urgent' || closingVersions.has(one.name));
		const isKnown = given.has(closedIn(one)) || atStart.has(closedIn(one));
		const isNewlyClosed = isSince('caseClosed', one.resolved_at) && has('resolved_at', one);
		if (isClosingOwed && !isKnown && isNewlyClosed) owed.push(`closed ${one.case_id} ${closing}`);
		const isFailing = (name: 'comments' | 'activities') =>
			failing.some((failure) => failure.list === name && isHit(failure, one.case_id));
		const areCommentsOwed =
			!isFailing('comments') && (scope === 'watched' || (scope === 'all' && commentsTouchCase));
		if (areCommentsOwed) {
			for (const { value, created_at, user } of store.comments(one.case_id)) {
				if (isSince('commentAdded', created_at) && !isIgnored(user))
					owed.push(`comment ${one.case_id} ${value}`);
			}
		}
		// The log of a case has its creation, without a text, and its comments.
		if (commentsTouchCase && scope !== 'urgent' && !isFailing('activities')) {
			for (const { value, created_at, user } of one.activities())
				if (isSince('activityAdded', created_at) && !isIgnored(user))
					owed.push(`activity ${one.case_id} ${value}`);
		}
		return owed;
	};

	return {
		/**
		 * The trigger has started with an activation between these moments; or these events alone are new to it. What is there
		 * by now may be an event, but need not.
		 */
		begin: (events: EventName[], from: number, to: number, isAllNew: boolean) => {
			const now = { from: Math.floor(from / 1000) * 1000, to: Math.floor(to / 1000) * 1000 };
			const before = isAllNew ? new Map<EventName, typeof now>() : chosen;
			const owedBefore = isAllNew ? [] : [...store.cases()].flatMap(owedOf);
			chosen = new Map(events.map((event) => [event, before.get(event) ?? now]));
			for (const one of store.cases()) {
				for (const key of owedOf(one)) if (!owedBefore.includes(key)) atStart.add(key);
				if (!isAllNew) continue;
				early.add(secondIn(one));
				atStart.add(`version ${one.case_id} ${one.name}`);
				atStart.add(`created ${one.case_id}`);
				const closing = closingOf(one);
				if (closing !== undefined) {
					atStart.add(`closed ${one.case_id} ${closing}`).add(closedIn(one));
				}
				for (const { value } of one.activities()) {
					atStart.add(`comment ${one.case_id} ${value}`);
					atStart.add(`activity ${one.case_id} ${value}`);
				}
			}
			// A start has a new state: what came right before it may be an event again.
			if (isAllNew) given.clear();
		},
		/** All cases that match have been read: these. What differs from what was reported before is not an event. */
		know: (ids: number[]) => {
			matching = new Set(ids);
		},
		/**
		 * Notes the events that one poll emitted. Returns complaints; none is good.
		 * @param waited the cases that had waited for this poll
		 * @param isForgotten whether n8n forgets that this poll was: then all of them may come again
		 */
		note: (emitted: TriggerEvent[], waited: string[], isForgotten: boolean): string[] => {
			const complaints: string[] = [];
			const before = new Set(matching);
			for (const id of waited) early.add(secondIn(store.getCase(Number(id))));
			emitted.forEach((event, index) => {
				const row = event.row as unknown as SeenCase;
				if (waited.includes(String(row.case_id))) early.add(secondIn(row));
				const isOfMatches = event.event === 'caseMatched' || event.event === 'caseUnmatched';
				if (isOfMatches && areChosen('caseMatched', 'caseUnmatched')) {
					complaints.push(...noteMatch(event));
				}
				const { user } = event.entry ?? {
					user: event.event === 'caseCreated' ? event.row.author : undefined,
				};
				if (user !== undefined && isIgnored(user as User)) {
					complaints.push(`ignored: ${event.event} ${row.case_id}`);
				}
				const { once, all, time } = keysOf(event);
				const since = chosen.get(event.event as EventName)?.from ?? Infinity;
				// The Date header has whole seconds, and is taken for the beginning of the answer.
				const isOld = !(Date.parse(time ?? '') >= since - 2000);
				if (isClockRight && time !== undefined && isOld) {
					complaints.push(`old: ${event.event} ${all[0]}`);
				}
				for (const key of once) {
					if (given.has(key)) complaints.push(`repeated: ${key}`);
					if (!isForgotten) given.add(key);
				}
				for (const key of all) {
					if (!once.includes(key) && !isForgotten) given.add(key);
				}
				if ((emitted[index - 1]?.at ?? 0) > event.at)
					complaints.push(`out of order: ${event.event} ${all[0]}`);
			});
			if (isForgotten) matching = before;
			return complaints;
		},
		/** What is missing once all has had time to show. */
		missing: (): string[] => {
			const cases = [...store.cases()].filter((one) => has('updated_at', one));
			const isOff = (one: Case) =>
				areChosen('caseMatched', 'caseUnmatched') &&
				!isShadowed(one) &&
				matches(one) !== matching.has(one.case_id);
			const lost = cases
				.filter(matches)
				.flatMap(owedOf)
				.filter((key) => !given.has(key) && !atStart.has(key));
			const off = cases.filter(isOff).map(({ case_id }) => `match of ${case_id}`);
			return [...lost, ...off].map((key) => `lost: ${key}`);
		},
	};
}
