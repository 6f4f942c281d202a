import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** A request as the process that sent it saw it. Times are in ms of its clock. */
export interface SentRequest {
	sentAt: number;
	/** When the headers of the answer arrived. */
	answeredAt?: number;
	status?: number;
}

const STARTED = 'http.client.request.start';
const ANSWERED = 'http.client.response.finish';

/** Records the HTTP requests of this process. @returns a function that stops this and returns them */
export function recordSentRequests(): () => SentRequest[] {
	const all: SentRequest[] = [];
	// Weak, because a request that is kept alive would count as memory of the workflow.
	const recorded = new WeakMap<ClientRequest, SentRequest>();
	const onStarted = (message: unknown) => {
		const { request } = message as { request: ClientRequest };
		const sent: SentRequest = { sentAt: performance.now() };
		all.push(sent);
		recorded.set(request, sent);
	};
	const onAnswered = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		const sent = recorded.get(request);
		if (sent === undefined) return;
		sent.answeredAt = performance.now();
		sent.status = response.statusCode;
	};
	subscribe(STARTED, onStarted);
	subscribe(ANSWERED, onAnswered);
	return () => {
		unsubscribe(STARTED, onStarted);
		unsubscribe(ANSWERED, onAnswered);
		return all;
	};
}
