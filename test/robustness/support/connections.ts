import { Socket } from 'node:net';

/** A port on which hardly any machine listens, so connections to it are refused. */
const CLOSED_PORT = 1;

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** All connections that this process opens. */
export interface Connections {
	/** Requested hosts and ports, as `host:port`. */
	readonly opened: string[];
	/** Refuses connections to a port: the `first` to the `last` of those to come, counted from 1. */
	refuse: (port: number, first: number, last: number) => void;
	/** Refuses no more connections to the port. */
	allow: (port: number) => void;
	restore: () => void;
}

/** Watches all connections until `restore`. To refuse one, it sends it to a port where nothing listens. */
export function watchConnections(): Connections {
	const opened: string[] = [];
	const refusals = new Map<number, { seen: number; first: number; last: number }>();
	const connect = Socket.prototype.connect as unknown as Connect;
	const spy = jest
		.spyOn(Socket.prototype as unknown as { connect: Connect }, 'connect')
		.mockImplementation(function (this: Socket, ...args: unknown[]) {
			// Node's HTTP client passes its arguments as one list.
			const options = (Array.isArray(args[0]) ? args[0][0] : args[0]) as {
				host?: string;
				port?: number | string;
			};
			const port = Number(options.port);
			opened.push(`${options.host ?? ''}:${port}`);
			const refusal = refusals.get(port);
			if (refusal) {
				refusal.seen++;
				const isRefused = refusal.seen >= refusal.first && refusal.seen <= refusal.last;
				if (isRefused) options.port = CLOSED_PORT;
			}
			return connect.apply(this, args);
		});
	return {
		opened,
		refuse: (port, first, last) => refusals.set(port, { seen: 0, first, last }),
		allow: (port) => refusals.delete(port),
		restore: () => spy.mockRestore(),
	};
}
