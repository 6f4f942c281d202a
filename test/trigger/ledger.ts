import { isHit } from '../../sandbox/deviating/hits';
import type { TriggerEvent } from '../../nodes/Cases/trigger/changes/watch';
import type { Case } from '../../sandbox/types';
import type { EventName, Schedule } from './schedule';
import type { World } from './world';

/** What a trigger must report, by the truth of the store, and what it reported. */
export interface Ledger {
	/** The trigger has started: what is there by now may be an event, but need not. */
	begin: (now: number) => void;
	/** All cases that match have been read: these. What differs from what was reported before is not an event. */
	know: (matching: number[]) => void;
	/**
	 * Notes the events that one poll emitted. Returns complaints; none is good.
	 * @param isForgotten whether n8n forgets that this poll was: then all of them may come again
	 */
	note: (events: TriggerEvent[], isForgotten: boolean) => string[];
	/** What is missing once all has had time to show. */
	missing: () => string[];
}

/** A case as it comes over the API, with the fields in which versions differ. */
interface SeenCase {
	case_id: number;
	name: string;
	updated_at: string;
	resolved_at: string | null;
}

export function openLedger(schedule: Schedule, world: World): Ledger {
	const { events, commentsTouchCase, deviations } = schedule;
	const { scope, store, matches, firstVersions, closings, closingVersions, sameSecond } = world;
	/** Whether a version is the second one within a second: it may show, or be made, once the first was reported. */
	const isHidden = ({ name }: Case) => sameSecond.has(name);
	const { dateOffset = 0, dateFrozenAt } = deviations.clock ?? {};
	/** Where a clock is behind, what came before a start may be an event again. */
	const isBehind = schedule.nodeOffset < 0 || dateOffset < 0 || dateFrozenAt !== undefined;
	/** When the trigger started. What is dated earlier is neither created nor closed nor commented on. */
	let startedAt = 0;
	const isSince = (time: string | null) => Date.parse(time ?? '') >= startedAt;
	const { fields = [], failing = [] } = deviations.rows ?? {};
	/** Whether a case has the fields that an event needs. */
	const has = (path: string, { case_id }: Case) =>
		!fields.some((patch) => patch.path === path && isHit(patch, case_id));
	/** The cases that match, by what the trigger knew at its start and what it reported since. */
	let matching = new Set<number>();
	const given = new Set<string>();
	const atStart = new Set<string>();
	const isChosen = (event: EventName) => events.includes(event);
	const areAllCaseEventsChosen =
		isChosen('caseCreated') && isChosen('caseUpdated') && isChosen('caseClosed');

	const areMatchEventsChosen = isChosen('caseMatched') && isChosen('caseUnmatched');

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
		`closed ${case_id} in ${Math.floor(Date.parse(resolved_at ?? '') / 1000)}`;
	const closingOf = ({ name }: Pick<Case, 'name'>) => closings.get(name);

	/** What an event says: `once` may be said once only, `all` is what need not be said again. */
	const keysOf = (event: TriggerEvent): { once: string[]; all: string[] } => {
		const row = event.row as unknown as SeenCase;
		if (event.event === 'commentAdded') {
			const { id, created_at, value } = event.comment ?? {};
			const key = `comment ${row.case_id} ${id} ${created_at}`;
			return { once: [key], all: [`comment ${row.case_id} ${value}`] };
		}
		if (event.event === 'activityAdded') {
			const { id, created_at, value } = event.activity ?? {};
			return {
				once: [`activity ${row.case_id} ${id} ${created_at}`],
				all: [`activity ${row.case_id} ${value}`],
			};
		}
		const version = `version ${row.case_id} ${row.name}`;
		const content = `${event.event} ${row.case_id} ${row.name} ${row.updated_at}`;
		switch (event.event) {
			case 'caseCreated':
				return { once: [`created ${row.case_id}`], all: [version, `created ${row.case_id}`] };
			case 'caseClosed': {
				const closing = `closed ${row.case_id} ${closingOf(row)}`;
				return { once: [closing], all: [version, closing, closedIn(row)] };
			}
			case 'caseUpdated':
				return { once: [content], all: [version] };
			default:
				return { once: [], all: [] };
		}
	};

	const owedOf = (one: Case): string[] => {
		const owed: string[] = [];
		if (areAllCaseEventsChosen && !isHidden(one)) owed.push(`version ${one.case_id} ${one.name}`);
		const isCreationOwed = scope === 'all' || firstVersions.has(one.name);
		const isNew = isSince(one.created_at) && has('created_at', one);
		if (isChosen('caseCreated') && isCreationOwed && isNew && !isHidden(one)) {
			owed.push(`created ${one.case_id}`);
		}
		const closing = closingOf(one);
		const isClosingOwed =
			closing !== undefined && (scope !== 'urgent' || closingVersions.has(one.name));
		const isKnown = given.has(closedIn(one)) || atStart.has(closedIn(one));
		const isNewlyClosed = isSince(one.resolved_at) && has('resolved_at', one);
		if (isChosen('caseClosed') && isClosingOwed && !isKnown && isNewlyClosed) {
			owed.push(`closed ${one.case_id} ${closing}`);
		}
		const areCommentsOwed =
			isChosen('commentAdded') &&
			!failing.some((failure) => isHit(failure, one.case_id)) &&
			(scope === 'watched' || (scope === 'all' && commentsTouchCase));
		if (areCommentsOwed) {
			for (const { value, created_at } of store.comments(one.case_id)) {
				if (isSince(created_at)) owed.push(`comment ${one.case_id} ${value}`);
			}
		}
		// The log of a case has its creation, without a text, and its comments.
		if (isChosen('activityAdded') && commentsTouchCase && scope !== 'urgent') {
			for (const { value, created_at } of one.activities())
				if (isSince(created_at)) owed.push(`activity ${one.case_id} ${value}`);
		}
		return owed;
	};

	return {
		begin: (now) => {
			startedAt = Math.floor(now / 1000) * 1000;
			if (isBehind) given.clear();
			for (const one of store.cases()) {
				for (const key of owedOf(one)) atStart.add(key);
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
		},
		know: (ids) => {
			matching = new Set(ids);
		},
		note: (emitted, isForgotten) => {
			const complaints: string[] = [];
			const before = new Set(matching);
			emitted.forEach((event, index) => {
				const isOfMatches = event.event === 'caseMatched' || event.event === 'caseUnmatched';
				if (isOfMatches && areMatchEventsChosen) complaints.push(...noteMatch(event));
				const { once, all } = keysOf(event);
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
		missing: () => {
			const cases = [...store.cases()].filter((one) => has('updated_at', one));
			const isOff = (one: Case) =>
				areMatchEventsChosen && !isHidden(one) && matches(one) !== matching.has(one.case_id);
			const lost = cases
				.filter(matches)
				.flatMap(owedOf)
				.filter((key) => !given.has(key) && !atStart.has(key));
			const off = cases.filter(isOff).map(({ case_id }) => `match of ${case_id}`);
			return [...lost, ...off].map((key) => `lost: ${key}`);
		},
	};
}
