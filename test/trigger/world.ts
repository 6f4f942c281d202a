import { CaseStore } from '../../sandbox';
import { SERVICE_USER_ID } from '../../sandbox/directory';
import type { Case } from '../../sandbox/types';
import type { Clock } from '../api/simulation';
import type { Change, Schedule } from './schedule';

/** The moment at which the simulations begin. */
export const START = Date.parse('2026-01-31T12:00:00Z');

/** The cases of a simulation. Each version has a name of its own, so that a test can tell which one it sees. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(
	{ ages, precision, commentsTouchCase, scope: drawn }: Schedule,
	clock: Clock,
) {
	const store = new CaseStore({
		now: () => new Date(clock.now),
		timestampPrecision: precision,
		commentsTouchCase,
	});
	/** The priority that a filtering trigger looks for. */
	const wanted: { priority: 'CRITICAL' | 'LOW' } = { priority: 'CRITICAL' };
	let versions = 0;
	const nextName = () => `v${++versions}`;
	const priority = (isUrgent: boolean) => (isUrgent ? 'CRITICAL' : 'LOW');
	/** Versions that cases were created with, by name. */
	const firstVersions = new Set<string>();
	/** Versions with which cases were closed, by name. */
	const closingVersions = new Set<string>();
	/** When versions were made that have the second of an earlier one of their case, by name. */
	const shadowed = new Map<string, number>();
	/** The seconds of all versions, by case. */
	const seconds = new Map<number, Set<number>>();
	const noteVersion = (id: number, name: string, at: number) => {
		const ofCase = seconds.get(id) ?? new Set();
		if (ofCase.has(secondOf(at))) shadowed.set(name, clock.now);
		seconds.set(id, ofCase.add(secondOf(at)));
	};
	/** Which closing a version comes from, by name; a version of an open case has none. */
	const closings = new Map<string, number>();
	let recent: number[] = [];

	ages.forEach((age, index) => {
		const edited = START - age;
		const closed = index % 3 === 0 ? ({ status: 'CLOSED', resolved_at: edited } as const) : {};
		const name = nextName();
		const { case_id } = store.createCase({
			name,
			priority: priority(index % 2 === 0),
			created_at: edited - (index % 4) * 2000,
			updated_at: edited,
			...closed,
		});
		noteVersion(case_id, name, edited);
	});
	/** Cases that are watched for comments, where the trigger is given IDs. */
	let watchedIds = [...store.cases()].map(({ case_id }) => case_id).slice(0, 6);
	/** What is watched: all cases, where there are none to give by ID. */
	const scope = drawn === 'watched' && watchedIds.length === 0 ? 'all' : drawn;

	const create = ({ kind, isUrgent, isBot, backMs }: Change, at: number) => {
		const name = nextName();
		firstVersions.add(name);
		const isClosing = kind === 'createClosed';
		if (isClosing) closings.set(name, closingVersions.add(name).size);
		const { case_id } = store.createCase({
			name,
			priority: priority(isUrgent),
			author: isBot ? SERVICE_USER_ID : undefined,
			created_at: at,
			updated_at: at,
			...(isClosing && { status: 'CLOSED', resolved_at: at - backMs }),
		});
		recent = [case_id, ...recent];
		noteVersion(case_id, name, at);
	};

	/** The time of edit never goes back. */
	const latest = (id: number, at: number) => Math.max(at, Date.parse(store.getCase(id).updated_at));

	const apply = (change: Change) => {
		const { kind, target, isUrgent, lagMs, isBot, backMs } = change;
		const dated = clock.now - lagMs;
		const ids = [...new Set([...recent, ...watchedIds, ...[...store.cases()].map(idOf)])];
		if (kind === 'create' || kind === 'createClosed' || ids.length === 0) {
			create(change, dated);
			return;
		}
		const id = ids[target % ids.length];
		recent = [id, ...recent.filter((other) => other !== id)];
		// Whatever changes a case began after the case was there.
		const at = Math.max(dated, Date.parse(store.getCase(id).created_at));
		if (kind === 'comment') {
			const text = nextName();
			if (commentsTouchCase) seconds.get(id)?.add(secondOf(latest(id, at)));
			const user_id = isBot ? SERVICE_USER_ID : undefined;
			store.addComment(id, text, { user_id, created_at: at, updated_at: latest(id, at) });
			return;
		}
		const before = store.getCase(id);
		const name = nextName();
		const edited = latest(id, at);
		const isClosing = kind === 'close' && before.status === 'OPEN';
		if (isClosing) closingVersions.add(name);
		const closing = isClosing ? closingVersions.size : closings.get(before.name);
		if (kind !== 'reopen' && closing !== undefined) closings.set(name, closing);
		noteVersion(id, name, edited);
		store.updateCase(id, {
			name,
			priority: priority(isUrgent),
			updated_at: edited,
			...(isClosing && { status: 'CLOSED', resolved_at: at - backMs }),
			...(kind === 'reopen' && { status: 'OPEN', resolved_at: null }),
		});
	};

	return {
		store,
		apply,
		watchedIds: () => watchedIds,
		matches: ({ case_id, priority }: Pick<Case, 'case_id' | 'priority'>): boolean =>
			scope === 'all' ||
			(scope === 'urgent' ? priority === wanted.priority : watchedIds.includes(case_id)),
		scope,
		wanted,
		firstVersions,
		closingVersions,
		shadowed,
		/** Gives the trigger other IDs. */
		giveOthers: () => {
			const others = [...store.cases()].map(idOf).slice(2, 9);
			if (others.length > 0) watchedIds = others;
		},
		closings,
	};
}

const secondOf = (ms: number) => Math.floor(ms / 1000);
const idOf = ({ case_id }: Case) => case_id;
