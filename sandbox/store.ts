import { storyOf, SUB_STATUSES, TEAMS, USERS } from './directory';
import { editsBetween } from './edits';
import type {
	Action,
	ActionInput,
	Activity,
	ActivityType,
	Case,
	CaseWebhook,
	FieldValue,
	Reaction,
	RecordGroup,
	StoredFile,
	Tag,
	Task,
	TypedRecord,
	User,
} from './types';

/** A moment as a text or date, or in epoch milliseconds. */
type Moment = string | number | Date;

export interface StoreOptions {
	/** The service's clock, also for its Date header. Default: the real one. */
	now?: () => Date;
	/** Default seconds. */
	timestampPrecision?: 'seconds' | 'milliseconds';
	/** Whether a comment counts as an edit of its case (the document doesn't say). Default false. */
	commentsTouchCase?: boolean;
	/** Whether edits of a case write activities, as in a service that has grown. Default false. */
	logsEdits?: boolean;
}

type SameInCase =
	| ('case_id' | 'name' | 'description' | 'status' | 'priority' | 'metadata')
	| ('linked_case_ids' | 'closure_conditions');

/** The fields of a case that a caller can set, all optional. Users and teams are given by id. */
export interface CaseInput extends Partial<Pick<Case, SameInCase>> {
	/** Default: that of the status. */
	sub_status_id?: number;
	fields?: readonly FieldValue[];
	team_id?: number;
	author?: number;
	opened_by?: number | null;
	resolved_by?: number | null;
	assignees?: number[];
	/** Tag names; unknown ones are created. */
	tags?: string[];
	opened_at?: Moment | null;
	resolved_at?: Moment | null;
	created_at?: Moment;
	/** Default: now. Set it to test late commits and equal timestamps. */
	updated_at?: Moment;
	records?: RecordGroup[];
	actions?: ActionInput[];
	tasks?: readonly Task[];
	/** The user who edits, for the activity log. Default: the first one. */
	by?: number;
}

/** What a case holds, of its fields. */
export type Content = Omit<CaseInput, 'case_id' | 'updated_at'>;

export interface ActivityInput {
	/** Default: the first user. */
	user_id?: number;
	value?: string;
	created_at?: Moment;
	reactions?: Reaction[];
	file?: StoredFile;
}

export interface CommentInput extends Omit<ActivityInput, 'value'> {
	/** The case's new updated_at, with `commentsTouchCase`. Default: created_at. */
	updated_at?: Moment;
}

const constant =
	<T>(value: T) =>
	() =>
		value;

/** How many versions of a case are kept, for services that show edits late. */
const MAX_VERSIONS = 50;

/** The cases of one tenant in memory, with the methods that change them. No I/O. */
export class CaseStore {
	readonly now: () => Date;

	/** Rises with every change; a cached query result is valid for one version. */
	version = 0;

	readonly webhooks: CaseWebhook[] = [];
	/** Records that were made, or that a case had, by ID. */
	readonly records = new Map<number, TypedRecord>();
	/** Called with what happened to a case, also where its activity log doesn't have it. */
	onActivities?: (changed: Case, activities: Activity[]) => void;

	private readonly casesById = new Map<number, Case>();
	private readonly tagsByName = new Map<string, Tag>();
	/** The last versions of each case that was changed, oldest first. */
	private readonly versionsById = new Map<number, Array<{ from: number; version: Case }>>();
	private lastCaseId = 0;
	private lastId = 0;

	constructor(private readonly options: StoreOptions = {}) {
		this.now = options.now ?? (() => new Date());
	}

	get size(): number {
		return this.casesById.size;
	}

	/** All cases in the order in which they were added. */
	cases(): IterableIterator<Case> {
		return this.casesById.values();
	}

	findCase(caseId: number): Case | undefined {
		return this.casesById.get(caseId);
	}

	/** @throws Error if there is no such case. */
	getCase(caseId: number): Case {
		const found = this.casesById.get(caseId);
		if (!found) throw new Error(`The store has no case ${caseId}`);
		return found;
	}

	/**
	 * The case as it was known at a moment: the last version that was dated before. A version that is dated ahead counts
	 * from when it was made.
	 *
	 * @param at epoch milliseconds
	 * @returns undefined if the case wasn't there yet
	 */
	versionAt(caseId: number, at: number): Case | undefined {
		const versions = this.versionsById.get(caseId);
		if (!versions) return this.casesById.get(caseId);
		return [...versions].reverse().find(({ from }) => from <= at)?.version;
	}

	/** The comments of a case, oldest first. */
	comments(caseId: number): Activity[] {
		return this.getCase(caseId)
			.activities()
			.filter(({ activity_type }) => activity_type === 'COMMENTED');
	}

	user(userId: number): User {
		const user = USERS.find(({ user_id }) => user_id === userId);
		if (!user) throw new Error(`The store has no user ${userId}`);
		return user;
	}

	/** The tag with this name, created if it is new. */
	tag(name: string): Tag {
		const found = this.tagsByName.get(name) ?? { id: 1 + this.tagsByName.size, name };
		this.tagsByName.set(name, found);
		return found;
	}

	tags(): Tag[] {
		return [...this.tagsByName.values()];
	}

	createCase(input: CaseInput = {}): Case {
		const caseId = input.case_id ?? this.lastCaseId + 1;
		if (this.casesById.has(caseId)) throw new Error(`The store already has case ${caseId}`);
		const created_at = this.timestamp(input.created_at ?? this.now());
		const author = this.user(input.author ?? USERS[0].user_id);
		const created = this.newActivity('CREATED', { user_id: author.user_id, created_at });
		const blank: Case = {
			case_id: caseId,
			name: `Case ${caseId}`,
			description: null,
			status: 'OPEN',
			priority: 'MEDIUM',
			metadata: {},
			team: TEAMS[0],
			author,
			opened_by: author,
			resolved_by: null,
			assignees: [],
			tags: [],
			linked_case_ids: [],
			closure_conditions: [],
			opened_at: created_at,
			resolved_at: null,
			created_at,
			updated_at: created_at,
			activities: constant([created]),
			records: constant([]),
			actions: constant([]),
			tasks: constant([]),
			fields: constant([]),
		};
		const changed = this.apply(blank, { updated_at: created_at, ...input });
		this.lastCaseId = Math.max(this.lastCaseId, caseId);
		if (changed.status === 'OPEN' || changed.resolved_at !== null) {
			return this.put(changed, [created]);
		}
		const { updated_at: resolved_at, resolved_by } = changed;
		return this.put({ ...changed, resolved_at, resolved_by: resolved_by ?? author }, [created]);
	}

	/** Adds a complete case, as the seed generates it. */
	insert(newCase: Case): Case {
		this.lastCaseId = Math.max(this.lastCaseId, newCase.case_id);
		this.casesById.set(newCase.case_id, newCase);
		this.version++;
		return newCase;
	}

	/** Changes what a case holds, which isn't an edit of the case: its updated_at stays. */
	editContent(caseId: number, patch: Content): Case {
		const { updated_at } = this.getCase(caseId);
		return this.updateCase(caseId, { ...patch, updated_at }, this.timestamp(this.now()));
	}

	/** Changes the given fields; updated_at becomes now unless it is given. */
	updateCase(caseId: number, patch: Omit<CaseInput, 'case_id'>, loggedAt?: string): Case {
		const before = this.getCase(caseId);
		const changed = this.apply(before, patch);
		const { logsEdits } = this.options;
		if (!logsEdits && this.webhooks.length === 0) return this.put(changed);
		const created_at = loggedAt ?? changed.updated_at;
		const log = editsBetween(before, changed).map(({ activity_type, value }) =>
			this.newActivity(activity_type, { value, user_id: patch.by, created_at }),
		);
		if (!logsEdits) return this.put(changed, log);
		return this.put({ ...changed, activities: constant([...before.activities(), ...log]) }, log);
	}

	closeCase(caseId: number, options: { resolved_at?: Moment; updated_at?: Moment } = {}): Case {
		const updated_at = options.updated_at ?? this.now();
		return this.updateCase(caseId, {
			status: 'CLOSED',
			resolved_at: options.resolved_at ?? updated_at,
			resolved_by: USERS[0].user_id,
			updated_at,
		});
	}

	reopenCase(caseId: number, options: { updated_at?: Moment } = {}): Case {
		return this.updateCase(caseId, {
			status: 'OPEN',
			resolved_at: null,
			resolved_by: null,
			...options,
		});
	}

	deleteCase(caseId: number): void {
		this.getCase(caseId);
		this.casesById.delete(caseId);
		this.versionsById.delete(caseId);
		this.version++;
	}

	addComment(caseId: number, value: string, input: CommentInput = {}): Activity {
		const at = this.options.commentsTouchCase
			? this.timestamp(input.updated_at ?? input.created_at ?? this.now())
			: undefined;
		return this.addActivity(caseId, 'COMMENTED', { ...input, value }, at);
	}

	/** Gives a comment of the case another text. */
	updateComment(caseId: number, commentId: number, value: string): void {
		const before = this.getCase(caseId);
		const edited = before
			.activities()
			.map((one) => (one.id === commentId ? { ...one, value } : one));
		this.put({ ...before, activities: constant(edited) });
	}

	/** Removes a comment or file of the case; the activity log says so. */
	deleteEntry(caseId: number, id: number, type: ActivityType, input: ActivityInput = {}): void {
		const before = this.getCase(caseId);
		const others = before.activities().filter((one) => one.id !== id);
		this.put({ ...before, activities: constant(others) });
		this.addActivity(caseId, type, input);
	}

	/** Adds an entry to the activity log that no edit of a field writes, e.g. FILE_ATTACHED. */
	addActivity(
		caseId: number,
		type: ActivityType,
		input: ActivityInput = {},
		updated_at = this.getCase(caseId).updated_at,
	): Activity {
		const before = this.getCase(caseId);
		const activity = this.newActivity(type, input);
		const activities = constant([...before.activities(), activity]);
		this.put({ ...before, activities, updated_at }, [activity]);
		return activity;
	}

	/** Replaces all actions of the case. The new ones get new ids. */
	replaceActions(
		caseId: number,
		actions: readonly ActionInput[],
		options: { updated_at?: Moment } = {},
	): readonly Action[] {
		const at = this.timestamp(options.updated_at ?? this.now());
		const replaced = this.newActions(actions, at);
		this.putActions(caseId, replaced, at);
		return replaced;
	}

	/** Adds an action behind the others. */
	addAction(caseId: number, input: ActionInput): Action {
		const before = this.getCase(caseId).actions();
		const [added] = this.newActions([input], this.timestamp(this.now()));
		this.putActions(caseId, [...before, added]);
		return added;
	}

	/** Changes the given fields of an action. @returns undefined if the case doesn't have it */
	updateAction(caseId: number, actionId: number, input: Partial<ActionInput>): Action | undefined {
		const before = this.getCase(caseId).actions();
		const found = before.find(({ id }) => id === actionId);
		if (!found) return undefined;
		const updated_at = this.timestamp(this.now());
		const updated = { ...found, ...input, ...storyIn(input.url ?? found.url), updated_at };
		const actions = before.map((one) => (one === found ? updated : one));
		this.putActions(caseId, actions, updated_at);
		return updated;
	}

	/** @returns whether the case had the action */
	deleteAction(caseId: number, actionId: number): boolean {
		const before = this.getCase(caseId).actions();
		const left = before.filter(({ id }) => id !== actionId);
		if (left.length < before.length) this.putActions(caseId, left);
		return left.length < before.length;
	}

	/** A new id for anything but a case. */
	nextId(): number {
		return ++this.lastId;
	}

	/** Reserves ids up to this one for objects that the seed generates. */
	reserveIds(upTo: number): void {
		this.lastId = Math.max(this.lastId, upTo);
	}

	/** New cases get numbers above this one. */
	reserveCaseIds(upTo: number): void {
		this.lastCaseId = Math.max(this.lastCaseId, upTo);
	}

	/** The moment in ISO 8601, truncated to the precision: such texts can be compared. */
	timestamp(moment: Moment): string {
		const iso = new Date(moment).toISOString();
		return this.options.timestampPrecision === 'milliseconds' ? iso : `${iso.slice(0, 19)}Z`;
	}

	private putActions(
		caseId: number,
		actions: readonly Action[],
		updated_at = this.timestamp(this.now()),
	): void {
		this.put({ ...this.getCase(caseId), actions: constant(actions), updated_at });
	}

	private put(changed: Case, activities: Activity[] = []): Case {
		const { case_id } = changed;
		const before = this.casesById.get(case_id);
		const versions =
			this.versionsById.get(case_id) ?? (before ? [{ from: -Infinity, version: before }] : []);
		const from = Math.min(Date.parse(changed.updated_at), this.now().getTime());
		versions.push({ from, version: changed });
		if (versions.length > MAX_VERSIONS) versions.shift();
		this.versionsById.set(case_id, versions);
		this.casesById.set(case_id, changed);
		this.version++;
		this.onActivities?.(changed, activities);
		return changed;
	}

	private newActivity(activity_type: ActivityType, input: ActivityInput): Activity {
		return {
			id: this.nextId(),
			activity_type,
			value: input.value ?? '',
			user: this.user(input.user_id ?? USERS[0].user_id),
			created_at: this.timestamp(input.created_at ?? this.now()),
			reactions: input.reactions ?? [],
			...(input.file && { file: input.file }),
		};
	}

	private newActions(actions: readonly ActionInput[], at: string): Action[] {
		return actions.map((input) => actionOf(input, this.nextId(), at));
	}

	private apply(before: Case, input: Omit<CaseInput, 'case_id'>): Case {
		const updated_at = this.timestamp(input.updated_at ?? this.now());
		const user = (id: number | null | undefined, otherwise: User | null) =>
			id === undefined ? otherwise : id === null ? null : this.user(id);
		const moment = (at: Moment | null | undefined, otherwise: string | null) =>
			at === undefined ? otherwise : at === null ? null : this.timestamp(at);
		return {
			...before,
			name: input.name ?? before.name,
			description: input.description === undefined ? before.description : input.description,
			status: input.status ?? before.status,
			sub_status: subStatus(input, before),
			fields: input.fields ? constant(input.fields) : before.fields,
			priority: input.priority ?? before.priority,
			metadata: input.metadata ?? before.metadata,
			team: input.team_id === undefined ? before.team : team(input.team_id),
			author: input.author === undefined ? before.author : this.user(input.author),
			opened_by: user(input.opened_by, before.opened_by),
			resolved_by: user(input.resolved_by, before.resolved_by),
			assignees: input.assignees
				? [...new Set(input.assignees)].map((id) => this.user(id))
				: before.assignees,
			tags: input.tags?.map((name) => this.tag(name)) ?? before.tags,
			linked_case_ids: input.linked_case_ids ?? before.linked_case_ids,
			closure_conditions: input.closure_conditions ?? before.closure_conditions,
			opened_at: moment(input.opened_at, before.opened_at),
			resolved_at: moment(input.resolved_at, before.resolved_at),
			created_at: moment(input.created_at, before.created_at) as string,
			updated_at,
			records: input.records ? constant(input.records) : before.records,
			actions: input.actions
				? constant(this.newActions(input.actions, updated_at))
				: before.actions,
			tasks: input.tasks ? constant(input.tasks) : before.tasks,
		};
	}
}

/** The action that comes of an input. */
export function actionOf(input: ActionInput, id: number, at: string): Action {
	const { url, label, action_type, action_text = null, query_params } = input;
	return {
		id,
		url,
		label,
		action_type,
		action_text,
		...storyIn(url),
		...(query_params && { query_params }),
		created_at: at,
		updated_at: at,
	};
}

function storyIn(url: string): Pick<Action, 'story_name' | 'story_emoji'> {
	const story = storyOf(url);
	return { story_name: story?.name ?? null, story_emoji: story?.emoji ?? null };
}

/** The sub-status after an edit: with another status or team it is the default again. */
function subStatus({ sub_status_id, status, team_id }: CaseInput, before: Case) {
	if (sub_status_id !== undefined) return SUB_STATUSES.find(({ id }) => id === sub_status_id);
	const moved =
		(status ?? before.status) !== before.status || (team_id ?? before.team.id) !== before.team.id;
	return moved ? undefined : before.sub_status;
}

function team(teamId: number) {
	const found = TEAMS.find(({ id }) => id === teamId);
	if (!found) throw new Error(`There is no team ${teamId}`);
	return found;
}
