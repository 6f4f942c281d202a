import fc from 'fast-check';
import type { CaseInput, CaseStore } from '../../sandbox';
import { randomOf } from '../../sandbox/random';
import type { Case } from '../../sandbox/types';
import type { Clock } from './simulation';

/** The moment at which the simulations begin: a Saturday at noon. */
export const START = Date.parse('2026-01-31T12:00:00Z');
const DAY = 24 * 60 * 60 * 1000;

/** The attributes that filters and orders look at; few values, so that many cases share them. */
function attributes(seed: number): CaseInput {
	const random = randomOf(seed);
	const moment = () => START - DAY + random.int(0, 5) * 1000;
	return {
		name: random.pick(['Phishing', 'Malware']),
		priority: random.pick(['INFO', 'MEDIUM', 'CRITICAL']),
		team_id: random.int(1, 2),
		author: random.int(1, 2),
		assignees: random.pick([[], [1], [2], [1, 2]]),
		tags: random.pick([[], ['alpha'], ['beta'], ['alpha', 'beta']]),
		metadata: { source: random.pick(['mail', 'web']) },
		opened_at: random.pick([null, moment(), moment()]),
		records: [
			{
				record_type_id: 1,
				record_type_name: 'Host',
				record_type_record_results: [
					{
						id: seed,
						results: [{ id: seed, name: 'name', value: random.pick(['host-1', 'host-2']) }],
						created_at: '2026-01-01T00:00:00Z',
					},
				],
			},
		],
	};
}

/** Puts cases in that are all older than the simulation, with many equal times. */
export function fillStore(store: CaseStore, seeds: number[]): void {
	for (const seed of seeds) {
		const random = randomOf(seed, 1);
		const created = START - 2 * DAY + random.int(0, 5) * 1000;
		store.createCase({
			...attributes(seed),
			status: random.pick(['OPEN', 'OPEN', 'CLOSED']),
			created_at: created,
			resolved_at: null,
			updated_at: created + random.int(0, 5) * 1000,
		});
	}
}

type Matches = (candidate: Case) => boolean;

const hasTag = (name: string) => (one: Case) => one.tags.some((tag) => tag.name === name);
const isAssigned = (id: number) => (one: Case) =>
	one.assignees.some(({ user_id }) => user_id === id);
const between = (from: string, to: string) => (text: string | null) =>
	text !== null && Date.parse(text) >= Date.parse(from) && Date.parse(text) <= Date.parse(to);

/** From before the middle of the ranges above until long after the simulation. */
const RANGE = ['2026-01-29T12:00:02Z', '2027-01-01T00:00:00Z'] as const;
/** Until the simulation begins: every edit takes a case out. */
const UNTIL_START = ['2026-01-01T00:00:00Z', '2026-01-31T11:59:59Z'] as const;

/** Every filter as the node's collection holds it, and what it means, said here a second time. */
const FILTERS: Array<[collection: Record<string, unknown>, matches: Matches]> = [
	[{ and_tags: ['alpha', 'beta'] }, (one) => hasTag('alpha')(one) && hasTag('beta')(one)],
	[{ tags: ['alpha'] }, hasTag('alpha')],
	[{ or_tags: ['alpha', 'beta'] }, (one) => hasTag('alpha')(one) || hasTag('beta')(one)],
	[{ excluded_tags: ['beta'] }, (one) => !hasTag('beta')(one)],
	[{ assigned_to_me: true }, isAssigned(1)],
	[{ unassigned: true }, ({ assignees }) => assignees.length === 0],
	[{ assignees: ['1', '2'] }, (one) => isAssigned(1)(one) || isAssigned(2)(one)],
	[{ assignee_emails: ['bruno.okafor@example.com'] }, isAssigned(2)],
	[{ author_emails: ['ana.lindqvist@example.com'] }, ({ author }) => author.user_id === 1],
	[
		{ case_ids: Array.from({ length: 30 }, (_empty, index) => 2 * index + 1) },
		({ case_id }) => case_id % 2 === 1 && case_id < 60,
	],
	[
		{ metadata: { pair: [{ key: 'source', value: 'mail' }] } },
		({ metadata }) => metadata.source === 'mail',
	],
	[{ priority: 'MEDIUM' }, ({ priority }) => priority === 'MEDIUM'],
	[{ priority: ['HIGH', 'MEDIUM'] }, ({ priority }) => ['HIGH', 'MEDIUM'].includes(priority)],
	[{ status: 'OPEN' }, ({ status }) => status === 'OPEN'],
	[
		{ records: ['host-1'] },
		(one) =>
			one
				.records()[0]
				.record_type_record_results[0].results.some(({ value }) => value === 'host-1'),
	],
	[{ search: 'phish' }, ({ name }) => name === 'Phishing'],
	[{ start_date: RANGE[0], end_date: RANGE[1] }, (one) => between(...RANGE)(one.created_at)],
	[
		{ resolved_at_start_date: RANGE[0], resolved_at_end_date: RANGE[1] },
		(one) => between(...RANGE)(one.resolved_at),
	],
	[
		{ updated_at_start_date: RANGE[0], updated_at_end_date: RANGE[1] },
		(one) => between(...RANGE)(one.updated_at),
	],
	[
		{ updated_at_start_date: UNTIL_START[0], updated_at_end_date: UNTIL_START[1] },
		(one) => between(...UNTIL_START)(one.updated_at),
	],
	[{ team_id: 1 }, ({ team }) => team.id === 1],
];

/** Filters as a user sets them, and the same as a test of a case. */
export interface Filtering {
	collection: Record<string, unknown>;
	matches: Matches;
}

/** None, one or two of all filters, each by another field. */
export const filtering: fc.Arbitrary<Filtering> = fc
	.uniqueArray(fc.constantFrom(...FILTERS), {
		maxLength: 2,
		selector: ([collection]) => Object.keys(collection)[0],
	})
	.map((chosen) => ({
		collection: Object.fromEntries(chosen.flatMap(([collection]) => Object.entries(collection))),
		matches: (one: Case) => chosen.every(([, matches]) => matches(one)),
	}));

const KINDS = ['close', 'reopen', 'create', 'delete', 'edit', 'prioritize'] as const;

/** Something that happens to a case. */
export interface CaseChange {
	kind: (typeof KINDS)[number];
	/** Chooses the case: low numbers are those that changed last. */
	target: number;
	seed: number;
}

/** Changes of some kinds only: that finds rare conspiracies, such as nothing but deletions, much sooner. */
export const someCaseChanges: fc.Arbitrary<fc.Arbitrary<CaseChange>> = fc
	.subarray([...KINDS], { minLength: 1 })
	.map((kinds) =>
		fc.record({
			kind: fc.constantFrom(...kinds),
			target: fc.oneof(fc.nat(2), fc.nat(80)),
			seed: fc.nat(1000),
		}),
	);

/** Carries changes out; an edit dates the case with the clock's time. */
export function caseChanger(store: CaseStore, clock: Clock): (change: CaseChange) => void {
	let recent: number[] = [];
	return ({ kind, target, seed }) => {
		if (kind === 'create') {
			const { case_id } = store.createCase({
				...attributes(seed),
				created_at: clock.now,
				updated_at: clock.now,
			});
			recent = [case_id, ...recent];
			return;
		}
		const others = [...store.cases()].map(({ case_id }) => case_id);
		const candidates = [...new Set([...recent.filter((id) => store.findCase(id)), ...others])];
		if (candidates.length === 0) return;
		const id = candidates[target % candidates.length];
		recent = [id, ...recent];
		switch (kind) {
			case 'close':
				store.closeCase(id);
				break;
			case 'reopen':
				store.reopenCase(id);
				break;
			case 'delete':
				store.deleteCase(id);
				break;
			case 'edit':
				store.updateCase(id, attributes(seed));
				break;
			case 'prioritize':
				store.updateCase(id, { priority: randomOf(seed).pick(['INFO', 'MEDIUM', 'CRITICAL']) });
		}
	};
}
