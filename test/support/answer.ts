import type { Answer } from '../../nodes/Cases/api/failures/requestFailures';

/** An answer of the service as the sender gets it, a few ms after its request. */
export function answerOf(status: number, text = '', headers: Answer['headers'] = {}): Answer {
	return { status, headers, text: () => text, elapsedMs: 5 };
}
