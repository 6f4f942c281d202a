import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** A request as the process that sent it saw it. Times are in ms of its clock. */
export interface SentRequest {
	sentAt: number;
	/** When the head of the answer came. */
	answeredAt?: number;
	status?: number;
}

const STARTED = 'http.client.request.start';
const ANSWERED = 'http.client.response.finish';

/** Notes the HTTP requests that this process sends from now on; the function gives them and ends it. */
export function noteSentRequests(): () => SentRequest[] {
	const all: SentRequest[] = [];
	// Weak, so that nothing of a request is held whose memory is measured.
	const noted = new WeakMap<ClientRequest, SentRequest>();
	const onStarted = (message: unknown) => {
		const { request } = message as { request: ClientRequest };
		const sent: SentRequest = { sentAt: performance.now() };
		all.push(sent);
		noted.set(request, sent);
	};
	const onAnswered = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		const sent = noted.get(request);
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
