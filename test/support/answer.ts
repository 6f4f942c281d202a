import type { Answer } from '../../nodes/Cases/api/failures/answerFailures';

/** An answer of the service as the sender gets it, a few ms after its request. */
export function answerOf(
	status: number,
	text = '',
	headers: Answer['headers'] = {},
	receivedAt = Date.parse('2026-01-31T12:00:00Z'),
): Answer {
	return { status, headers, bytes: text.length, text: () => text, receivedAt, elapsedMs: 5 };
}
