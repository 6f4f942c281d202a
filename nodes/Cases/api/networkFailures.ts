import { ApiFailure, shorten } from './failure';
import { describeRequest, isWrite, type ApiRequest } from './requests';

/** What a network error means to the user. */
interface Remedy {
	message: string;
	remedy: string;
	retryable: boolean;
	/** Whether the error comes before anything of the request is sent. */
	isUnsent?: boolean;
}

type RemedyFor = (host: string) => Remedy;

const UNREACHABLE: RemedyFor = (host) => ({
	message: `Could not connect to ${host}`,
	remedy: "Check 'Base URL' and its port in the credential, and that the service is running.",
	retryable: true,
});

const TOO_SLOW: RemedyFor = (host) => ({
	message: `${host} did not answer in time`,
	remedy:
		"Raise 'Timeout (Ms)' under 'Options', or lower 'Page Size' there. If it never answers, check 'Base URL' in the credential.",
	retryable: true,
});

const LOST: RemedyFor = (host) => ({
	message: `Connection to ${host} lost`,
	remedy:
		'Try again. If it keeps happening, check the network and any proxy between n8n and the service.',
	retryable: true,
});

/** An error while the connection is made secure; another try ends the same way. */
const insecure =
	(message: string, remedy: string): RemedyFor =>
	(host) => ({ message: message.replace('HOST', host), remedy, retryable: false, isUnsent: true });

const UNVERIFIED = insecure(
	"The certificate of HOST can't be verified",
	"Start n8n with NODE_EXTRA_CA_CERTS, so that it trusts the issuer. If you accept the risk instead, turn on 'Ignore SSL Issues' in the credential.",
);

const NO_TLS = insecure(
	'No secure connection to HOST',
	"Check 'Base URL' and its port in the credential: this port may not use https, or a version of it that n8n doesn't accept.",
);

const CLIENT_CERTIFICATE = insecure(
	'HOST wants a client certificate',
	"The node can't send one. Check 'Base URL' in the credential, or ask the service's administrator for an address that needs only an API key.",
);

const NOT_UNPACKED: RemedyFor = (host) => ({
	message: `The answer of ${host} can't be unpacked`,
	remedy:
		'Try again. If it keeps happening, check any proxy between n8n and the service: it may have broken the compression.',
	retryable: true,
});

/** By Node's code of the network error. */
const REMEDIES: Record<string, RemedyFor> = {
	ECONNREFUSED: (host) => ({ ...UNREACHABLE(host), isUnsent: true }),
	EHOSTUNREACH: UNREACHABLE,
	ENETUNREACH: UNREACHABLE,
	ENOTFOUND: (host) => ({
		message: `Host ${host} not found`,
		remedy: "Check 'Base URL' in the credential for typos.",
		retryable: false,
		isUnsent: true,
	}),
	EAI_AGAIN: (host) => ({
		message: `Host ${host} not found`,
		remedy:
			"Check 'Base URL' in the credential for typos, and that n8n's machine can look up host names.",
		retryable: true,
		isUnsent: true,
	}),
	ECONNABORTED: TOO_SLOW,
	ETIMEDOUT: TOO_SLOW,
	ERR_TLS_HANDSHAKE_TIMEOUT: (host) => ({ ...TOO_SLOW(host), isUnsent: true }),
	HPE_INVALID_CONSTANT: (host) => ({
		message: `The answer of ${host} is not HTTP`,
		remedy: "Check 'Base URL' and its port in the credential: this port may use https.",
		retryable: false,
	}),
	CERT_HAS_EXPIRED: insecure(
		'The certificate of HOST has expired',
		"Ask the service's administrator to renew it. If you accept the risk until then, turn on 'Ignore SSL Issues' in the credential.",
	),
	CERT_NOT_YET_VALID: insecure(
		'The certificate of HOST is not valid yet',
		"Check the clock of n8n's machine.",
	),
	CERT_REVOKED: insecure(
		'The certificate of HOST was revoked',
		"Ask the service's administrator for a new one.",
	),
	ERR_TLS_CERT_ALTNAME_INVALID: insecure(
		'The certificate of HOST is for another host',
		"Check 'Base URL' in the credential: it must have the host name that the certificate is for.",
	),
};

/** Codes with many variants, such as those of the libraries that unpack an answer. A TLS alert is sent by the service, so it is never about the service's own certificate. */
const PATTERNS: Array<[RegExp, RemedyFor]> = [
	[/ALERT.*(CERTIFICATE|UNKNOWN_CA)/, CLIENT_CERTIFICATE],
	[/ERR_SSL|EPROTO/, NO_TLS],
	[/^Z_|_ERROR_FORMAT_|BROTLI/, NOT_UNPACKED],
	[/CERT|CRL|SELF_SIGNED|UNABLE_TO_VERIFY|^INVALID_|PATH_LENGTH_EXCEEDED/, UNVERIFIED],
];

function remedyOf(code: string, host: string): Remedy {
	const byPattern = PATTERNS.find(([pattern]) => pattern.test(code))?.[1];
	return (REMEDIES[code] ?? byPattern ?? LOST)(host);
}

/**
 * The failure that a request without a complete answer means to the user.
 * @param code Node's code of the network error, such as `ECONNRESET`; empty when there is none
 * @param host the service's host and port
 * @param status of an answer that began and didn't end
 */
export function failureOfNetwork(
	request: ApiRequest,
	code: string,
	host: string,
	status?: number,
): ApiFailure {
	const { message, remedy, retryable, isUnsent } = remedyOf(code, host);
	return new ApiFailure(message, {
		description: `${remedy} Request: ${describeRequest(request)}${code === '' ? '' : ` (${code})`}.`,
		retryable,
		...(isWrite(request) && isUnsent !== true ? { mayHaveBeenDone: true, httpCode: status } : {}),
	});
}

/** The failure of a request that n8n refused to send, in n8n's own words. */
export function failureOfN8n(request: ApiRequest, message: string, advice: string): ApiFailure {
	return new ApiFailure(`n8n did not send the request: ${shorten(message, 300)}`, {
		description: `${shorten(advice, 500)} Request: ${describeRequest(request)}.`,
		retryable: false,
	});
}
