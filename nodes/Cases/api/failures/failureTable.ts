/** What can go wrong on the way to the service and back, in words and in what follows from it. */

/** A failure in words: what happened, and how to solve it. */
export interface Remedy extends Marks {
	/** `HOST` stands for the service's host and port. */
	message: string;
	remedy: string;
}

interface Marks {
	/** Whether a retry may succeed. */
	retryable?: boolean;
	/** Whether nothing of the request was sent, so that a write was not carried out. */
	isUnsent?: boolean;
	/** Whether every other request of the run would fail alike. */
	isOfRun?: boolean;
}

const ADMIN = "Try again later. If it keeps happening, contact the service's administrator.";
const NETWORK =
	'Try again. If it keeps happening, check the network and any proxy between n8n and the service.';
const IGNORE = "'Ignore SSL Issues' in the credential.";
const BASE_URL = "Check 'Base URL' in the credential";
const UNREACHABLE = [
	'Could not connect to HOST',
	"Check 'Base URL' and its port in the credential, and that the service is running.",
] as const;
const NO_HOST = [
	'Host HOST not found',
	`${BASE_URL} for typos, and that n8n's machine is online.`,
] as const;
const FOR_ALL: Marks = { isUnsent: true, isOfRun: true };

/** Of an answer with a status of success and without usable data. */
export const NOT_THE_TENANT =
	"Check that 'Base URL' in the credential is the address of your tenant, not of a login page or another service.";

/** Of a request that the API document doesn't have. */
export const NO_SUCH_REQUEST =
	"If these are right, the service may have no such request. Older versions of the service can't create, change or comment on cases, and have no single actions: Replace All sets all actions of a case.";

/** Of a list that is incomplete, or has no end. */
export const ACCEPT_INCOMPLETE =
	"To use what it returned, turn on 'Accept Incomplete Lists' under 'Options'.";
export const READ_LESS = 'Set a Limit, or use more filters.';

/** Of an answer that is too large. */
export const SMALLER_PAGES =
	"If 'Options' has 'Page Size', lower it. If it is low already, check 'Base URL' in the credential.";

/** What to try where a filter has no effect. @param filter by the API's name */
export function adviceOn(filter: string): string {
	if (filter === 'excluded_tags') {
		return "Newer versions of the service call it exclude_tags: remove 'Tags (None)' and add exclude_tags[] under 'Other Filters'.";
	}
	const format = "another 'List Format in Requests' in the credential";
	// The IDs of Get and the like can't be removed.
	return filter === 'case_ids' ? `Try ${format}.` : `Remove the filter, or try ${format}.`;
}

/** By the status of an answer, or by Node's code of a network error. The first row that fits holds. */
const ROWS: Array<[of: RegExp, message: string, remedy: string, marks?: Marks]> = [
	[
		/^3\d\d$/,
		'The service redirects to another address',
		`${BASE_URL}: if that address is your tenant, enter it there. Redirects are not followed, so that the API key isn't sent elsewhere.`,
	],
	[
		/^401$/,
		'The service refused the API key',
		"Open the Cases API credential and check that the key is complete and current. If it is, change 'Authentication' to the other entry.",
		{ isOfRun: true },
	],
	[
		/^403$/,
		'The API key is not allowed to do this',
		'Use a key that has the permission, or ask a tenant owner for it.',
	],
	[
		/^404$/,
		'Not found, or the API key has no access to it',
		"The service gives the same answer for both. Check the ID of the case or team, 'Base URL' in the credential, and what the key can see: a team key sees only its team's cases.",
	],
	[/^405$/, 'The service has no such request', `${BASE_URL}.`],
	[
		/^407$/,
		'The proxy between n8n and the service wants a login',
		"Ask whoever runs n8n to add user name and password to its proxy settings: 'HTTP_PROXY' and 'HTTPS_PROXY'.",
		{ isOfRun: true },
	],
	[
		/^(413|414|431)$/,
		'The request is too long for the service',
		'Shorten the values or the filters, or split them over several input items.',
	],
	[
		/^429$/,
		'Rate limit reached',
		"Run the workflow less often. If 'Options' has 'Concurrency', lower it.",
		{ retryable: true },
	],
	[/^(408|425|5\d\d)$/, 'The service failed to answer', ADMIN, { retryable: true }],
	[/^\d/, 'The service rejected the values', "Check the values in this node's fields."],
	[/^ECONNREFUSED$/, ...UNREACHABLE, { ...FOR_ALL, retryable: true }],
	[/^(EHOSTUNREACH|ENETUNREACH)$/, ...UNREACHABLE, { isOfRun: true, retryable: true }],
	[/^ENOTFOUND$/, ...NO_HOST, FOR_ALL],
	[/^EAI_AGAIN$/, ...NO_HOST, { ...FOR_ALL, retryable: true }],
	[
		/^(ECONNABORTED|ETIMEDOUT|ERR_TLS_HANDSHAKE_TIMEOUT)$/,
		'HOST did not answer in time',
		"Try again. If 'Options' has 'Timeout (Ms)', raise it; if it has 'Page Size', lower that. If the service never answers, check 'Base URL' in the credential.",
		{ retryable: true },
	],
	[
		/^CERT_HAS_EXPIRED$/,
		'The certificate of HOST has expired',
		`Ask the service's administrator to renew it. If you accept the risk until then, turn on ${IGNORE}`,
		FOR_ALL,
	],
	[
		/^ERR_TLS_CERT_ALTNAME_INVALID$/,
		'The certificate of HOST is for another host',
		`${BASE_URL}: it must have the host name that the certificate is for.`,
		FOR_ALL,
	],
	[
		/^HPE_|ERR_SSL|EPROTO/,
		'No secure connection to HOST',
		"Check 'Base URL' and its port in the credential: http and https may be mixed up. Otherwise the service wants a version of TLS or a client certificate that n8n doesn't have.",
		FOR_ALL,
	],
	[
		/CERT|CRL|SELF_SIGNED|UNABLE_TO_VERIFY|^INVALID_/,
		"The certificate of HOST can't be verified",
		`Start n8n with NODE_EXTRA_CA_CERTS, so that it trusts the issuer. If you accept the risk instead, turn on ${IGNORE}`,
		FOR_ALL,
	],
];

/**
 * What a status or a code means to the user.
 * @param what a status, or Node's code such as `ECONNRESET`; an unknown code is a lost connection
 */
export function remedyOf(what: number | string): Remedy {
	const row = ROWS.find(([of]) => of.test(String(what)));
	if (row === undefined) {
		return { message: 'Connection to HOST lost', remedy: NETWORK, retryable: true };
	}
	const [, message, remedy, marks] = row;
	return { message, remedy, ...marks };
}
