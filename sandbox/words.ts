import type { Random } from './random';

/** What cases are about: team, name, description and tags; fillIn replaces the {placeholders}. */
export const SUBJECTS = `
1 | Phishing mail reported by {user} | {user} reported a message from billing@{domain} that asks to sign in at a look-alike page. {count} more recipients got it. | phishing, email
1 | Malware detected on {host} | The endpoint agent stopped {file} on {host} ({ip}). The file came with a download from {domain}. | malware, endpoint
1 | Impossible travel for {user} | {user} signed in from {city} and {count} minutes later from {city2}. The second address is {ip}. | identity, travel
1 | Port scan from {ip} | {ip} touched {count} ports on {host} within a minute; the firewall dropped all of it. | network
2 | Laptop of {user} does not start | {user} sees a blinking cursor after the last update. Asset {host}. Replacement requested. | hardware
2 | VPN drops on {host} | The tunnel from {city} ends after {count} minutes. {user} can reproduce it on {host}. | network, vpn
2 | Access to {app} for {user} | {user} needs {app} for the quarter-end work. The manager has approved it. | access request
3 | Card testing at {domain} | {count} payments of small amounts in ten minutes from {ip}, all declined but two. | card, velocity
3 | Chargeback over {amount} | The customer disputes {amount} paid on {domain}. Delivery was confirmed in {city}. | chargeback
3 | Account takeover suspected: {user} | Password and address of {user} changed within {count} minutes, then an order of {amount}. | identity, takeover
4 | Missing attestation for {app} | The yearly review of {app} has no owner since {user} moved to another team. | audit
4 | Data request from {city} | A customer from {city} asks which data {app} holds. Answer due in {count} days. | privacy
5 | Error rate of {app} above {count} % | {app} answers {count} % of requests with an error since the rollout. {host} is the worst. | availability
5 | Disk almost full on {host} | {host} ({ip}) has {count} GB left. Logs of {app} grow faster than they are rotated. | capacity
`
	.trim()
	.split('\n')
	.map((line) => line.split(' | '))
	.map(([team, name, description, tags]) => ({
		...{ team_id: Number(team), name, description, tags: tags.split(', ') },
	}));

/** Tags for cases of any team, with characters that are special in a query string. */
export const AWKWARD_TAGS = [
	'needs review',
	'vip, finance',
	'r&d',
	'"quoted"',
	'50% done',
	'c++',
	'a=b',
	'tier/1',
	'#1 priority',
	'[external]',
] as const;

/** Given to few cases, because a text with emoji takes twice the memory. */
export const EMOJI_TAG = '🔥 on fire';

export const COMMENTS = [
	'Looked at {host}, nothing unusual in the last {count} hours.',
	'{user} confirmed it by phone.',
	'Waiting for an answer from the owner of {app}.',
	'Blocked {domain} at the proxy & told the team.\nWill check again tomorrow.',
	'Same pattern as last week: {ip} to {host}.',
	'Handed over to the next shift.',
	'Not reproducible. Asked {user} for a screenshot "with the full address bar".',
] as const;

export const TASKS = [
	'Tell the people who are affected',
	'Find out when it began',
	'Contain it',
	'Write down what was learned',
];

export const CLOSURE_CONDITIONS = [
	{ formula: '=COUNT(actions) > 0', name: 'At least one action is there' },
	{ formula: '=NOT(ISBLANK(assignees))', name: 'Somebody is assigned' },
	{ formula: '=metadata.root_cause <> ""', name: 'The root cause is filled in' },
] as const;

export interface RecordType {
	id: number;
	name: string;
	team_id: number;
	fields: Readonly<Record<string, string>>;
	others: Readonly<Record<string, string>>;
}

/** The types of records, with the fields that generated records fill, and fields of other kinds. */
export const RECORD_TYPES: readonly RecordType[] = [
	{
		...{ id: 11, name: 'Alert', team_id: 1 },
		fields: { rule: 'rule-{count}', source: '{domain}', score: '{count}' },
		others: { 'first seen': 'TIMESTAMP', verdict: 'TEXT_ENUM:benign,malicious', muted: 'BOOLEAN' },
	},
	{
		...{ id: 12, name: 'Host', team_id: 1, others: { cores: 'NUMBER' } },
		fields: { hostname: '{host}', address: '{ip}' },
	},
	{
		...{ id: 13, name: 'Account', team_id: 2, others: {} },
		fields: { login: '{user}', application: '{app}' },
	},
	{
		...{ id: 14, name: 'Transaction', team_id: 3, others: { 'booked at': 'TIMESTAMP' } },
		fields: { amount: '{amount}', merchant: '{domain}' },
	},
];

const LOGINS = ['m.keller', 'j.osei', 'p.laurent', 's.ivanova', 't.nakamura', 'a.fernandez'];
const HOSTS = ['fin-lt', 'dev-ws', 'web', 'db', 'build', 'pos'];
const DOMAINS = ['shop.example.com', 'mail.example.net', 'portal.example.org', 'pay.example.net'];
const APPS = ['Ledger', 'Payroll', 'Checkout', 'Data Lake', 'Wiki', 'CRM'];
const CITIES = ['Lisbon', 'Osaka', 'Nairobi', 'Montréal', 'Málaga', 'Austin'];
const FILES = ['invoice_2211.scr', 'update.exe', 'macro.docm'];

const FILLERS: Readonly<Record<string, (random: Random) => string>> = {
	user: (random) => random.pick(LOGINS),
	host: (random) => `${random.pick(HOSTS)}-${random.int(1, 400)}`,
	// Address blocks that are reserved for documentation.
	ip: (random) => `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.int(1, 254)}`,
	domain: (random) => random.pick(DOMAINS),
	app: (random) => random.pick(APPS),
	city: (random) => random.pick(CITIES),
	city2: (random) => random.pick(CITIES),
	file: (random) => random.pick(FILES),
	count: (random) => String(random.int(2, 90)),
	amount: (random) => `EUR ${random.int(5, 4000)}.${random.int(10, 99)}`,
};

/** The template with each {placeholder} replaced by a random text. */
export function fillIn(random: Random, template: string): string {
	return template.replace(/\{(\w+)\}/g, (_match, name: string) => FILLERS[name](random));
}
