import type { RawAnswer } from '../../nodes/Cases/api/http/requestFailures';

/** An answer of the service as the sender gets it, a few ms after its request. */
export function answerOf(status: number, text = '', headers: RawAnswer['headers'] = {}): RawAnswer {
	return { status, headers, text: () => text, elapsedMs: 5 };
}
