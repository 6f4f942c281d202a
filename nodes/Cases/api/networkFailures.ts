import { ApiFailure } from './failure';
import { describeRequest, type ApiRequest } from './requests';

type Remedy = [message: string, remedy: string, retryable: boolean];

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/;

function networkRemedy(code: string, host: string): Remedy {
	switch (code) {
		case 'ECONNREFUSED':
			return [
				`Nothing answers at ${host}`,
				'Check the Base URL and its port, and that the service runs.',
				true,
			];
		case 'ENOTFOUND':
			return [`There is no host ${host}`, 'Check the Base URL of the credential for typos.', false];
		case 'ECONNABORTED':
		case 'ETIMEDOUT':
			return [
				`${host} did not answer in time`,
				'Raise Timeout under Options, or lower Page Size to get smaller answers.',
				true,
			];
	}
	if (CERTIFICATE.test(code)) {
		return [
			`The certificate of ${host} can't be verified`,
			'Have n8n trust the issuer (NODE_EXTRA_CA_CERTS), or turn on "Ignore SSL Issues" in the credential if you accept the risk.',
			false,
		];
	}
	return [
		`The connection to ${host} broke`,
		'Try again. If it goes on, check the network and any proxy between n8n and the service.',
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
