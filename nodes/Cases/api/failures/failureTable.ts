/** What can go wrong on the way to the service and back, by the status of its answer or Node's code of a network error. */

/** A failure in words: what happened, and how to solve it. */
export interface Remedy {
	/** `HOST` stands for the service's host and port. */
	message: string;
	remedy: string;
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
const UNSENT = { isUnsent: true, isOfRun: true };

const UNREACHABLE: Remedy = {
	message: 'Could not connect to HOST',
	remedy: "Check 'Base URL' and its port in the credential, and that the service is running.",
	retryable: true,
	isOfRun: true,
};
const NOT_FOUND: Remedy = {
	message: 'Host HOST not found',
	remedy: "Check 'Base URL' in the credential for typos, and that n8n's machine is online.",
	...UNSENT,
};
const TOO_SLOW: Remedy = {
	message: 'HOST did not answer in time',
	remedy:
		"Raise 'Timeout (Ms)' under 'Options', or lower 'Page Size' there. If it never answers, check 'Base URL' in the credential.",
	retryable: true,
};
const TOO_LONG: Remedy = {
	message: 'The filters are too long for the service',
	remedy: 'Shorten them, or split them over several input items.',
};
const FAILED: Remedy = { message: 'The service failed to answer', remedy: ADMIN, retryable: true };
const REJECTED: Remedy = {
	message: 'The service rejected the request',
	remedy: "Check the values in this node's fields.",
};
const LOST: Remedy = { message: 'Connection to HOST lost', remedy: NETWORK, retryable: true };

const ROWS: Array<[what: number | string | RegExp, remedy: Remedy]> = [
	[
		401,
		{
			message: 'The service refused the API key',
			remedy:
				"Open the Cases API credential and check that the key is complete and current. If it is, change 'Authentication' to the other entry.",
			isOfRun: true,
		},
	],
	[
		403,
		{
			message: 'The API key is not allowed to do this',
			remedy: 'Use a key that has the permission, or ask a tenant owner for it.',
		},
	],
	[
		405,
		{
			message: 'The service has no such request',
			remedy:
				"Older versions of the service can't create, change or comment on cases, and have no single actions. Check 'Base URL' in the credential too.",
		},
	],
	[
		407,
		{
			message: 'The proxy between n8n and the service wants a login',
			remedy:
				"Ask whoever runs n8n to add user name and password to its proxy settings: 'HTTP_PROXY' and 'HTTPS_PROXY'.",
			isOfRun: true,
		},
	],
	[
		408,
		{
			message: 'The request did not reach the service in time',
			remedy: NETWORK,
			retryable: true,
		},
	],
	[
		413,
		{
			message: 'The request is too large for the service',
			remedy: 'Send fewer or shorter values.',
		},
	],
	[414, TOO_LONG],
	[422, { ...REJECTED, message: 'The service rejected the values' }],
	[425, { message: 'The service was not ready for the request', remedy: ADMIN, retryable: true }],
	[
		429,
		{
			message: 'Rate limit reached',
			remedy: "Run the workflow less often, or lower 'Concurrency' under 'Options'.",
			retryable: true,
		},
	],
	[431, TOO_LONG],
	['ECONNREFUSED', { ...UNREACHABLE, isUnsent: true }],
	['EHOSTUNREACH', UNREACHABLE],
	['ENETUNREACH', UNREACHABLE],
	['ENOTFOUND', NOT_FOUND],
	['EAI_AGAIN', { ...NOT_FOUND, retryable: true }],
	['ECONNABORTED', TOO_SLOW],
	['ETIMEDOUT', TOO_SLOW],
	['ERR_TLS_HANDSHAKE_TIMEOUT', { ...TOO_SLOW, isUnsent: true }],
	[
		'CERT_HAS_EXPIRED',
		{
			message: 'The certificate of HOST has expired',
			remedy: `Ask the service's administrator to renew it. If you accept the risk until then, turn on ${IGNORE}`,
			...UNSENT,
		},
	],
	[
		'ERR_TLS_CERT_ALTNAME_INVALID',
		{
			message: 'The certificate of HOST is for another host',
			remedy:
				"Check 'Base URL' in the credential: it must have the host name that the certificate is for.",
			...UNSENT,
		},
	],
	[
		/^HPE_|ERR_SSL|EPROTO/,
		{
			message: 'No secure connection to HOST',
			remedy:
				"Check 'Base URL' and its port in the credential: http and https may be mixed up. Otherwise the service wants a version of TLS or a client certificate that n8n doesn't have.",
			...UNSENT,
		},
	],
	[
		/CERT|CRL|SELF_SIGNED|UNABLE_TO_VERIFY|^INVALID_/,
		{
			message: "The certificate of HOST can't be verified",
			remedy: `Start n8n with NODE_EXTRA_CA_CERTS, so that it trusts the issuer. If you accept the risk instead, turn on ${IGNORE}`,
			...UNSENT,
		},
	],
];

/**
 * What a status or a code means to the user.
 * @param what a status, or Node's code such as `ECONNRESET`; an unknown code is a lost connection
 */
export function remedyOf(what: number | string): Remedy {
	const isMeant = ([key]: (typeof ROWS)[number]) =>
		key instanceof RegExp ? key.test(String(what)) : key === what;
	const row = ROWS.find(isMeant)?.[1];
	if (row !== undefined || typeof what === 'string') return row ?? LOST;
	return what >= 500 ? FAILED : REJECTED;
}
