import type { TriggerEvent } from '../../nodes/Cases/trigger/changes/findEvents';
import type { Case } from '../../sandbox/types';
import type { EventName, Schedule } from './schedule';
import type { World } from './world';

/** What a trigger must report and what it reported. Each function returns complaints; none is good. */
export interface Ledger {
	/** The trigger has started: what is there by now may be an event, but need not. */
	begin: () => void;
	/** Notes the events that one poll emitted. */
	note: (events: TriggerEvent[]) => string[];
	/** Call before a poll; the function that it returns, called after a poll that read everything, returns what is missing. */
	watch: () => () => string[];
}

/** A case as it comes over the API, with the fields in which versions differ. */
interface SeenCase {
	case_id: number;
	name: string;
	updated_at: string;
	status: string;
	resolved_at: string | null;
	activities: Array<{ activity_type: string }>;
}

const secondOf = (timestamp: string) => Math.floor(Date.parse(timestamp) / 1000);

function timeOf(event: TriggerEvent): number {
	return secondOf(
		event.event === 'commentAdded'
			? String(event.comment.created_at)
			: String(event.row.updated_at),
	);
}

export function openLedger({ events, scope, commentsTouchCase }: Schedule, world: World): Ledger {
	const { store, matches, firstVersions, closingVersions, closings } = world;
	const given = new Set<string>();
	const casesAtStart = new Set<number>();
	const versionsAtStart = new Set<string>();
	const closingsAtStart = new Set<number>();
	const commentsAtStart = new Set<number>();
	const isChosen = (event: EventName) => events.includes(event);
	const areAllCaseEventsChosen =
		isChosen('caseCreated') && isChosen('caseUpdated') && isChosen('caseClosed');

	const versionKey = (
		one: Pick<SeenCase, 'case_id' | 'name' | 'updated_at'>,
		comments: () => number,
	) => `${one.case_id} ${one.name} ${one.updated_at} ${commentsTouchCase ? comments() : ''}`;
	const storedKey = (one: Case) => versionKey(one, () => store.comments(one.case_id).length);

	/** What may be given once only. */
	const keysOf = (event: TriggerEvent): string[] => {
		if (event.event === 'commentAdded') return [`comment ${event.comment.id}`];
		const row = event.row as unknown as SeenCase;
		const comments = row.activities.filter(({ activity_type }) => activity_type === 'COMMENTED');
		const content = `${event.event} ${row.case_id} ${row.name} ${row.updated_at} ${comments.length}`;
		switch (event.event) {
			case 'caseCreated':
				return [content, `created ${row.case_id}`];
			case 'caseClosed':
				return [content, `closed ${row.case_id} closing ${closings.get(row.name)}`];
			case 'caseUpdated':
				return [content];
		}
	};

	const versionsGiven = new Set<string>();
	const closedAtGiven = new Set<string>();

	const missing = (one: Case): string[] => {
		const { case_id, name, resolved_at } = one;
		const complaints: string[] = [];
		if (areAllCaseEventsChosen && !versionsGiven.has(storedKey(one))) {
			complaints.push(`lost: version ${storedKey(one)}`);
		}
		const isCreationOwed =
			!casesAtStart.has(case_id) && (scope === 'all' || firstVersions.has(name));
		if (isChosen('caseCreated') && isCreationOwed && !given.has(`created ${case_id}`)) {
			complaints.push(`lost: creation of ${storedKey(one)}`);
		}
		const closing = closings.get(name);
		const isClosingOwed =
			closing !== undefined &&
			!closingsAtStart.has(closing) &&
			(scope !== 'urgent' || closingVersions.has(name));
		// Closed, reopened and closed again within one timestamp looks like closed once.
		if (
			isChosen('caseClosed') &&
			isClosingOwed &&
			!closedAtGiven.has(`${case_id} ${resolved_at}`)
		) {
			complaints.push(`lost: closing of ${storedKey(one)}`);
		}
		return complaints;
	};

	const areCommentsOwed =
		isChosen('commentAdded') && (scope === 'watched' || (scope === 'all' && commentsTouchCase));
	const commentsOf = ({ case_id }: Case) =>
		store
			.comments(case_id)
			.map(({ id }) => id)
			.filter((id) => !commentsAtStart.has(id));

	return {
		begin: () => {
			for (const one of store.cases()) {
				casesAtStart.add(one.case_id);
				versionsAtStart.add(storedKey(one));
				const closing = closings.get(one.name);
				if (closing !== undefined) closingsAtStart.add(closing);
				if (one.resolved_at !== null) closedAtGiven.add(`${one.case_id} ${one.resolved_at}`);
				for (const { id } of store.comments(one.case_id)) commentsAtStart.add(id);
			}
		},
		note: (emitted) => {
			const complaints: string[] = [];
			emitted.forEach((event, index) => {
				for (const key of keysOf(event)) {
					if (given.has(key)) complaints.push(`repeated: ${key}`);
					given.add(key);
				}
				if (event.event !== 'commentAdded') {
					const row = event.row as unknown as SeenCase;
					const comments = row.activities.filter((one) => one.activity_type === 'COMMENTED');
					versionsGiven.add(versionKey(row, () => comments.length));
					if (event.event === 'caseClosed') {
						closedAtGiven.add(`${row.case_id} ${row.resolved_at}`);
					}
				}
				const before = emitted[index - 1];
				if (before !== undefined && timeOf(before) > timeOf(event)) {
					complaints.push(`out of order: ${keysOf(event)[0]}`);
				}
			});
			return complaints;
		},
		watch: () => {
			const shown = new Map(
				[...store.cases()]
					.filter(matches)
					.map((one) => [one.case_id, { version: storedKey(one), comments: commentsOf(one) }]),
			);
			return () =>
				[...store.cases()].flatMap((one) => {
					const before = shown.get(one.case_id);
					if (before === undefined) return [];
					const isSame = before.version === storedKey(one);
					const lost = isSame && !versionsAtStart.has(before.version) ? missing(one) : [];
					const lostComments =
						areCommentsOwed && (isSame || scope === 'watched')
							? before.comments.filter((id) => !given.has(`comment ${id}`))
							: [];
					return [...lost, ...lostComments.map((id) => `lost: comment ${id} of ${one.case_id}`)];
				});
		},
	};
}
