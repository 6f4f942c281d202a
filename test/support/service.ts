import { inspect } from 'node:util';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { startSandbox } from '../../sandbox';
import type { RecordedRequest, Sandbox, SandboxOptions } from '../../sandbox';
import { runNode } from '../../tools/engine/node';
import type { NodeRun, RunNodeOptions } from '../../tools/engine/node';
import { createPoller, type Poller, type PollerOptions } from '../../tools/engine/poll';
import { binaryOf } from './runs';

/** What each input item has. Only uploads look at it. */
export const INPUT_FILE = binaryOf({ data: ['mail.eml', Buffer.from('From: ada')] });

export const CASES_NODE = 'n8n-nodes-cases.cases';

export interface RunOptions extends Omit<RunNodeOptions, 'credentials' | 'parameters' | 'type'> {
	/** Fields of the credential that differ from those of the tenant owner's key in header mode. */
	credential?: ICredentialDataDecryptedObject;
}

/** A sandbox for all tests of a file, and the node that talks to it. */
export interface Service {
	/** Set from `beforeAll` on. */
	readonly sandbox: Sandbox;
	credential(fields?: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject;
	/** Runs the Cases node in n8n's engine. */
	run(parameters: Record<string, unknown>, options?: RunOptions): Promise<NodeRun>;
	/** A Cases Trigger, in n8n's engine. */
	poller(parameters: object, options?: Partial<PollerOptions>): Promise<Poller>;
	/** The requests that were received, such as `GET /api/v2/cases`. */
	paths(): string[];
}

/**
 * Starts a sandbox before the tests and stops it after them. After each test it checks that
 * every request kept to the API document, and after each run that the API key is in no error, item, hint or other
 * part of n8n's record of it.
 */
export function useService(options: SandboxOptions = {}): Service {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ cases: 120, ...options });
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(() => {
		sandbox.clearRequests();
		sandbox.faults.clear();
		sandbox.deviate();
	});
	afterEach(() => expect(sandbox.rejected.map(describeRejected)).toEqual([]));

	const credential: Service['credential'] = (fields) => ({
		baseUrl: sandbox.url,
		authScheme: 'header',
		apiKey: sandbox.keys.tenantOwner,
		...fields,
	});
	return {
		get sandbox() {
			return sandbox;
		},
		credential,
		async run(parameters, { credential: fields, ...rest } = {}) {
			const run = await runNode({
				binary: INPUT_FILE,
				...rest,
				type: CASES_NODE,
				parameters: parameters as INodeParameters,
				credentials: { casesApi: credential(fields) },
			});
			expectNoKey(run.run.data.resultData, Object.values(sandbox.keys));
			return run;
		},
		poller: async (parameters, options) =>
			await createPoller({
				type: `${CASES_NODE}Trigger`,
				parameters: parameters as INodeParameters,
				credentials: { casesApi: credential() },
				...options,
			}),
		paths: () => sandbox.requests.map(({ method, path }) => `${method} ${path}`),
	};
}

/** Returns a function that starts further sandboxes, which are stopped after the tests of the file. */
export function useSandboxes(): (options?: SandboxOptions) => Promise<Sandbox> {
	const started: Sandbox[] = [];
	afterAll(async () => await Promise.all(started.map(async (sandbox) => await sandbox.stop())));
	return async (options) => {
		const sandbox = await startSandbox(options);
		started.push(sandbox);
		return sandbox;
	};
}

function describeRejected({ method, path, queryString, rejected }: RecordedRequest): string {
	return `${method} ${path}?${queryString}: ${rejected}`;
}

/** Searches everything in the value, including causes and hidden properties of errors. */
export function expectNoKey(value: unknown, keys: string[]): void {
	const everything = inspect(value, {
		depth: Infinity,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
		showHidden: true,
	});
	expect(keys.filter((key) => everything.includes(key))).toEqual([]);
}
