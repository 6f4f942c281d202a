import type { Random } from './random';

/** What cases are about, by team id; fillIn replaces the {placeholders}. */
export const SUBJECTS: Readonly<
	Record<number, ReadonlyArray<{ name: string; description: string; tags: readonly string[] }>>
> = {
	1: [
		{
			name: 'Phishing mail reported by {user}',
			description:
				'{user} reported a message from billing@{domain} that asks to sign in at a look-alike page. {count} more recipients got it.',
			tags: ['phishing', 'email'],
		},
		{
			name: 'Malware detected on {host}',
			description:
				'The endpoint agent stopped {file} on {host} ({ip}). The file came with a download from {domain}.',
			tags: ['malware', 'endpoint'],
		},
		{
			name: 'Impossible travel for {user}',
			description:
				'{user} signed in from {city} and {count} minutes later from {city2}. The second address is {ip}.',
			tags: ['identity', 'travel'],
		},
		{
			name: 'Port scan from {ip}',
			description:
				'{ip} touched {count} ports on {host} within a minute; the firewall dropped all of it.',
			tags: ['network'],
		},
	],
	2: [
		{
			name: 'Laptop of {user} does not start',
			description:
				'{user} sees a blinking cursor after the last update. Asset {host}. Replacement requested.',
			tags: ['hardware'],
		},
		{
			name: 'VPN drops on {host}',
			description:
				'The tunnel from {city} ends after {count} minutes. {user} can reproduce it on {host}.',
			tags: ['network', 'vpn'],
		},
		{
			name: 'Access to {app} for {user}',
			description: '{user} needs {app} for the quarter-end work. The manager has approved it.',
			tags: ['access request'],
		},
	],
	3: [
		{
			name: 'Card testing at {domain}',
			description:
				'{count} payments of small amounts in ten minutes from {ip}, all declined but two.',
			tags: ['card', 'velocity'],
		},
		{
			name: 'Chargeback over {amount}',
			description:
				'The customer disputes {amount} paid on {domain}. Delivery was confirmed in {city}.',
			tags: ['chargeback'],
		},
		{
			name: 'Account takeover suspected: {user}',
			description:
				'Password and address of {user} changed within {count} minutes, then an order of {amount}.',
			tags: ['identity', 'takeover'],
		},
	],
	4: [
		{
			name: 'Missing attestation for {app}',
			description: 'The yearly review of {app} has no owner since {user} moved to another team.',
			tags: ['audit'],
		},
		{
			name: 'Data request from {city}',
			description:
				'A customer from {city} asks which data {app} holds. Answer due in {count} days.',
			tags: ['privacy'],
		},
	],
	5: [
		{
			name: 'Error rate of {app} above {count} %',
			description:
				'{app} answers {count} % of requests with an error since the rollout. {host} is the worst.',
			tags: ['availability'],
		},
		{
			name: 'Disk almost full on {host}',
			description:
				'{host} ({ip}) has {count} GB left. Logs of {app} grow faster than they are rotated.',
			tags: ['capacity'],
		},
	],
};

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

export const CLOSURE_CONDITIONS = [
	{ formula: '=COUNT(actions) > 0', name: 'At least one action is there' },
	{ formula: '=NOT(ISBLANK(assignees))', name: 'Somebody is assigned' },
	{ formula: '=metadata.root_cause <> ""', name: 'The root cause is filled in' },
] as const;

export const RECORD_TYPES = [
	{ id: 11, name: 'Alert', fields: ['rule', 'source', 'score'] },
	{ id: 12, name: 'Host', fields: ['hostname', 'address'] },
	{ id: 13, name: 'Account', fields: ['login', 'application'] },
	{ id: 14, name: 'Transaction', fields: ['amount', 'merchant'] },
] as const;

const RECORD_VALUES: Readonly<Record<string, string>> = {
	rule: 'rule-{count}',
	source: '{domain}',
	score: '{count}',
	hostname: '{host}',
	address: '{ip}',
	login: '{user}',
	application: '{app}',
	amount: '{amount}',
	merchant: '{domain}',
};

/** A random value for a record field. */
export function recordValue(random: Random, field: string): string {
	return fillIn(random, RECORD_VALUES[field]);
}

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
