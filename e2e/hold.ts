import type { FaultRule, Sandbox } from '../sandbox';

/**
 * Keeps the service from working on the requests that come from now on, so that a test decides how long they take, and
 * no busy machine does.
 * @returns what lets these requests, and all to come, go
 */
export function holdRequests({ faults }: Sandbox, match?: FaultRule['match']): () => void {
	let letGo: () => void;
	const held = new Promise<void>((resolve) => (letGo = resolve));
	faults.add({ match, times: Infinity, fault: { kind: 'change', run: async () => await held } });
	return () => {
		faults.clear();
		letGo();
	};
}
