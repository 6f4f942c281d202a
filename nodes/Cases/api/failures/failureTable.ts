// Law of this folder: what a failure means to the user stands in this file. In api/, only its texts name fields of forms
// and settings of n8n.

import type { FailureDetails } from './failure';

/** A failure in words: what happened, and how to solve it. */
export interface Remedy extends Partial<Pick<FailureDetails, 'retryable' | 'isOfRun'>> {
	/** `HOST` stands for the service's host and port. */
	message: string;
	remedy: string;
	/** Whether a write with this failure was surely not carried out. */
	isUnsent?: boolean;
}

const UNREACHABLE = [
	'Could not connect to HOST',
	"Check 'Base URL' and its port in the credential, and that the service is running.",
] as const;
const FOR_ALL = { isUnsent: true, isOfRun: true };

/** The remedy for an answer with a status of success but without usable data. */
export const NOT_THE_TENANT =
	"Check that 'Base URL' in the credential is the address of your tenant, not of a login page or another service.";

/** A further remedy for a request that isn't in the API document. */
export const noSuchRequest = (path: string) =>
	path.includes('/actions')
		? 'If these are right, the service may have no single actions: Replace All sets all actions of a case.'
		: 'If these are right, the service may not support this request: older versions lack it.';

/** The remedies for a list that is incomplete, and for a list without end. */
export const ACCEPT_INCOMPLETE =
	"To use what it returned, turn on 'Accept Incomplete Lists' under 'Options'.";
export const READ_LESS = 'Set a Limit, or use more filters.';

/** The failure of an answer that is not complete JSON. */
export const UNREADABLE: Remedy = {
	message: "The service's answer is empty, incomplete or nested too deeply",
	remedy:
		"Try again. If it keeps happening, check 'Base URL' in the credential and any proxy between n8n and the service.",
	retryable: true,
};

/** Messages and remedies for a credential that can't be used. */
export const BAD_CREDENTIAL = {
	noUrl: [
		'The Cases API credential has no Base URL',
		'Enter the URL of your tenant in the credential, for example https://acme.example.com.',
	],
	badUrl: [
		'The Base URL is not the URL of a tenant',
		'Enter the URL of your tenant in the credential, with https:// or http:// before it and without user name and password, for example https://acme.example.com or http://localhost:5690.',
	],
	unencrypted: [
		'The Base URL would send the API key unencrypted to HOST',
		"In the credential, start 'Base URL' with https://. If the service has no https, turn on 'Allow Unencrypted HTTP'; others on the network can then read the key.",
	],
	noKey: ['The Cases API credential has no API key', 'Paste the API key into the credential.'],
	bearer: [
		"The API key begins with 'Bearer'",
		"Paste the API key into the credential without this word: 'Authentication' adds it.",
	],
	badKey: [
		'The API key contains a space, a line break or another invalid character',
		'Paste the key into the credential again, without any other text.',
	],
	ofItems: [
		'The credential has an expression that may give another tenant or key for each item',
		"All items of a run use one credential. Let the expression read a first item, for example {{ $('Webhook').first().json.tenant }}, or put a Loop Over Items node with a batch size of 1 before this node.",
	],
} as const;

/** The remedy for a value with a comma in it, where the list format puts commas between values. */
export const OTHER_FORMAT =
	"In the credential, choose another 'List Format in Requests' that the service accepts.";

/** The remedy for a team that can't have another webhook. */
export const FULL_TEAM =
	'A team can have five webhooks. Use one trigger for the team, with a Switch node after it.';

/** The largest size of an unpacked answer. A page of 500 cases with 128 KB each still fits. */
export const MAX_ANSWER_MB = 64;

export const TOO_LARGE: Remedy = {
	message: `The service's answer has more than ${MAX_ANSWER_MB} MB`,
	remedy:
		"If 'Options' has 'Page Size', lower it. If it is low already, check 'Base URL' in the credential.",
};

/** What to try where a filter has no effect. @param filter its name in the API */
export function adviceOn(filter: string): string {
	if (filter === 'excluded_tags') {
		return "Newer versions of the service call it exclude_tags: remove 'Tags (None)' and add exclude_tags[] under 'Other Filters'.";
	}
	const format = "another 'List Format in Requests' in the credential";
	// Operations such as Get send this filter themselves, so the user can't remove it.
	return filter === 'case_ids' ? `Try ${format}.` : `Remove the filter, or try ${format}.`;
}

export const LOWER_PAGE_SIZE = "Lower 'Page Size' under 'Options'.";
export const CHECK_VALUES = "Check the values in this node's fields.";

/** Failures by the status of an answer or by Node's code of a network error. The first row that matches is used. */
const ROWS: Array<[of: RegExp, message: string, remedy: string, marks?: Partial<Remedy>]> = [
	[
		/^3/,
		'The service redirects to another address',
		"Open 'Base URL' of the credential in a browser. If you end up at your tenant, enter that address there. Redirects are not followed, so that the API key isn't sent elsewhere.",
	],
	[
		/401/,
		'The service refused the API key',
		"Open the Cases API credential and check that the key is complete and current. If it is, change 'Authentication' to the other entry.",
		{ isOfRun: true },
	],
	[
		/403/,
		'The API key is not allowed to do this',
		'Use a key that has the permission, or ask a tenant owner for it.',
	],
	[
		/404/,
		'Not found, or the API key has no access to it',
		"Check the ID of the case or team, 'Base URL' in the credential, and what the key can see: a team key sees only its team's cases.",
	],
	[/405/, "The service doesn't support this request", "Check 'Base URL' in the credential."],
	[
		/407/,
		'The proxy between n8n and the service wants a login',
		"Ask whoever runs n8n to add user name and password to its proxy settings: 'HTTP_PROXY' and 'HTTPS_PROXY'.",
		{ isOfRun: true },
	],
	[
		/413/,
		'The service, or a proxy before it, does not take so much at once',
		'Send less: a smaller file, shorter texts or fewer entries.',
	],
	[
		/429/,
		'Rate limit reached',
		"Wait, then try again. If it happens often, run the workflow less often. If 'Options' has 'Concurrency', lower it.",
		{ retryable: true },
	],
	[
		/408|425|^5/,
		'The service had an error',
		"Try again later. If it keeps happening, contact the service's administrator.",
		{ retryable: true },
	],
	[/^\d/, 'The service rejected the values', CHECK_VALUES],
	[/ECONNREFUSED/, ...UNREACHABLE, { ...FOR_ALL, retryable: true }],
	[/EHOSTUNREACH|ENETUNREACH/, ...UNREACHABLE, { isOfRun: true, retryable: true }],
	[
		/ENOTFOUND|EAI_AGAIN/,
		'Host HOST not found',
		"Check 'Base URL' in the credential for typos, and that n8n's machine is online.",
		{ ...FOR_ALL, retryable: true },
	],
	[
		/ECONNABORTED|ETIMEDOUT|ERR_TLS_HANDSHAKE_TIMEOUT/,
		'HOST did not answer in time',
		"Try again. If 'Options' has 'Timeout (Ms)', raise it; if it has 'Page Size', lower that. If the service never answers, check 'Base URL' in the credential.",
		{ retryable: true },
	],
	[
		/HPE_|ERR_SSL|EPROTO/,
		'No secure connection to HOST',
		"Check 'Base URL' and its port in the credential: http and https may be mixed up. Otherwise the service wants a version of TLS or a client certificate that n8n doesn't have.",
		// A proxy may break off a connection at any time, also after the request has gone out.
		{ isOfRun: true, retryable: true },
	],
	[
		/CERT|UNABLE_TO_VERIFY/,
		"The certificate of HOST can't be verified",
		"If it has expired, ask the service's administrator to renew it. If it is for another host, correct 'Base URL' in the credential. Otherwise start n8n with NODE_EXTRA_CA_CERTS, so that it trusts the issuer. If you accept the risk instead, turn on 'Ignore SSL Issues' in the credential.",
		FOR_ALL,
	],
	[
		/^/,
		'Connection to HOST lost',
		'Try again. If it keeps happening, check the network and any proxy between n8n and the service.',
		{ retryable: true },
	],
];

/** What a status, or Node's code of a network error such as `ECONNRESET`, means to the user. */
export function remedyOf(what: number | string): Remedy {
	const [[, message, remedy, marks]] = ROWS.filter(([of]) => of.test(String(what)));
	return { message, remedy, ...marks };
}
