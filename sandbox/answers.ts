import type { Payload } from './endpoints';
import type { EndingFault, FaultPlan } from './faults';

/** An answer ready to be sent; `cut` says how the connection betrays it. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string;
	cut?: 'beforeAnswer' | 'inBody';
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_PAGE =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>';

/** The right answer, without what a fault leaves out and with what one puts in. */
export function toAnswer(
	{ fields, list, meta }: Payload,
	{
		listMissing,
		metaMissing,
		metaPatch,
	}: Pick<FaultPlan, 'listMissing' | 'metaMissing' | 'metaPatch'>,
): Answer {
	const parts = Object.entries(fields).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
	if (!listMissing) parts.push(`"${list.name}":[${list.itemsJson.join(',')}]`);
	if (meta && !metaMissing) parts.push(`"meta":${JSON.stringify({ ...meta, ...metaPatch })}`);
	return { status: 200, headers: { 'content-type': JSON_TYPE }, body: `{${parts.join(',')}}` };
}

/** Whether the request is still carried out although this fault replaces its answer. */
export function isCarriedOut(ending: EndingFault): boolean {
	if (ending.kind === 'redirect') return false;
	if (ending.kind === 'status' || ending.kind === 'drop' || ending.kind === 'raw') {
		return ending.applied ?? false;
	}
	return true;
}

/**
 * The answer that a fault gives in place of the right one.
 *
 * @param right the right answer, where the request was carried out
 * @param now the service's clock, for a Retry-After date
 */
export function faultyAnswer(ending: EndingFault, right: Answer | undefined, now: Date): Answer {
	const ok: Answer = right ?? { status: 200, headers: {}, body: '' };
	switch (ending.kind) {
		case 'status':
			return statusAnswer(ending, now);
		case 'redirect':
			return { status: ending.status, headers: { location: ending.to }, body: '' };
		case 'drop':
			return { ...ok, cut: 'beforeAnswer' };
		case 'reset':
			return { ...ok, cut: 'inBody' };
		case 'truncatedJson':
			return { ...ok, body: ok.body.slice(0, Math.ceil(ok.body.length / 2)) };
		case 'html':
			return {
				status: 200,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: HTML_PAGE,
			};
		case 'empty':
			return { status: 200, headers: { 'content-type': JSON_TYPE }, body: '' };
		case 'raw':
			return { status: ending.status, headers: lowerCased(ending.headers), body: ending.body };
	}
}

function statusAnswer(
	{ status, retryAfter, headers, body }: Extract<EndingFault, { kind: 'status' }>,
	now: Date,
): Answer {
	const isText = typeof body === 'string';
	return {
		status,
		headers: {
			...(body !== undefined && {
				'content-type': isText ? 'text/plain; charset=utf-8' : JSON_TYPE,
			}),
			...(retryAfter !== undefined && { 'retry-after': retryAfterHeader(retryAfter, now) }),
			...lowerCased(headers),
		},
		body: body === undefined ? '' : isText ? body : JSON.stringify(body),
	};
}

function retryAfterHeader(value: string | number | { inSeconds: number }, now: Date): string {
	if (typeof value !== 'object') return String(value);
	// An HTTP date has whole seconds: rounded up, so that the wait isn't shorter than asked.
	const at = Math.ceil((now.getTime() + value.inSeconds * 1000) / 1000) * 1000;
	return new Date(at).toUTCString();
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
}
