import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import type { Fault, Sandbox, SandboxOptions } from '../../../sandbox';
import { runNode, type NodeRun, type RunNodeOptions } from '../../../tools/engine/node';
import { CASES_NODE, INPUT_FILE, useSandboxes } from '../../support/service';
import { useShortWaits } from '../../support/shortWaits';

/** What happens to the requests of a run, in their order; undefined answers. */
export type Faults = Array<Fault | undefined>;

/** @param freq one of so many requests is answered */
export const faultsOf = (
	fault: fc.Arbitrary<Fault>,
	{ freq, maxLength }: { freq: number; maxLength: number },
): fc.Arbitrary<Faults> =>
	fc.array(fc.option(fault, { nil: undefined, freq }), { minLength: 1, maxLength });

/** A service for a property of so many runs, and the node that talks to it without long waits before retries. */
export function useFaultedService(runs: number, grown: SandboxOptions['grown']) {
	jest.setTimeout(30_000 + runs * 500);
	useShortWaits();
	const start = useSandboxes();
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await start({ cases: 1, grown });
	});
	return {
		get sandbox() {
			return sandbox;
		},
		/** Runs the node under the faults. Each input item has a file. */
		async run(
			parameters: Record<string, unknown>,
			faults: Faults,
			options: Pick<RunNodeOptions, 'items' | 'onError'> = {},
		): Promise<NodeRun> {
			sandbox.clearRequests();
			sandbox.faults.clear();
			faults.forEach((fault, index) => {
				if (fault) sandbox.faults.add({ match: { nth: index + 1 }, times: 1, fault });
			});
			const ended = await runNode({
				...options,
				type: CASES_NODE,
				parameters: parameters as INodeParameters,
				binary: INPUT_FILE,
				credentials: { casesApi: { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner } },
			});
			sandbox.faults.clear();
			return ended;
		},
		/** Waits for the requests that were given up on: the service carries them out later. */
		async settle(): Promise<void> {
			while (sandbox.stats.inFlight > 0) await sleep(5);
		},
	};
}
