import { fork } from 'node:child_process';

/** Functions of one argument that another process may call; arguments and results must be JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each function has its own type of argument
export type Handlers = Record<string, (argument: any) => unknown>;

/** The same functions, seen from the process that calls them. */
export type Remote<H extends Handlers> = {
	[Name in keyof H]: (argument: Parameters<H[Name]>[0]) => Promise<Awaited<ReturnType<H[Name]>>>;
};

interface Call {
	id: number;
	name: string;
	argument?: unknown;
}

interface Reply {
	id: number;
	value?: unknown;
	error?: string;
}

/** Answers the calls of the parent process, and exits when the parent is gone. */
export function serveCalls(handlers: Handlers): void {
	process.on('message', ({ id, name, argument }: Call) => {
		void Promise.resolve()
			.then(() => handlers[name](argument))
			.then(
				(value): Reply => ({ id, value }),
				(error: Error): Reply => ({ id, error: error.stack ?? error.message }),
			)
			.then((reply) => process.send?.(reply));
	});
	process.once('disconnect', () => process.exit());
}

/** A child process that serves calls. */
export interface Child<H extends Handlers> {
	calls: Remote<H>;
	stop(): Promise<void>;
}

/**
 * Starts a TypeScript file that calls {@link serveCalls}.
 * @param flags of Node
 */
export function startChild<H extends Handlers>(file: string, flags: string[] = []): Child<H> {
	// The flags of this process let Node load TypeScript.
	const child = fork(file, { execArgv: [...process.execArgv, ...flags] });
	const waiting = new Map<number, (reply: Reply) => void>();
	let calls = 0;
	const exited = new Promise<void>((resolve) => {
		child.once('exit', (code, signal) => {
			for (const [id, settle] of waiting) {
				settle({ id, error: `${file} ended with ${signal ?? `code ${code}`}` });
			}
			resolve();
		});
	});
	child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply));

	const call = async (name: string, argument: unknown): Promise<unknown> => {
		const id = ++calls;
		const reply = await new Promise<Reply>((resolve) => {
			waiting.set(id, resolve);
			child.send({ id, name, argument });
		});
		waiting.delete(id);
		if (reply.error !== undefined) throw new Error(reply.error);
		return reply.value;
	};
	return {
		calls: new Proxy({} as Remote<H>, {
			get: (_target, name: string) => async (argument: unknown) => await call(name, argument),
		}),
		stop: async () => {
			if (child.connected) child.disconnect();
			await exited;
		},
	};
}
