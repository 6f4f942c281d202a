import type { CaseRow, CaseTruth, SandboxSummary } from './controlRoutes';
import type { FaultRule } from './faults';
import type { RecordedRequest, SandboxStats } from './recorder';
import type { CaseInput, CommentInput } from './store';
import type { ActionInput } from './types';

/** A fault rule that can cross a process border: a change by name, not by callback. */
export type RemoteFaultRule = Omit<FaultRule, 'fault'> & {
	fault: Exclude<FaultRule['fault'], { run: unknown }>;
};

/** A sandbox that runs in another process. Moments are ISO text; see CaseStore for the rest. */
export interface SandboxControl {
	summary(): Promise<SandboxSummary>;
	stats(): Promise<SandboxStats>;
	requests(): Promise<RecordedRequest[]>;
	clearRequests(): Promise<void>;
	addFaults(...rules: RemoteFaultRule[]): Promise<void>;
	clearFaults(): Promise<void>;
	cases(): Promise<CaseRow[]>;
	getCase(caseId: number): Promise<CaseTruth>;
	createCase(input?: CaseInput): Promise<CaseTruth>;
	updateCase(caseId: number, patch: CaseInput): Promise<CaseTruth>;
	closeCase(caseId: number): Promise<CaseTruth>;
	reopenCase(caseId: number): Promise<CaseTruth>;
	deleteCase(caseId: number): Promise<void>;
	addComment(caseId: number, value: string, input?: CommentInput): Promise<CaseTruth>;
	replaceActions(caseId: number, actions: ActionInput[]): Promise<CaseTruth>;
}

/**
 * A client for the control API of a sandbox.
 *
 * @param controlUrl `Sandbox.controlUrl`, e.g. `http://127.0.0.1:8090/__sandbox`
 * @throws Error with the sandbox's own words when it refuses
 */
export function connectControl(controlUrl: string): SandboxControl {
	const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
		const response = await fetch(controlUrl + path, {
			method,
			...(body !== undefined && {
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${text}`);
		return JSON.parse(text) as T;
	};
	return {
		summary: () => call('GET', '/summary'),
		stats: () => call('GET', '/stats'),
		requests: () => call('GET', '/requests'),
		clearRequests: () => call('DELETE', '/requests'),
		addFaults: (...rules) => call('POST', '/faults', rules),
		clearFaults: () => call('DELETE', '/faults'),
		cases: () => call('GET', '/cases'),
		getCase: (id) => call('GET', `/cases/${id}`),
		createCase: (input = {}) => call('POST', '/cases', input),
		updateCase: (id, patch) => call('PATCH', `/cases/${id}`, patch),
		closeCase: (id) => call('POST', `/cases/${id}/close`),
		reopenCase: (id) => call('POST', `/cases/${id}/reopen`),
		deleteCase: (id) => call('DELETE', `/cases/${id}`),
		addComment: (id, value, input) => call('POST', `/cases/${id}/comments`, { value, ...input }),
		replaceActions: (id, actions) => call('PUT', `/cases/${id}/actions`, actions),
	};
}
