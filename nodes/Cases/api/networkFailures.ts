import { ApiFailure } from './failure';
import { describeRequest, type ApiRequest } from './requests';

type Remedy = [message: string, remedy: string, retryable: boolean];

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

/** The other side doesn't speak TLS, or no version of it that n8n accepts. */
const NO_TLS = /ERR_SSL|EPROTO/;

function networkRemedy(code: string, host: string): Remedy {
	switch (code) {
		case 'ECONNREFUSED':
		case 'EHOSTUNREACH':
		case 'ENETUNREACH':
			return [
				`Could not connect to ${host}`,
				"Check 'Base URL' and its port in the credential, and that the service is running.",
				true,
			];
		case 'ENOTFOUND':
			return [`Host ${host} not found`, "Check 'Base URL' in the credential for typos.", false];
		case 'EAI_AGAIN':
			return [
				`Host ${host} not found`,
				"Check 'Base URL' in the credential for typos, and that n8n's machine can look up host names.",
				true,
			];
		case 'CERT_HAS_EXPIRED':
			return [
				`The certificate of ${host} has expired`,
				"Ask the service's administrator to renew it. If you accept the risk until then, turn on 'Ignore SSL Issues' in the credential.",
				false,
			];
		case 'ERR_TLS_CERT_ALTNAME_INVALID':
			return [
				`The certificate of ${host} is for another host`,
				"Check 'Base URL' in the credential: it must have the host name that the certificate is for.",
				false,
			];
		case 'ECONNABORTED':
		case 'ETIMEDOUT':
			return [
				`${host} did not answer in time`,
				"Raise 'Timeout (Ms)' under 'Options', or lower 'Page Size' there. If it never answers, check 'Base URL' in the credential.",
				true,
			];
	}
	if (CERTIFICATE.test(code)) {
		return [
			`The certificate of ${host} can't be verified`,
			"Start n8n with NODE_EXTRA_CA_CERTS, so that it trusts the issuer. If you accept the risk instead, turn on 'Ignore SSL Issues' in the credential.",
			false,
		];
	}
	if (NO_TLS.test(code)) {
		return [
			`No secure connection to ${host}`,
			"Check 'Base URL' and its port in the credential: this port may not use https.",
			false,
		];
	}
	return [
		`Connection to ${host} lost`,
		'Try again. If it keeps happening, check the network and any proxy between n8n and the service.',
		true,
	];
}

/**
 * The failure that a request without a complete answer means to the user.
 * @param code Node's code of the network error, such as `ECONNRESET`; empty when there is none
 * @param host the service's host and port
 */
export function failureOfNetwork(request: ApiRequest, code: string, host: string): ApiFailure {
	const [message, remedy, retryable] = networkRemedy(code, host);
	return new ApiFailure(message, {
		description: `${remedy} Request: ${describeRequest(request)}${code === '' ? '' : ` (${code})`}.`,
		retryable,
	});
}

/** The failure of a request that n8n refused to send, in n8n's own words. */
export function failureOfN8n(request: ApiRequest, message: string, advice: string): ApiFailure {
	return new ApiFailure(`n8n did not send the request: ${message}`, {
		description: `${advice} Request: ${describeRequest(request)}.`,
		retryable: false,
	});
}
