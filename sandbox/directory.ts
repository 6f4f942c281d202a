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
export const STORIES = [
	{
		slug: 'isolate-host',
		name: 'Isolate host',
		emoji: '🛡️',
		label: 'Isolate host',
		type: 'webhook',
	},
	{
		slug: 'reset-password',
		name: 'Reset password',
		emoji: '🔑',
		label: 'Reset password',
		type: 'webhook',
	},
	{
		slug: 'block-sender',
		name: 'Block sender',
		emoji: '✉️',
		label: 'Block sender',
		type: 'webhook',
	},
	{ slug: 'refund-customer', name: 'Refund customer', emoji: '💳', label: 'Refund', type: 'page' },
	{
		slug: 'post-mortem',
		name: 'Post-mortem',
		emoji: '📝',
		label: 'Write post-mortem',
		type: 'page',
	},
	{
		slug: 'page-on-call',
		name: 'Page on-call',
		emoji: '📟',
		label: 'Page on-call',
		type: 'webhook',
	},
] as const;

const STORY_ORIGIN = 'https://stories.example.com';

/** The URL of a story's webhook or page. */
export function storyUrl(story: (typeof STORIES)[number]): string {
	return `${STORY_ORIGIN}/${story.type}/${story.slug}`;
}

/** The story with the same origin and path as an action's URL; the query string doesn't matter. */
export function storyOf(url: string): (typeof STORIES)[number] | undefined {
	const bare = url.split(/[?#]/, 1)[0];
	return STORIES.find((story) => storyUrl(story) === bare);
}
