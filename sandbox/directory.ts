import type { Team, User } from './types';

/** The teams and people of the made-up tenant, the same for every seed. */

export const TEAMS: readonly Team[] = [
	{ id: 1, name: 'SOC' },
	{ id: 2, name: 'IT' },
	{ id: 3, name: 'Fraud' },
	{ id: 4, name: 'Compliance' },
	{ id: 5, name: 'Cloud Platform' },
];

const PEOPLE: ReadonlyArray<readonly [first: string, last: string, teamIds: readonly number[]]> = [
	['Ana', 'Lindqvist', [1, 2]],
	['Bruno', 'Okafor', [1]],
	['Chiara', 'Novak', [1]],
	['Deniz', 'Harrow', [1, 3]],
	['Elif', 'Marchetti', [2]],
	['Farid', 'Sørensen', [2]],
	['Greta', 'Mbeki', [2, 5]],
	['Hiro', 'Castellanos', [3]],
	['Ines', 'Dubois', [3]],
	['Jonas', "O'Rourke", [3, 4]],
	['Kavya', 'Petrov', [4]],
	['Leo', 'Yamamoto', [4]],
	['Mina', 'Albrecht', [5]],
	['Nuno', 'Kaplan', [5]],
];

/** The users behind the service account keys in auth.ts. */
export const SERVICE_USER_ID = 901;
export const OWNER_USER_ID = 902;
export const TEAM_USER_ID = 903;

function serviceAccount(user_id: number, name: string): User {
	return {
		user_id,
		first_name: name,
		last_name: 'Service Account',
		email: `${name.toLowerCase()}@service.example.com`,
		avatar_url: '',
		is_service_account: true,
	};
}

export const USERS: readonly User[] = [
	...PEOPLE.map(([first_name, last_name], index) => ({
		user_id: index + 1,
		first_name,
		last_name,
		email: `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '') + '@example.com',
		avatar_url: index % 3 === 0 ? '' : `https://avatars.example.com/${index + 1}.png`,
		is_service_account: false,
	})),
	serviceAccount(SERVICE_USER_ID, 'Automation'),
	serviceAccount(OWNER_USER_ID, 'Owner'),
	serviceAccount(TEAM_USER_ID, 'Soc'),
];

/** The ids of the teams that a user belongs to. */
export function teamsOf(userId: number): readonly number[] {
	return PEOPLE[userId - 1]?.[2] ?? [];
}

/** The people of a team; they open its cases and are assigned to them. */
export function membersOf(teamId: number): readonly User[] {
	return USERS.filter((user) => teamsOf(user.user_id).includes(teamId));
}

/** The stories whose webhooks and pages actions open; an action shows its story's name and emoji. */
export const STORIES = (
	[
		['Isolate host', '🛡️', 'webhook', 'Isolate host'],
		['Reset password', '🔑', 'webhook', 'Reset password'],
		['Block sender', '✉️', 'webhook', 'Block sender'],
		['Refund customer', '💳', 'page', 'Refund'],
		['Post-mortem', '📝', 'page', 'Write post-mortem'],
		['Page on-call', '📟', 'webhook', 'Page on-call'],
	] as const
).map(([name, emoji, type, label]) => {
	const slug = name.toLowerCase().replaceAll(' ', '-');
	return { name, emoji, type, label, url: `https://stories.example.com/${type}/${slug}` };
});

/** The story with the same origin and path as an action's URL; the query string doesn't matter. */
export function storyOf(url: string): (typeof STORIES)[number] | undefined {
	const bare = url.split(/[?#]/, 1)[0];
	return STORIES.find((story) => story.url === bare);
}

/** The finer statuses of each team; without a choice a case has the default of its status. */
export const SUB_STATUSES = TEAMS.flatMap(({ id: team_id }) =>
	['New', 'In progress', 'Done', 'False positive'].map((name, at) => ({
		...{ id: team_id * 10 + at, name, slug: name.toLowerCase().replace(' ', '_'), team_id },
		...{ description: null, parent_status: at < 2 ? 'OPEN' : 'CLOSED', default: at % 2 === 0 },
	})),
);

/** The fields of teams, and what their values must be. */
export const FIELDS = (
	[
		[31, 1, 'Affected host', 'string'],
		[32, 1, 'Verdict', 'string', { options: ['benign', 'suspicious', 'malicious'] }],
		[33, 1, 'Ticket', 'string', { regex: '^[A-Z]+-\\d+$' }],
		[34, 1, 'Risk score', 'number'],
		[35, 1, 'Confirmed', 'boolean'],
		[36, 1, 'First seen', 'timestamp'],
		[37, 1, 'Informant', 'string', {}, 'sensitive'],
		[41, 2, 'Asset', 'string'],
	] as const
).map(([id, team_id, name, input_type, rule = {}, sensitive]) => ({
	...{ id, team_id, name, key: name.toLowerCase().replace(' ', '_'), input_type },
	...{ sensitive: sensitive !== undefined, validation_options: rule as FieldRule },
	validation_type: Object.keys(rule)[0] ?? 'none',
}));
interface FieldRule {
	options?: readonly string[];
	regex?: string;
}

/** What new cases of a team can begin with. */
export const TEMPLATES = [
	{
		...{ id: 8, team_id: 1, name: 'Triage', emoji: ':mag:', tags: ['triage'], field_values: {} },
		tasks: ['Find out who is affected', 'Isolate what is infected', 'Tell the people'],
	},
	{
		...{ id: 7, team_id: 2, name: 'New laptop', emoji: ':computer:', tags: ['hardware'] },
		...{ tasks: [], field_values: { 41: 'none yet' } },
	},
];
