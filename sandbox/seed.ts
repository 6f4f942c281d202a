import { FIELDS, membersOf, SERVICE_USER_ID, STORIES, TEAMS } from './directory';
import { randomOf, type Random } from './random';
import { actionOf, type CaseStore } from './store';
import type {
	Action,
	ActionInput,
	Activity,
	Case,
	FieldValue,
	Reaction,
	RecordGroup,
	Task,
	Team,
	User,
} from './types';
import {
	AWKWARD_TAGS,
	CLOSURE_CONDITIONS,
	COMMENTS,
	EMOJI_TAG,
	fillIn,
	RECORD_TYPES,
	SUBJECTS,
	TASKS,
} from './words';

export interface SeedOptions {
	/** How many cases, from 0 to 100,000 and more. */
	cases: number;
	seed: number;
	/** The cases are spread over the 90 days before this moment. Default SEED_UNTIL. */
	until?: Date;
	/** Whether some cases have files, which a service of the document alone doesn't know. Default false. */
	files?: boolean;
}

/** Fixed, so that a seed gives the same data every day. */
export const SEED_UNTIL = new Date('2026-01-31T12:00:00Z');

const MINUTE = 60_000;
const SPAN = 90 * 24 * 60 * MINUTE;
/** Each case has this many ids for its activities, actions and records. */
const IDS_PER_CASE = 512;
const ACTION_IDS = 90;
const RECORD_IDS = 100;
const RESULT_IDS = 200;
const TASK_IDS = 400;
const FIELD_IDS = 420;
/** One open case has the tag of the recipe for escalated cases. */
const ESCALATED = 52;

/** Separate random sequences, so that each list can be generated without the others. */
const enum Stream {
	Case,
	Activities,
	Records,
	Actions,
	Content,
}

/**
 * Fills the store with made-up cases that depend only on the options. The lists of a case are
 * generated each time they are read, so that 100,000 cases fit into memory.
 */
export function seedStore(
	store: CaseStore,
	{ cases, seed, until = SEED_UNTIL, files = false }: SeedOptions,
): void {
	const moments = { start: until.getTime() - SPAN, until: until.getTime() };
	store.reserveIds((cases + 1) * IDS_PER_CASE);
	for (let index = 1; index <= cases; index++) {
		store.insert(makeCase(store, { index, cases, seed, files, ...moments }));
	}
	for (const { case_id, linked_case_ids } of [...store.cases()]) {
		for (const other of linked_case_ids.map((id) => store.getCase(id))) {
			const ids = new Set([...other.linked_case_ids, case_id]);
			store.insert({ ...other, linked_case_ids: [...ids] });
		}
	}
}

/** A case among all generated cases, and the period they are spread over. */
interface SeedContext extends Required<Omit<SeedOptions, 'until'>> {
	/** The number of the case, from 1; also its id. */
	index: number;
	start: number;
	until: number;
}

function makeCase(store: CaseStore, context: SeedContext): Case {
	const { index, cases, seed, until } = context;
	const random = randomOf(seed, index, Stream.Case);
	const team = TEAMS[Number(random.weighted({ 1: 35, 2: 30, 3: 15, 4: 8, 5: 12 })) - 1];
	const members = membersOf(team.id);
	const subjects = SUBJECTS.filter(({ team_id }) => team_id === team.id);
	const { name, description, tags: subjectTags } = random.pick(subjects);
	const isClosed = random.chance(0.55);
	const isOpened = isClosed || !random.chance(0.05);
	const { created, opened, resolved, updated } = momentsOf(random, context);
	const opener = random.pick(members);
	const tags = [
		...subjectTags,
		...random.sample(AWKWARD_TAGS, random.chance(0.3) ? random.int(1, 2) : 0),
		...(random.chance(0.01) ? [EMOJI_TAG] : []),
		...(index === ESCALATED ? ['escalated'] : []),
	];
	const author = random.chance(0.3) ? store.user(SERVICE_USER_ID) : random.pick(members);
	const created_at = store.timestamp(created);

	return {
		case_id: index,
		name: fillIn(random, name),
		description: random.chance(0.05) ? null : fillIn(random, description),
		status: isClosed ? 'CLOSED' : 'OPEN',
		priority: random.weighted({ CRITICAL: 5, HIGH: 15, MEDIUM: 40, LOW: 25, INFO: 15 }),
		metadata: metadataOf(random, index),
		team,
		author,
		opened_by: isOpened ? opener : null,
		resolved_by: isClosed ? opener : null,
		assignees: random.sample(members, Number(random.weighted({ 0: 25, 1: 55, 2: 20 }))),
		tags: tags.map((name) => store.tag(name)),
		linked_case_ids: cases > 1 && random.chance(0.1) ? linkedIds(random, context) : [],
		closure_conditions: random.chance(0.3) ? random.sample(CLOSURE_CONDITIONS, 2) : [],
		opened_at: isOpened ? store.timestamp(opened) : null,
		resolved_at: isClosed ? store.timestamp(resolved) : null,
		created_at,
		updated_at: store.timestamp(Math.min(updated, until)),
		activities: () => makeActivities(store, context, { author, members, created, updated }),
		records: () => makeRecords(context, created_at),
		actions: () => makeActions(context, created_at),
		tasks: () => makeTasks(context, members, created_at),
		fields: () => makeFields(context, team, created_at),
	};
}

/** When the case was created, opened, resolved and updated, in this order. */
function momentsOf(random: Random, { index, cases, start, until }: SeedContext) {
	// Every eighth case is created at the same moment as the one before.
	const slot = index % 8 === 0 ? index - 1 : index;
	const created = start + Math.floor((SPAN * slot) / (cases + 1));
	const within = (from: number, to: number) =>
		from + Math.floor((to - from) * random.int(0, 100) * 0.01);
	const soon = Math.min(until, created + random.int(0, 30 * 24 * 60) * MINUTE);
	const opened = within(created, Math.min(soon, created + 10 * MINUTE));
	// A bulk edit touches many cases in one second.
	const bulkEdit = start + Math.floor(SPAN * random.pick([0.5, 0.75, 0.95]));
	const updated = random.chance(0.1) && bulkEdit > soon ? bulkEdit : soon;
	return { created, opened, resolved: within(opened, updated), updated };
}

function metadataOf(random: Random, index: number): Record<string, string> {
	return {
		source: random.pick(['siem', 'mailbox', 'monitoring', 'customer desk', 'api']),
		region: random.pick(['emea', 'amer', 'apac']),
		external_ref: `REF-${100_000 + index}`,
		...(random.chance(0.3) && { 'cost center': `CC-${random.int(10, 60)}` }),
		...(random.chance(0.2) && { root_cause: random.pick(['config', 'user error', 'third party']) }),
	};
}

function linkedIds(random: Random, { index, cases }: SeedContext): number[] {
	const ids = [random.int(1, cases), random.int(1, cases)].filter((id) => id !== index);
	return [...new Set(ids)];
}

function makeActivities(
	store: CaseStore,
	context: SeedContext,
	from: { author: User; members: readonly User[]; created: number; updated: number },
): Activity[] {
	const { index, seed } = context;
	const random = randomOf(seed, index, Stream.Activities);
	const { author, members, created, updated } = from;
	const count = commentCount(random, index);
	const comments = Array.from({ length: count }, (_empty, at): Activity => {
		const share = (at + 1) / (count + 1);
		const user = random.pick(members);
		const created_at = store.timestamp(created + Math.floor((updated - created) * share));
		return {
			id: index * IDS_PER_CASE + 1 + at,
			activity_type: 'COMMENTED',
			value: fillIn(random, random.pick(COMMENTS)),
			user,
			created_at,
			reactions: random.chance(0.2) ? reactionsOf(random, members, created_at) : [],
		};
	});
	const opening: Activity = {
		id: index * IDS_PER_CASE,
		activity_type: 'CREATED',
		value: '',
		user: author,
		created_at: store.timestamp(created),
		reactions: [],
	};
	if (!context.files || index % 25 !== 2) return [opening, ...comments];
	const bytes = Buffer.from(
		fillIn(random, 'Received: from {domain}\nSubject: Invoice over {amount}\n'),
	);
	const file = { ...opening, id: index * IDS_PER_CASE + 61, file: { filename: 'mail.eml', bytes } };
	return [opening, { ...file, activity_type: 'FILE_ATTACHED' }, ...comments];
}

/** Usually few; of every 50 cases one has 60 and one 21: more than the largest and the default page. */
function commentCount(random: Random, index: number): number {
	if (index % 50 === 7) return 60;
	if (index % 50 === 9) return 21;
	const amount = random.weighted({ none: 46, few: 37, some: 14, many: 3 });
	return { none: 0, few: random.int(1, 2), some: random.int(3, 6), many: random.int(7, 40) }[
		amount
	];
}

function reactionsOf(random: Random, members: readonly User[], reacted_at: string): Reaction[] {
	const reactants = random.sample(members, random.int(1, 2));
	return [
		{
			emoji: random.pick([':thumbsup:', ':eyes:', ':tada:']),
			reactants: reactants.map(({ user_id, first_name, last_name }) => ({
				user_id,
				user_name: `${first_name} ${last_name}`,
				reacted_at,
			})),
		},
	];
}

/** One to three record types with a few entries each; every 50th case has more than a page of entries. */
function makeRecords({ index, seed }: SeedContext, created_at: string): RecordGroup[] {
	const random = randomOf(seed, index, Stream.Records);
	const types = random.sample(RECORD_TYPES, random.int(1, 3));
	let made = 0;
	return types.map(({ id, name, fields }) => ({
		record_type_id: id,
		record_type_name: name,
		record_type_record_results: Array.from(
			{ length: index % 50 === 11 ? 12 : random.int(1, 2) },
			() => {
				const at = made++;
				return {
					id: index * IDS_PER_CASE + RECORD_IDS + at,
					results: Object.entries(fields).map(([field, value], fieldAt) => ({
						id: index * IDS_PER_CASE + RESULT_IDS + at * 4 + fieldAt,
						name: field,
						value: fillIn(random, value),
					})),
					created_at,
				};
			},
		),
	}));
}

function makeActions({ index, seed }: SeedContext, created_at: string): Action[] {
	const random = randomOf(seed, index, Stream.Actions);
	const stories = random.sample(STORIES, Number(random.weighted({ 0: 40, 1: 40, 2: 20 })));
	const actions = stories.map(
		(story): ActionInput => ({
			url: `${story.url}?case=${index}`,
			label: story.label,
			action_type: story.type,
			action_text: random.chance(0.5) ? 'Run' : undefined,
		}),
	);
	if (random.chance(0.1)) {
		const url = `https://runbooks.example.net/${index}?a=1&b=2#top`;
		actions.push({ url, label: 'Open runbook', action_type: 'page' });
	}
	return actions.map((action, at) =>
		actionOf(action, index * IDS_PER_CASE + ACTION_IDS + at, created_at),
	);
}

function makeTasks({ index, seed }: SeedContext, members: readonly User[], at: string): Task[] {
	const random = randomOf(seed, index, Stream.Content);
	const texts = random.sample(TASKS, Number(random.weighted({ 0: 60, 2: 10, 4: 30 })));
	return texts.map((description, place) => ({
		...{ id: index * IDS_PER_CASE + TASK_IDS + place, description },
		...{ completed: random.chance(0.5), assignees: random.sample(members, random.int(0, 1)) },
		...{ created_at: at, updated_at: at },
	}));
}

/** Values of half the fields of the team. */
function makeFields({ index, seed }: SeedContext, team: Team, created_at: string): FieldValue[] {
	const random = randomOf(seed, index, Stream.Content);
	const values = { number: '7', boolean: 'true', timestamp: created_at };
	return FIELDS.filter((one) => one.team_id === team.id && random.chance(0.5)).map(
		({ id, input_type, validation_options: { options, regex } }, place) => {
			const text = options
				? random.pick(options)
				: fillIn(random, regex ? 'OPS-{count}' : '{host}');
			const value = input_type === 'string' ? text : values[input_type];
			return { id: index * IDS_PER_CASE + FIELD_IDS + place, input_id: id, value };
		},
	);
}
