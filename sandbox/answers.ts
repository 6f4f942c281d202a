import type { ReplacingFault } from './faults';

/** An answer ready to be sent; `cut` says where the connection is cut, if it is. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
	cut?: 'beforeAnswer' | 'midBody';
	/** Instead of the body: bytes that never end. */
	endless?: { bytes: number; everyMs: number };
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_PAGE =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>';

/** Whether the request is carried out even though this fault replaces its answer. */
export function isCarriedOut(fault: ReplacingFault): boolean {
	if (fault.kind === 'redirect') return false;
	if (fault.kind === 'status' || fault.kind === 'drop' || fault.kind === 'raw') {
		return fault.applied ?? false;
	}
	return true;
}

/**
 * The answer that a fault puts in place of the regular one.
 *
 * @param regular the regular answer, if the request was carried out
 * @param now the service's clock, for a Retry-After date
 */
export function faultyAnswer(
	fault: ReplacingFault,
	regular: Answer | undefined,
	now: Date,
): Answer {
	const ok: Answer = regular ?? { status: 200, headers: {}, body: '' };
	const ofType = (type: string, body: string): Answer => ({
		status: 200,
		headers: { 'content-type': type },
		body,
	});
	switch (fault.kind) {
		case 'status':
			return statusAnswer(fault, now);
		case 'redirect':
			return { status: fault.status, headers: { location: fault.to }, body: '' };
		case 'drop':
			return { ...ok, cut: 'beforeAnswer' };
		case 'reset':
			return { ...ok, cut: 'midBody' };
		case 'truncatedJson':
			return { ...ok, body: ok.body.slice(0, Math.ceil(ok.body.length / 2)) };
		case 'html':
			return ofType('text/html; charset=utf-8', HTML_PAGE);
		case 'empty':
			return ofType(JSON_TYPE, '');
		case 'endless':
			return { ...ok, endless: fault };
		case 'raw':
			return { status: fault.status, headers: lowerCased(fault.headers), body: fault.body };
	}
}

function statusAnswer(
	{ status, retryAfter, headers, body = '' }: Extract<ReplacingFault, { kind: 'status' }>,
	now: Date,
): Answer {
	const isText = typeof body === 'string';
	return {
		status,
		headers: {
			...(body !== '' && { 'content-type': isText ? 'text/plain; charset=utf-8' : JSON_TYPE }),
			...(retryAfter !== undefined && { 'retry-after': retryAfterHeader(retryAfter, now) }),
			...lowerCased(headers),
		},
		body: isText ? body : JSON.stringify(body),
	};
}

function retryAfterHeader(value: string | number | { inSeconds: number }, now: Date): string {
	if (typeof value !== 'object') return String(value);
	// An HTTP date has whole seconds: rounded up, so that the wait isn't shorter than scripted.
	const at = Math.ceil((now.getTime() + value.inSeconds * 1000) / 1000) * 1000;
	return new Date(at).toUTCString();
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}
