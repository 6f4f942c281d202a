import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { KEYS } from './auth';
import { postChanges } from './caseWebhooks';
import { selfSignedCertificate } from './certificate';
import { serviceOf, type ServiceOptions } from './service';
import { FaultScript } from './faults';
import { traitsOf } from './grown';
import { CONTROL_PATH, registerPages } from './pages';
import { Recorder } from './recorder';
import { seedStore } from './seed';
import { buildServer } from './server';
import { CaseStore, type StoreOptions } from './store';

export type { Deviations } from './deviations';
export type { Fault, FaultRule } from './faults';
export { ALL_GROWN, WITH_WRITES, type GrownTrait } from './grown';
export { directService } from './direct';
export type { RecordedRequest } from './recorder';
export { CaseStore, type CaseInput } from './store';

/** Includes the options of the service; those of the store have no effect if `store` is set. */
export interface SandboxOptions extends ServiceOptions, StoreOptions {
	/** TCP port on 127.0.0.1; default: any free one. */
	port?: number;
	/** Serve TLS with a new self-signed certificate. Default false. */
	https?: boolean;
	/** Path before /api/v2, e.g. `/tenant-a`. Default none. */
	prefix?: string;
	/** Default: a store with `cases` generated cases (default 100) from `seed` (default 1). */
	store?: CaseStore;
	cases?: number;
	seed?: number;
	/** The end of the 90 days of generated cases. Default: a fixed date, for equal data in every run. */
	seedUntil?: Date;
	/** Answers 429 with Retry-After beyond this many requests in any second. Default: no limit. */
	rateLimit?: { perSecond: number };
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts a service on 127.0.0.1 and resolves once it answers. */
export async function startSandbox(options: SandboxOptions = {}) {
	const prefix = options.prefix ?? '';
	const store = options.store ?? seededStore(options);
	const recorder = new Recorder();
	const faults = new FaultScript();
	const stopping = new AbortController();
	// Every waiting answer adds a listener; without this Node warns of a leak.
	setMaxListeners(0, stopping.signal);
	const tls = options.https ? await selfSignedCertificate() : undefined;
	const service = serviceOf(store, '', options);
	const app = buildServer({
		service,
		faults,
		recorder,
		prefix,
		perSecond: options.rateLimit?.perSecond ?? Infinity,
		passedAt: [],
		tls,
		stopped: stopping.signal,
	});
	registerPages(app, service, prefix);
	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	const { port } = app.server.address() as AddressInfo;
	const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
	service.baseUrl = origin + prefix;

	return {
		/** The base URL of the tenant, with prefix, without trailing slash. */
		url: service.baseUrl,
		/** The URL of the requests for a person at a terminal; see pages.ts. */
		controlUrl: origin + CONTROL_PATH,
		keys: { ...KEYS },
		store,
		/** Every request to the API in order of arrival. */
		requests: recorder.requests,
		/** Those of `requests` that broke the API document's rules; their `rejected` is the reason. */
		get rejected() {
			return recorder.requests.filter(({ rejected }) => rejected !== undefined);
		},
		/** Empties `requests`, and resets the maxima in `stats` to what is open and in flight now. */
		clearRequests: () => recorder.clear(),
		faults,
		/** What was posted to the webhooks in `store.webhooks`, oldest first. */
		deliveries: postChanges(service, stopping.signal),
		/** Sets groups of deviations from the document; without an argument all of them end. See deviations.ts. */
		deviate: service.deviate,
		stats: recorder.stats,
		/** Stops at once, even with open connections and waiting answers; can be called again. */
		async stop() {
			// Before the waiting answers end, so that nobody gets them.
			app.server.closeAllConnections();
			stopping.abort();
			await app.close();
		},
	};
}

function seededStore(options: SandboxOptions): CaseStore {
	const traits = traitsOf(options.grown);
	const store = new CaseStore({ logsEdits: traits.has('activity-kinds'), ...options });
	seedStore(store, {
		cases: options.cases ?? 100,
		seed: options.seed ?? 1,
		until: options.seedUntil,
		files: traits.has('case-writes'),
	});
	return store;
}
