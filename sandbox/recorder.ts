import type { IncomingHttpHeaders } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { KeyKind } from './auth';

/** One request to the API, as it came over the wire. */
export interface RecordedRequest {
	method: string;
	/** Path without query string and prefix. */
	path: string;
	/** The query string as sent, without `?`. */
	queryString: string;
	/** The query string as qs reads it: filters as nested objects and arrays, all values text. */
	query: Record<string, unknown>;
	headers: IncomingHttpHeaders;
	/** The parsed JSON body, or the text if it isn't JSON; undefined without a body. */
	body?: unknown;
	/** The kind of the request's key, if it was valid. */
	key?: KeyKind;
	/** Undefined until answered; 0 when the connection ended without an answer. */
	status?: number;
	/** performance.now() at arrival and at the end of the answer. */
	startedAt: number;
	endedAt?: number;
	/** Which rule of the API document the request broke. */
	rejected?: string;
}

/** Keeps the requests and the counters of one sandbox. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	readonly stats = { inFlight: 0, maxInFlight: 0, openSockets: 0, maxOpenSockets: 0 };

	/** Forgets requests and maxima; what is open or in flight is still counted. */
	clear(): void {
		this.requests.length = 0;
		this.stats.maxInFlight = this.stats.inFlight;
		this.stats.maxOpenSockets = this.stats.openSockets;
	}

	begin(request: RecordedRequest): void {
		this.requests.push(request);
		this.stats.inFlight++;
		this.stats.maxInFlight = Math.max(this.stats.maxInFlight, this.stats.inFlight);
	}

	end(request: RecordedRequest, status: number): void {
		request.status = status;
		request.endedAt = performance.now();
		this.stats.inFlight--;
	}

	watchSockets(server: Server): void {
		const { stats } = this;
		server.on('connection', (socket: Socket) => {
			stats.openSockets++;
			stats.maxOpenSockets = Math.max(stats.maxOpenSockets, stats.openSockets);
			socket.on('close', () => stats.openSockets--);
		});
	}
}
